import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import type {LiveStatus} from '../command-line/live-status.ts';
import {describeEntryState} from '../command-line/output/entry-state.ts';
import type {StatusState} from '../command-line/output/json-lines.ts';
import {withIsoTimes} from '../command-line/output/output.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import {pendingToJson, RESUME} from '../command-line/wizard/later-sign-in.ts';
import {type AssistantsAccount, asAssistants, type Context, currentContextIn} from '../domain/context.ts';
import {hasSecrets, type PendingCode, pendingIn, pendingKey} from '../domain/credentials.ts';
import {isAlive, type SignInState, signInState} from '../domain/sign-in-lifecycle.ts';
import {type EntryState, inspectContexts, inspectOrganisationEntries} from '../flows/assistants/inspect-entries.ts';
import {untilSignInEnds} from '../flows/sign-in/sign-in-end.ts';
import {SETUP} from '../setup-command.ts';
import type {Unfinished} from '../state/model.ts';
import {clientsSaved, deploymentName, purposeOf} from '../state/view/names.ts';
import {findOwnPaths, shortPath} from '../store/own-paths.ts';
import {duration} from '../text.ts';
import {version} from '../version.ts';

/** The version of the format of `--json`. An additional field does not change it. */
const SCHEMA_VERSION = 1;

/**
 * `setup status`: shows every context, or only the named one: who is signed in and for how long. It makes no calls,
 * except with `--live`: then it asks the named deployment, else the current one, whether it works and what the account
 * sees there. The exit code is 1 if nobody is signed in to it, and that of the failure if it does not work.
 */
export const runStatus: CommandHandler = async (invocation): Promise<number> => {
  const {flags, env, terminal} = invocation;
  const ports = portsOf(invocation);
  const config = await ports.config.read();
  const current = currentContextIn(config);
  const named = flags.context === undefined ? undefined : (await currentContext(ports, invocation)).context;
  const shown = named ? [named] : config.contexts;
  // Before the sign-in is read, because a refused token is renewed.
  const asked = flags.live && (named ?? current) ? await askPlatform(invocation) : undefined;
  const now = ports.clock.now();
  const apart = shown.flatMap(context => asAssistants(context) ?? []);
  const all = (await ports.credentials.getEach([...shown, ...apart, pendingKey])).map(found => {
    if (found.status === 'rejected') throw found.reason;
    return found.value;
  });
  const code = pendingIn(all.at(-1));
  const pending = code && code.until > now ? code : undefined;
  const stored = all.slice(0, shown.length);
  /** The sign-in of the assistants of a context. */
  const theirsOf = (name: string) => all[shown.length + apart.findIndex(one => one.name === name)];
  const about = {assistants: allAssistants, place: readPlace(env)};
  const [standings, byOrganisation] = await Promise.all([
    inspectContexts(shown, allAssistants, ports),
    inspectOrganisationEntries(shown, about, ports),
  ]);
  const rows = shown.map(({assistantsAccount, ...context}, index) => ({
    ...context,
    current: context.name === current?.name,
    ...signInState(stored[index], now),
    ...(stored[index]?.refused ? {refusedAt: stored[index].refused.at} : {}),
    ...(assistantsAccount
      ? {assistantsAccount: {...assistantsAccount, ...signInState(theirsOf(context.name), now)}}
      : {}),
    assistants: [...(standings[index] ?? []), ...(byOrganisation[index] ?? [])],
    ...(asked && context.name === (named ?? current)?.name ? {live: asked.live} : {}),
  }));
  const meant = rows.find(({name}) => name === (named ?? current)?.name);
  const begun = rows.length === 0 ? await unfinishedIn(invocation) : undefined;
  const clients = begun?.savedClients ? {savedClients: begun.savedClients} : {};
  const isKept = all.some(hasSecrets) || begun?.savedClients !== undefined;
  const secretsIn = isKept ? await ports.credentials.where() : null;
  const waits = pending && sayPending(pending, now);
  if (flags.json) {
    const waiting = pending ? {signInPending: pendingToJson(pending, now)} : {};
    terminal.stdout.writeJson({...documentOf(meant), ...waiting, ...clients, contexts: rows.map(toJson), secretsIn});
  } else if (rows.length === 0)
    terminal.stdout.tell(`Nothing is set up yet. ${[nextAfter(begun, waits), waits].filter(Boolean).join(' ')}\n`);
  else {
    const {home} = findOwnPaths(env);
    const where = secretsIn === 'file' ? shortPath(ports.credentials.path, home) : secretsIn;
    const waiting = waits === undefined ? '' : `\n${waits}\n`;
    const secrets = where === null ? '' : `\nSecrets are in ${where}.\n`;
    terminal.stdout.tell(
      `${rows.map(row => describe(row, now, row.live && asked ? asked.lines : [])).join('\n\n')}\n${waiting}${secrets}`,
    );
  }
  return asked?.exitCode ?? (meant !== undefined && isAlive(meant) ? 0 : 1);
};

/** Says how to finish a sign-in for which a person still has to type a code. */
const sayPending = ({userCode, verificationUri, until}: PendingCode, now: number): string =>
  `A sign-in is waiting: enter ${userCode} at ${verificationUri} within ${duration(until - now)}, then run ${RESUME}.`;

/** Asks the platform how it is, which most calls of this command do not need. */
const askPlatform = async (invocation: Invocation): Promise<LiveStatus> => {
  const {askLive} = await import('../command-line/live-status.ts');
  return askLive(invocation);
};

/** Returns the run that was left before its end, if it is worth continuing. */
const unfinishedIn = async (invocation: Invocation): Promise<Unfinished | undefined> => {
  const {createResumeStore, isWorthResuming} = await import('../state/resume-store.ts');
  const begun = await createResumeStore(portsOf(invocation).files, findOwnPaths(invocation.env).resume).read();
  return begun && isWorthResuming(begun) ? begun : undefined;
};

/**
 * Returns the next step if nothing is set up: to begin, or to continue a run that was left. Empty if a sign-in waits,
 * which comes first.
 */
const nextAfter = (begun: Unfinished | undefined, waits: string | undefined): string => {
  if (!begun) return waits === undefined ? `Run ${SETUP}.` : '';
  if (!begun.savedClients) return `To continue your unfinished setup, run ${SETUP}.`;
  return `${clientsSaved(begun.savedClients, 'is')} To continue, run ${SETUP}.`;
};

/** Returns the fields at the top of the JSON, by which a fleet is monitored: the state of the context in question. */
const documentOf = (row: Row | undefined) => {
  const head = {schemaVersion: SCHEMA_VERSION, version};
  if (!row) return {...head, context: null, state: 'not-set-up' satisfies StatusState, assistants: []};
  const {name, account, expiresAt, secondsLeft, renewable, signInEndsAt, reason, assistants} = row;
  const known = {account, expiresAt, secondsLeft, renewable, signInEndsAt, reason};
  const live = row.live ? {live: row.live} : {};
  return {...head, context: name, state: stateOf(row), ...known, ...live, assistants: assistants.map(withIsoTimes)};
};

const stateOf = (row: Row): StatusState => {
  if (isAlive(row)) return 'signed-in';
  return row.state === 'none' ? 'signed-out' : row.state === 'ended' ? 'ended' : 'expired';
};

const toJson = ({refusedAt: _, ...row}: Row) => ({...row, assistants: row.assistants.map(withIsoTimes)});

type Row = Omit<Context, 'assistantsAccount'> &
  SignInState & {
    /** The account of the assistants, if they have one, with its sign-in. */
    readonly assistantsAccount?: AssistantsAccount & SignInState;
    readonly current: boolean;
    readonly assistants: readonly EntryState[];
    readonly live?: LiveStatus['live'];
    /** When a renewal was refused, in milliseconds since the epoch. */
    readonly refusedAt?: number;
  };

const describe = (row: Row, now: number, lines: readonly string[]): string =>
  [
    `${row.name}${row.current ? ' (current)' : ''}: ${deploymentName(row.baseDomain, row.layout)}`,
    `  ${sentence(row, now)}`,
    ...lines.map(line => `  ${line}`),
    `  Control plane      ${row.controlPlaneUrl}`,
    `  Observer           ${row.observerUrl ?? 'none, so assistants cannot read logs, metrics or traces'}`,
    `  Identity provider  ${row.authUrl}`,
    ...(row.contact === undefined ? [] : [`  Contact            ${row.contact}`]),
    ...(row.assistantsAccount ? [`  Assistants act as  ${accountSentence(row.assistantsAccount, row)}`] : []),
    ...(row.onlyLook
      ? [
          `  Assistants are limited to reading through the bridge. To change that, run ${SETUP}${aboutOf(row)} and press l.`,
        ]
      : []),
    ...assistantLines(row, now),
  ].join('\n');

/** Says whether the assistants' own account is signed in. */
const accountSentence = ({clientId, purpose, ...signIn}: AssistantsAccount & SignInState, row: Row): string => {
  const who = `${clientId}${purpose === undefined ? '' : ` (${purposeOf[purpose]})`}`;
  if (!isAlive(signIn)) return `${who}, signed out. Run ${SETUP} login --as assistants${aboutOf(row)}.`;
  const {secondsLeft} = signIn;
  const left = secondsLeft === undefined ? '' : `, token valid for ${duration(secondsLeft * 1000)}`;
  return `${who}${left}${signIn.renewable ? ', renewed when needed' : ''}`;
};

/**
 * Returns one line for each assistant with the states of its entries, the worst first, each once; only that of the
 * organisation's entry, if there is one.
 */
const assistantLines = (row: Row, now: number): readonly string[] =>
  [...Map.groupBy(row.assistants, ({assistant}) => assistant)].map(([name, own]) => {
    const sorted = own.toSorted((one, other) => ranks.indexOf(one.state) - ranks.indexOf(other.state));
    const counting = sorted[0]?.state === 'given' ? sorted.slice(0, 1) : sorted;
    const signIn = row.assistantsAccount ?? row;
    const states = new Set(counting.map(entry => describeEntryState(entry, now, signIn, aboutOf(row))));
    return `  ${name.padEnd(18)} ${[...states].join('; ')}`;
  });

/**
 * The states by severity, the worst first. An organisation's entry comes before all others, because the assistant uses
 * it whatever the state of the person's own entry is.
 */
const ranks = [
  'given',
  'unreadable',
  'missing',
  'program-gone',
  'changed',
  'signed-out',
  'token',
  'kept',
  'own-sign-in',
] as const;

/** Returns the flag that directs a command to the context of a row; empty for the current one. */
const aboutOf = ({name, current}: Row): string => (current ? '' : ` --context ${name}`);

const sentence = (row: Row, now: number): string => {
  const {state, account, clientId, secondsLeft, renewable, mayBeTried, isUnclear, isUnanswered, failure} = row;
  const since = row.refusedAt === undefined ? 0 : now - row.refusedAt;
  const reason = since < 60_000 ? row.reason : `${duration(since)} ago: ${row.reason}`;
  const next = mayBeTried
    ? `Try once more: ${SETUP} token --renew --context ${row.name}.`
    : `Sign in again: ${SETUP} login${aboutOf(row)}.`;
  // The wizard is about the current context only.
  const signIn = row.current ? SETUP : `${SETUP} login${aboutOf(row)}`;
  const who = account ?? clientId;
  const why = reason === undefined ? '' : ` ${reason} ${next}`;
  const failed = failure === undefined ? '' : `. The last attempt to renew it failed: ${failure.replace(/\.$/, '')}`;
  const lost = isUnanswered ? '. The last attempt to renew it got no answer' : failed;
  const renewal = renewable
    ? `, renewed when needed${untilSignInEnds(row, now)}${lost}`
    : secondsLeft === undefined
      ? ''
      : `; the sign-in ${isUnclear ? 'probably ' : ''}ends then.${why}`;
  if (state === 'none') return `Not signed in. Run ${signIn}.`;
  if (state === 'ended' && mayBeTried) return `Your sign-in is no longer renewed automatically. ${reason} ${next}`;
  if (state === 'ended' && isUnclear) return `Your sign-in has probably ended. ${reason} ${next}`;
  if (state === 'ended') return `You are signed out. ${reason} Run ${signIn}.`;
  if (state === 'expired') {
    return renewable
      ? `Signed in as ${who}; the token has expired and is renewed when needed${untilSignInEnds(row, now)}${lost}`
      : `You are signed out. Run ${signIn}.`;
  }
  const left = secondsLeft === undefined ? 'expiry unknown' : `token valid for ${duration(secondsLeft * 1000)}`;
  return `Signed in as ${who}, ${left}${renewal}`;
};
