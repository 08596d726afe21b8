import type {Outcome} from '../../domain/finding.ts';
import {isTroubled} from '../../domain/finding.ts';
import {loginCommand} from '../../flows/diagnosis/check.ts';
import {fixDescriptions} from '../../flows/diagnosis/fix-says.ts';
import {onAbort} from '../../on-abort.ts';
import {type DiagnosisRun, type DiagnosisState, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import type {Invocation} from '../command.ts';
import {describeLayers, describeOutcome, isTrouble} from '../output/describe-outcome.ts';

/**
 * Runs a diagnosis and tells what came of it. For programs a JSON object for each check as it ends. For people the verdict,
 * and each layer, of which those are folded in which all is well; with `--verbose` a line for each check, as soon as all
 * before it are told, so that they read it from the ground up.
 */
export const tellDiagnosis = async (
  run: DiagnosisRun,
  {flags, env, terminal, signal}: Invocation,
): Promise<readonly Outcome[]> => {
  const {json = false, quiet = false, verbose = false} = flags;
  const isStreamed = json || verbose;
  const line = (text: string) => terminal.stdout.tell(`${text}\n`);
  let told = new Set<string>();
  let said: string | undefined;
  const unsubscribe = run.subscribe(() => {
    const {notice} = run.state();
    if (!json && notice !== undefined && notice !== said) line(notice);
    said = notice;
    const outcomes = outcomesIn(run.state());
    // Another round begins with none.
    if (outcomes.length === 0) told = new Set();
    const ready = !isStreamed ? [] : json ? outcomes : fromTheGround(run.state());
    for (const outcome of ready.filter(({id}) => !told.has(id))) {
      told.add(outcome.id);
      if (json) terminal.stdout.writeJson({type: 'check', ...outcome});
      else if (!quiet || isTrouble(outcome.verdict)) line(describeOutcome(outcome, env));
    }
  });
  const stopListening = onAbort(signal, run.stop);
  try {
    // What is looked at is known before it is: flags may name another deployment than the one that is meant every day.
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
      const shown = describeLayers(quiet ? outcomes.filter(isTroubled) : outcomes, env);
      line([`${run.state().verdict?.sentence}.`, '', ...shown].join('\n').trimEnd());
    }
    if (!json && flags.fix && outcomes.some(({fix}) => fix === 'sign-in'))
      line(`\nSigning in again needs you: ${loginCommand(run.state().subject)}.`);
    return outcomes;
  } finally {
    stopListening();
    unsubscribe();
  }
};

/** A subject in a sentence: by its name where it is saved, and by its address. */
const named = ({context, controlPlaneUrl, isUnfinished}: DiagnosisState['subject']): string => {
  if (context) return `${context.name}, ${controlPlaneUrl}`;
  return isUnfinished ? `${controlPlaneUrl}, the platform of your unfinished setup` : controlPlaneUrl;
};

/** What has ended without a gap, in the order of the checks. */
const fromTheGround = ({checks, outcomes}: DiagnosisState): readonly Outcome[] => {
  const gap = checks.findIndex(({id}) => outcomes[id] === undefined);
  return checks.slice(0, gap < 0 ? checks.length : gap).flatMap(({id}) => outcomes[id] ?? []);
};

/** What can be mended without a person, each once. */
const fixesIn = (outcomes: readonly Outcome[]) => {
  const fixes = outcomes.flatMap(({fix}) => (fix === undefined || fix === 'sign-in' ? [] : [fix]));
  return [...new Set(fixes)];
};
