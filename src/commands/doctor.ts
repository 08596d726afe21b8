import {flagsAsTyped} from '../assistants/formats/command-line.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {type DoctorInput, showDiagnosis} from '../command-line/diagnosis/run-doctor.ts';
import {machineOf, subjectOf} from '../command-line/diagnosis/subject-from-flags.ts';
import {tellDiagnosis} from '../command-line/diagnosis/tell-diagnosis.ts';
import {endWithFirst, exitCodeOf} from '../command-line/output/describe-outcome.ts';
import {isSpoken} from '../command-line/output/output.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {answersOf, storedClientSecret, typedAddresses} from '../command-line/saved-context.ts';
import {isInteractive} from '../command-line/wizard/run-either.ts';
import {runWizard} from '../command-line/wizard/run-wizard.ts';
import {readWizardInput} from '../command-line/wizard/wizard-input.ts';
import {isSignInFix, type Outcome, summaryOf} from '../domain/finding.ts';
import {remedyText} from '../errors/describe-error.ts';
import {cancelled, familyOf, SetupError} from '../errors/errors.ts';
import {saveReport} from '../flows/diagnosis/report.ts';
import type {Ports} from '../ports/ports.ts';
import {nodeVersion} from '../ports/processes/runtime.ts';
import {SETUP} from '../setup-command.ts';
import {createDiagnosisRun} from '../state/diagnosis/diagnosis-run.ts';
import {initialState} from '../state/model.ts';
import {version} from '../version.ts';

/**
 * `setup doctor`: checks everything between a person and the platform, layer by layer, and says what is wrong and what
 * to do. The exit code is that of the first failure's family; warnings change it only with `--strict`.
 */
export const runDoctor: CommandHandler = async (invocation): Promise<number> => {
  const {flags, env, terminal} = invocation;
  const base = portsOf(invocation);
  const {about, ports} = await aboutOf(invocation, base).catch(error => failWithReport(error, invocation, base));
  if (
    isInteractive(invocation) &&
    !isSpoken(flags, env) &&
    flags.report === undefined &&
    !flags.fix &&
    !flags.verbose
  ) {
    endWithFirst(await look({about, ports}, invocation), flags.strict ?? false);
    return 0;
  }
  const run = await createDiagnosisRun(about, ports);
  const outcomes = await tellDiagnosis(run, invocation);
  const line = (text: string) => terminal.stdout.tell(`${text}\n`);
  if (flags.report !== undefined) {
    await run.save(flags.report);
    if (!flags.json) line(`\nThe report is in ${flags.report}. It contains no secrets.`);
  }
  const summary = summaryOf(outcomes);
  const {verdict} = run.state();
  if (flags.json) terminal.stdout.writeJson({type: 'done', verdict, summary});
  else if (flags.verbose) line(`\n${verdict?.sentence}.\n${summary}`);
  else line(`\n${summary}${verdict?.state === 'works' ? '' : `. Each check: ${verbosely(invocation)}`}`);
  if (!flags.json && verdict?.handOn !== undefined) line(`\n${verdict.handOn}`);
  // Programs read the failure from the last line; a person has just read it.
  if (flags.json) endWithFirst(outcomes, flags.strict ?? false);
  return exitCodeOf(outcomes, flags.strict ?? false);
};

/**
 * Ends a diagnosis that cannot begin. If the cause is on this machine, for example a saved file that cannot be read,
 * and the person asked for a report, the report is written with this error only.
 *
 * @throws the error itself, always
 */
const failWithReport = async (error: unknown, {flags, terminal}: Invocation, ports: Ports): Promise<never> => {
  if (flags.report !== undefined && error instanceof SetupError && familyOf(error.code) === 'local') {
    const {code, message} = error;
    const outcome = {
      id: 'config',
      title: 'Saved deployment',
      layer: 'machine',
      ms: 0,
      verdict: 'fail',
      saw: message,
      sentence: message,
      remedy: remedyText(error),
      code,
      explain: code,
    } as const;
    await saveReport(flags.report, {outcomes: [outcome], machine: {node: nodeVersion(), version}}, ports);
    if (!flags.json) terminal.stderr.tell(`The report is in ${flags.report}. It contains no secrets.\n`);
  }
  throw error;
};

/** Returns the command that prints each check of the same deployment. */
const verbosely = ({flags, typed}: Invocation): string => {
  const context = typed.has('context') && flags.context !== undefined ? {context: flags.context} : {};
  return [SETUP, 'doctor', flagsAsTyped({...context, ...typedAddresses({flags, typed})}), '--verbose']
    .filter(Boolean)
    .join(' ');
};

/**
 * Shows the screen; signing in again from it leads through the wizard and back. Returns what was found.
 *
 * @throws SetupError `cancelled` if the person leaves while checks are running
 */
const look = async (first: LookedAt, invocation: Invocation): Promise<readonly Outcome[]> => {
  for (let lookedAt = first; ; lookedAt = await aboutOf(invocation, portsOf(invocation))) {
    const {about} = lookedAt;
    const {ending, outcomes, verdict} = await showDiagnosis(about, lookedAt.ports, invocation);
    // Another process may have changed what is saved while the screen was open.
    const {context} = isSignInFix(ending)
      ? (await aboutOf(invocation, portsOf(invocation))).about.subject
      : about.subject;
    if (!isSignInFix(ending) || !context) {
      // Without a verdict some checks were still running.
      if (!verdict) throw cancelled();
      return outcomes;
    }
    if (ending === 'assistants-sign-in') {
      const {connectAssistants} = await import('./mcp/connect.ts');
      await connectAssistants(context, {invocation, ports: lookedAt.ports, isAnew: true});
      continue;
    }
    const {settings, ports} = await readWizardInput(invocation, lookedAt.ports, context);
    const again = answersOf(context, {}, await storedClientSecret(context, ports.credentials));
    await runWizard(
      initialState({...settings, saved: context, again}, {}, {...again, resume: 'sign-in'}),
      ports,
      invocation,
    );
  }
};

/** The subject of a diagnosis, and the ports that reach it. */
type LookedAt = {readonly about: DoctorInput; readonly ports: Ports};

const aboutOf = async (invocation: Invocation, base: Ports): Promise<LookedAt> => {
  const {subject, ports} = await subjectOf(invocation, base);
  return {about: {subject, machine: machineOf(invocation, subject)}, ports};
};
