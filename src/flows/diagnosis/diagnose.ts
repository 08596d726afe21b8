import {type Finding, type Fix, type Outcome, skippedWithout, type Verdict, verdictOn} from '../../domain/finding.ts';
import {mayBeOperators, remedyOf} from '../../errors/describe-error.ts';
import {type ErrorCode, SetupError, toSetupError} from '../../errors/errors.ts';
import {verdictOnAccount, verdictOnCode} from '../../errors/verdict.ts';
import {asSentence} from '../../sentence.ts';
import {createEntryTools} from '../assistants/verify-entries.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {type Check, type Learned, loginCommand, type Machine, type Scene, type Subject} from './check.ts';
import {codeOfCheck} from './check-explanations.ts';
import {ASSISTANTS_ACCESS} from './checks/platform-checks.ts';
import {outcomeOf} from './outcome.ts';

export type Diagnosis = {readonly outcomes: readonly Outcome[]};

type Input = {
  readonly subject: Subject;
  readonly machine: Machine;
  readonly checks: readonly Check[];
};

/** The time limit of one check, in milliseconds: a server that does not answer must not delay the verdict. */
const CHECK_TIMEOUT = 4_000;

/**
 * Runs every check as soon as the checks that it needs have ended, in parallel, and reports each one as it ends. If a
 * needed check failed or was skipped, the check is skipped and names the reason. Changes nothing, except that it renews
 * a token that is due or that a server refused, and closes a file of secrets that others can read.
 */
export const diagnose: Flow<Input, Diagnosis> = ({subject, machine, checks}, run) =>
  stoppable(run, async ({ports, signal, tell}) => {
    const learned: Learned = {};
    const running = new Map<string, Promise<Outcome>>();
    /** The last call of each check, as a curl line. */
    const calls = new Map<string, string>();
    // A check may judge what an earlier one has read.
    const callOf = ({id, needs}: Check): string | undefined =>
      calls.get(id) ??
      checks
        .filter(one => needs.includes(one.id))
        .map(callOf)
        .findLast(found => found !== undefined);
    const known: Scene['outcomeOf'] = async id => running.get(id);

    const start = (check: Check): Promise<Outcome> => {
      const begun = running.get(check.id);
      if (begun) return begun;
      const outcome = conduct(check);
      running.set(check.id, outcome);
      return outcome;
    };
    const toolsThrough = createEntryTools({ports, signal, tell: quiet(tell)});
    const conduct = async (check: Check): Promise<Outcome> => {
      const {id, title, needs} = check;
      const needed = await Promise.all(checks.filter(one => needs.includes(one.id)).map(start));
      const skipped = needed.filter(({verdict}) => verdict === 'skipped');
      // A failed check is a better reason than one that does not apply.
      const gone = needed.find(({verdict}) => verdict === 'fail') ?? skipped.find(({because}) => because) ?? skipped[0];
      const started = ports.clock.monotonic();
      tell({type: 'check-started', id});
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(check.time ?? CHECK_TIMEOUT)]);
      const noting = quiet(event => {
        if (event.type === 'call-answered' || event.type === 'call-failed') calls.set(id, event.curl);
        tell(event);
      });
      const scene: Scene = {
        subject,
        machine,
        ports,
        signal: deadline,
        diagnosis: signal,
        tell: noting,
        learned,
        toolsThrough,
        outcomeOf: known,
      };
      const finding = gone ? skippedFor(gone) : await settle(check, scene, signal);
      const explain = finding.code ?? (finding.verdict === 'warning' ? codeOfCheck(id) : undefined);
      const ms = Math.round(ports.clock.monotonic() - started);
      const {layer, server} = check;
      const about = {...(layer ? {layer} : {}), ...(server ? {server} : {})};
      const curl = callOf(check);
      const outcome = {
        ...outcomeOf({id, title, ms, ...about}, finding, {signIn: loginCommand(subject)}),
        ...(explain === undefined ? {} : {explain}),
        ...(finding.verdict === 'fail' && curl !== undefined ? {curl} : {}),
      };
      tell({type: 'check-finished', outcome});
      return outcome;
    };

    return {outcomes: await Promise.all(checks.map(start))};
  });

/** The other events of flows are no findings; only their calls are shown. */
const quiet =
  (tell: Scene['tell']): Scene['tell'] =>
  event => {
    if (event.type.startsWith('call-')) tell(event);
  };

/**
 * Names the failed check at the bottom of a chain of skipped checks, because it is the reason for all of them. A check
 * that does not apply is not a failure, so there is none to name.
 */
const skippedFor = (outcome: Outcome): Finding => {
  const {verdict, because, saw} = outcome;
  if (verdict === 'fail') return skippedWithout(outcome);
  return because === undefined ? {verdict: 'skipped', saw} : {verdict: 'skipped', saw, because};
};

const settle = async (check: Check, scene: Scene, signal: AbortSignal): Promise<Finding> => {
  try {
    return await check.run(scene);
  } catch (error) {
    signal.throwIfAborted();
    if (scene.signal.aborted) return failure(late(check, scene.subject), scene.subject);
    const found = failure(toSetupError(error), scene.subject);
    // Entries act as the person until the assistants' account is saved.
    const isTheirs =
      check.id === ASSISTANTS_ACCESS ||
      (check.layer === 'assistants' && scene.subject.context?.assistantsAccount !== undefined);
    return isTheirs ? ofAssistants(found) : found;
  }
};

/** Returns a finding as one about the assistants' account, if it can be: that account is signed in by itself. */
const ofAssistants = (finding: Finding): Finding => {
  if (finding.code === undefined || verdictOnAccount(finding.code) === undefined) return finding;
  const fix = finding.code === 'auth-sign-in-required' ? ({fix: 'assistants-sign-in'} as const) : {};
  return {...finding, ...fix, isOfAssistants: true};
};

/**
 * The error of a check that exceeded its time limit. It names the address that did not answer, if the check has one.
 */
const late = ({title, address, time = CHECK_TIMEOUT}: Check, subject: Subject): SetupError => {
  const url = address?.(subject);
  const within = `within ${time / 1000} s`;
  return url === undefined
    ? new SetupError('local-check-late', `“${title}” did not finish ${within}.`)
    : new SetupError('network-timeout', `${url} did not answer ${within}.`, {about: {url}});
};

/** The fixes that this program offers for some failures. */
const fixOf: {readonly [C in ErrorCode]?: Fix} = {
  'auth-sign-in-required': 'sign-in',
  // The damaged file is kept under another name.
  'local-credentials-invalid': 'sign-in',
  'local-entry-failed': 'reconnect',
};

/** Names the contact if the platform may be at fault. */
const contactFor = ({code}: SetupError, {context}: Subject): string =>
  context?.contact !== undefined && mayBeOperators(code) ? `Contact: ${context.contact}.` : '';

/** Returns an error as a finding. The finding shows the message; the code is for programs. */
const failure = (error: SetupError, subject: Subject): Finding => {
  const {code, message, about} = error;
  const fix = about.isUnanswered ? 'renew' : about.isSignInOver ? 'sign-in' : fixOf[code];
  return {
    verdict: 'fail',
    saw: message,
    sentence: message,
    remedy: [remedyOf(error), contactFor(error, subject)],
    code,
    ...(fix ? {fix} : {}),
  };
};

/**
 * Returns the verdict on the outcomes of checks.
 *
 * @param contact the contact that the company file of the deployment names
 */
export const verdictOf = (outcomes: readonly Outcome[], contact?: string): Verdict => {
  const verdict = verdictOn(outcomes, ({code, server, fix, isOfAssistants}) => {
    if (isOfAssistants && code !== undefined) return verdictOnAccount(code);
    return code === undefined ? undefined : verdictOnCode(code, server, fix === 'renew');
  });
  const failed = outcomes.find(({id}) => id === verdict.check);
  // A sign-in that failed before, and was not repeated, is nothing to hand on yet.
  const isTheirs = failed?.code !== undefined && failed.verdict !== 'skipped' && mayBeOperators(failed.code);
  return isTheirs ? {...verdict, handOn: handedOn(failed, verdict.sentence, contact)} : verdict;
};

/** Returns one line with everything that the operators need: what is wrong, what was seen, the code and the call. */
const handedOn = ({saw, sentence = saw, code, curl}: Outcome, verdict: string, contact?: string): string =>
  [
    `To your platform team${contact === undefined ? '' : ` (${contact})`}: ${verdict}.`,
    // The person passes this on, so it speaks as they do.
    asSentence(sentence.replace(/^You are signed in/, 'I am signed in')),
    `Code: ${code}.`,
    ...(curl === undefined ? [] : [`To repeat it: ${curl}`]),
  ].join(' ');
