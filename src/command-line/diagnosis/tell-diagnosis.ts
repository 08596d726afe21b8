import {asAssistants} from '../../domain/context.ts';
import {isSignInFix, needsAttention, type Outcome, placeOf, type SignInFix} from '../../domain/finding.ts';
import {commandLineOf} from '../../errors/remedy.ts';
import {loginCommand} from '../../flows/diagnosis/check.ts';
import {fixDescriptions} from '../../flows/diagnosis/fix-descriptions.ts';
import {onAbort} from '../../on-abort.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import type {Invocation} from '../command.ts';
import {describeLayers, describeOutcome, isFailureOrWarning} from '../output/describe-outcome.ts';

/**
 * Runs a diagnosis and reports it. Programs get a JSON object for each check as it ends. People get the verdict and
 * each layer, with a single line for a layer without trouble. With `--verbose` they get a line for each check, in the
 * order of the checks.
 */
export const tellDiagnosis = async (
  run: DiagnosisRun,
  {flags, env, terminal, signal}: Invocation,
): Promise<readonly Outcome[]> => {
  const {json = false, quiet = false, verbose = false} = flags;
  const isStreamed = json || verbose;
  const line = (text: string) => terminal.stdout.tell(`${text}\n`);
  let shownChecks = new Set<string>();
  let lastNotice: string | undefined;
  const unsubscribe = run.subscribe(() => {
    const {notice} = run.state();
    if (!json && notice !== undefined && notice !== lastNotice) line(notice);
    lastNotice = notice;
    const outcomes = outcomesIn(run.state());
    // A new round begins without outcomes.
    if (outcomes.length === 0) shownChecks = new Set();
    const ready = !isStreamed ? [] : json ? outcomes : fromTheGround(run.state());
    for (const outcome of ready.filter(({id}) => !shownChecks.has(id))) {
      shownChecks.add(outcome.id);
      if (json) terminal.stdout.writeJson({type: 'check', ...outcome});
      else if (!quiet || isFailureOrWarning(outcome.verdict)) line(describeOutcome(outcome, env));
    }
  });
  const stopListening = onAbort(signal, run.stop);
  try {
    // The subject is named first: flags may name a different deployment than the usual one.
    if (!json && !quiet) line(`Checking ${named(run.state().subject)}…`);
    await run.run();
    if (flags.fix) {
      for (const fix of fixesIn(outcomesIn(run.state()))) {
        if (!json) line(`\n${fixDescriptions[fix]}`);
        await run.fix(fix);
      }
    }
    const outcomes = outcomesIn(run.state());
    if (!isStreamed) {
      const shown = describeLayers(quiet ? outcomes.filter(needsAttention) : outcomes, env);
      const {verdict} = run.state();
      const place = verdict && placeOf(verdict, outcomes);
      line([`${verdict?.sentence}.`, ...(place ? [place] : []), '', ...shown].join('\n').trimEnd());
    }
    const signIns = flags.fix && !json ? outcomes.map(({fix}) => fix).filter(isSignInFix) : [];
    for (const fix of new Set(signIns)) line(`\n${cannotSignIn(fix, run.state().subject)}`);
    return outcomes;
  } finally {
    stopListening();
    unsubscribe();
  }
};

/** Names a subject in a sentence: by its context's name, if it is saved, and by its address. */
const named = ({context, controlPlaneUrl, isUnfinished}: DiagnosisState['subject']): string => {
  if (context) return `${context.name}, ${controlPlaneUrl}`;
  return isUnfinished ? `${controlPlaneUrl}, the platform of your unfinished setup` : controlPlaneUrl;
};

/** Returns the outcomes up to the first check that has not ended, in the order of the checks. */
const fromTheGround = ({checks, outcomes}: DiagnosisState): readonly Outcome[] => {
  const gap = checks.findIndex(({id}) => outcomes[id] === undefined);
  return checks.slice(0, gap < 0 ? checks.length : gap).flatMap(({id}) => outcomes[id] ?? []);
};

/** Says that a person has to make a sign-in, and by which command. */
const cannotSignIn = (fix: SignInFix, subject: DiagnosisState['subject']): string => {
  if (fix === 'sign-in') return `--fix cannot sign you in. Sign in again: ${commandLineOf(loginCommand(subject))}.`;
  const context = subject.context && asAssistants(subject.context);
  const command = commandLineOf(loginCommand({...subject, ...(context ? {context} : {})}));
  return `--fix cannot sign your assistants in. Sign them in: ${command}.`;
};

/** Returns the fixes that need no person, each once. */
const fixesIn = (outcomes: readonly Outcome[]) => {
  const fixes = outcomes.flatMap(({fix}) => (fix === undefined || isSignInFix(fix) ? [] : [fix]));
  return [...new Set(fixes)];
};
