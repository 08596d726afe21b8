import {asAssistants, sameContextIn} from '../../domain/context.ts';
import type {Outcome, UnattendedFix, Verdict} from '../../domain/finding.ts';
import {cancelled, toSetupError} from '../../errors/errors.ts';
import type {Check, Machine, Subject} from '../../flows/diagnosis/check.ts';
import type {FlowEvent} from '../../flows/flow.ts';
import {quietRun} from '../../flows/flow.ts';
import {savedEntriesOf} from '../../flows/saved-entries.ts';
import type {Ports} from '../../ports/ports.ts';
import type {CallLine} from '../model.ts';

/** A diagnosis as the person sees it: what is known so far, and what is in progress. */
export type DiagnosisState = {
  readonly subject: Subject;
  readonly checks: readonly Pick<Check, 'id' | 'title' | 'layer'>[];
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly isRunning: boolean;
  /** The verdict, once every check has ended. */
  readonly verdict?: Verdict;
  /** The calls that were made, without secrets. */
  readonly calls: readonly ShownCall[];
  /** The result of the last action, or why it failed, as a sentence. */
  readonly notice?: string;
};

export type DiagnosisRun = {
  state(): DiagnosisState;
  subscribe(listener: () => void): () => void;
  /** Runs every check, or runs them all again. */
  run(): Promise<void>;
  /** Applies a fix and runs every check again, because checks depend on one another. */
  fix(fix: UnattendedFix): Promise<void>;
  /**
   * Runs every check again if another run has signed in or out since they ended, because their remedy may be out of
   * date. Returns whether that was so.
   */
  runIfSignInChanged(): Promise<boolean>;
  /**
   * Writes a report, once it is known to hold no secret. @throws SetupError `local-report-unsafe`, `local-write-failed`
   */
  save(path: string): Promise<void>;
  /** Like `save`, but reports an error in `notice` instead of throwing it. */
  trySave(path: string): Promise<void>;
  stop(): void;
};

const givenTo = async ({context, platform}: Subject, {assistants, place}: Machine, ports: Ports) => {
  if (!context) return [];
  const {organisationEntries} = await import('../../flows/assistants/organisation-entries.ts');
  const entries = savedEntriesOf(context, platform);
  return organisationEntries({assistants, place, context: context.name, entries}, ports);
};

/** Notes that the platform has been checked since a sign-in failed: whatever made it fail may be mended by now. */
const checkedSince = (subject: Subject): Subject => {
  const {unsaved} = subject;
  if (!unsaved?.failure) return subject;
  return {...subject, unsaved: {...unsaved, failure: {...unsaved.failure, isCheckedSince: true}}};
};

/** Creates the one controller of a diagnosis, for the screen and for runs without one. */
export const createDiagnosisRun = async (
  {subject: initial, machine}: {subject: Subject; machine: Machine},
  ports: Ports,
): Promise<DiagnosisRun> => {
  let subject = initial;
  const {checksOf} = await import('../../flows/diagnosis/all-checks.ts');
  const checksNow = async () => checksOf(subject, await givenTo(subject, machine, ports));
  let checks = await checksNow();
  let hasRun = false;
  /** The stored sign-ins when the checks ended, as `signInsOf` returns them. */
  let signIns: string | undefined;
  const controller = new AbortController();
  const listeners = new Set<() => void>();
  let state: DiagnosisState = {
    subject,
    checks: checks.map(listed),
    outcomes: {},
    isRunning: false,
    calls: [],
  };
  const change = (next: Partial<DiagnosisState>) => {
    state = {...state, ...next};
    for (const listener of listeners) listener();
  };

  const run = async () => {
    if (state.isRunning) return;
    const {verdict: _, ...before} = state;
    state = before;
    signIns = undefined;
    change({outcomes: {}, calls: [], isRunning: true});
    try {
      if (hasRun) {
        // Another process may have changed what is saved. If that cannot be read, a check says why.
        subject = await asSaved(subject, ports).catch(() => subject);
        checks = await checksNow();
        change({subject, checks: checks.map(listed)});
      }
      hasRun = true;
      const tell = (event: FlowEvent) => {
        if (event.type === 'check-finished') {
          change({outcomes: {...state.outcomes, [event.outcome.id]: event.outcome}});
        }
        const call = shownCall(event);
        if (call) change({calls: [...state.calls, call]});
      };
      const {diagnose} = await import('../../flows/diagnosis/diagnose.ts');
      await diagnose({subject, machine, checks}, {ports, signal: controller.signal, tell});
      const {verdictOf} = await import('../../flows/diagnosis/diagnose.ts');
      change({verdict: verdictOf(outcomesIn(state), subject.context?.contact)});
      // After the verdict, which a person may act on at once: without it, leaving would count as breaking off.
      signIns = await signInsOf(subject, ports);
      subject = checkedSince(subject);
    } finally {
      change({isRunning: false});
    }
  };

  /** Does something other than checking. An error becomes a notice and does not end the run. */
  const act = async (work: () => Promise<string>) => {
    try {
      change({notice: await work()});
    } catch (error) {
      const failure = toSetupError(error);
      const {remedyText} = await import('../../errors/describe-error.ts');
      change({notice: `${failure.message} ${remedyText(failure)}`});
    }
  };

  const save = async (path: string) => {
    const {saveReport} = await import('../../flows/diagnosis/report.ts');
    await saveReport(path, {outcomes: outcomesIn(state), subject, machine}, ports);
  };

  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run,
    fix: async fix => {
      await act(async () => {
        // The fix reports nothing by itself: the checks that run afterwards show what it changed.
        const {applyFix} = await import('../../flows/diagnosis/fixes.ts');
        await applyFix({fix, subject, machine}, quietRun(ports, controller.signal));
        subject = await asSaved(subject, ports);
        return FIXED;
      });
      await run();
      if (state.notice === FIXED) {
        const {notice: _, ...others} = state;
        state = others;
        change({});
      }
    },
    runIfSignInChanged: async () => {
      const before = state.verdict && signIns;
      if (before === undefined || (await signInsOf(subject, ports)) === before) return false;
      change({notice: 'Another run has signed in or out meanwhile, so everything is checked again.'});
      await run();
      return true;
    },
    save,
    trySave: path =>
      act(async () => {
        await save(path);
        return `The report is in ${path}. It contains no secrets.`;
      }),
    stop: () => controller.abort(cancelled()),
  };
};

/** Said of a fix until every check has ended. */
const FIXED = 'Done. Checking everything again.';

/** Returns the subject with its context as it is saved now: a fix, or another process, may have changed it. */
const asSaved = async (subject: Subject, {config}: Ports): Promise<Subject> => {
  const context = subject.context && sameContextIn(await config.read(), subject.context);
  return context ? {...subject, context} : subject;
};

/**
 * Returns the stored sign-ins of a deployment, of the person and of the assistants’ own account, as a text to be compared
 * with a later one. It contains secrets. Undefined if there is no saved deployment, or if they cannot be read.
 */
const signInsOf = async (subject: Subject, ports: Ports): Promise<string | undefined> => {
  if (!subject.context) return undefined;
  try {
    const {context = subject.context} = await asSaved(subject, ports);
    const stored = [context, asAssistants(context)].map(async one => {
      const {accessToken, clientSecret, refused} = (one && (await ports.credentials.get(one))) ?? {};
      return [one?.clientId, accessToken, clientSecret, refused !== undefined];
    });
    return JSON.stringify(await Promise.all(stored));
  } catch {
    return undefined;
  }
};

const listed = ({id, title, layer}: Check): DiagnosisState['checks'][number] => ({
  ...{id, title},
  ...(layer ? {layer} : {}),
});

/** A call that is over: its result, and the `curl` line that does the same. */
export type ShownCall = Pick<CallLine, 'call'> & {readonly answer: NonNullable<CallLine['answer']>};

const shownCall = (event: FlowEvent): ShownCall | undefined => {
  if (event.type !== 'call-answered' && event.type !== 'call-failed') return undefined;
  const {call, ms, curl} = event;
  const failed = event.type === 'call-failed' || event.status >= 400;
  return {
    call,
    answer: {result: event.type === 'call-failed' ? event.message : String(event.status), failed, ms, curl},
  };
};

/** Returns the outcomes that are known so far, in the order of the checks. */
export const outcomesIn = ({checks, outcomes}: DiagnosisState): readonly Outcome[] =>
  checks.flatMap(({id}) => outcomes[id] ?? []);
