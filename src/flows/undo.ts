import {basename, dirname} from 'node:path';
import {formatOf} from '../assistants/formats/formats.ts';
import {type Config, type Context, currentContextIn, type GrantedRole} from '../domain/context.ts';
import {hasSecrets, keyOf, SIGNED_OUT} from '../domain/credentials.ts';
import {isSamePath, isWithin} from '../domain/paths.ts';
import {restoreTokens} from '../domain/token-spans.ts';
import {isUsedBy, signInsOf} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {parseJson} from '../json.ts';
import type {Ports} from '../ports/ports.ts';
import type {Confinement, JournalEntry} from '../ports/storage.ts';
import {type Edited, removeEntries} from './assistants/edit-entries.ts';
import {type AssistantPlaces, findMoved, otherPlacesOf} from './assistants/moved-entries.ts';
import {forgetProxyPasswords} from './deployment/context-network.ts';
import {whileNobodyWrites} from './entries-lock.ts';
import type {Flow, Run} from './flow.ts';
import {gitStatusOf, holdsIgnored, ignorePatternOf} from './git-repository.ts';
import {heldTokens} from './held-tokens.ts';
import {diffOf, digest, isAbsent, shownText} from './planned-file.ts';
import {
  type GrantedAgain,
  grantedIn,
  grantRoleAgain,
  rolePlace,
  type TakenRole,
  takeRoleBack,
} from './sign-in/give-up-account.ts';
import {unusedClients} from './sign-out.ts';

/**
 * The result of `undo` for a file. `edited`: somebody has changed the file since, so the entries were removed and the
 * rest stayed. `changed-since`: that was not possible, so the file was left alone. `kept`: the file was left alone
 * because another one was, or because a newer run has changed it as well.
 */
export type Undoable = {
  readonly path: string;
  readonly outcome: 'restored' | 'removed' | 'edited' | 'changed-since' | 'kept';
  /** The entries that stay in an edited file, because the person has made them their own. */
  readonly left?: readonly string[];
  /** True if somebody had put the file back before, or had removed the entries from an edited file. */
  readonly wasBack?: true;
  /** The changes since, for a file that is left alone; texts are hidden. */
  readonly diff?: string;
  /** Why the entries could not be removed from a file that is left alone, as a sentence. */
  readonly problem?: string;
  /** The assistants and contexts whose entries stay in a file that is left alone. */
  readonly entries?: readonly {readonly assistant: string; readonly context: string}[];
  /**
   * Why a file is kept. `knows-its-entries`, `keeps-it-out-of-git`: the other file stays, and needs the records or the
   * ignore lines in this one. `token-would-be-in-git`: a token would come back with this file, and the other file no
   * longer keeps it out of git. `would-keep-it-out-of-git`: this file would keep the other one out of git, which is not
   * put back. `newer-run`: a newer run has changed this file as well, and has to be reverted first.
   */
  readonly because?: {
    readonly path: string;
    readonly why:
      | 'knows-its-entries'
      | 'keeps-it-out-of-git'
      | 'token-would-be-in-git'
      | 'would-keep-it-out-of-git'
      | 'newer-run';
  };
};

export type Undone = {
  readonly files: readonly Undoable[];
  /** The roles of assistants' accounts that were taken back at their control planes, or could not be. */
  readonly roles: readonly TakenRole[];
  /** The roles that the restored accounts of assistants had, and that were granted again or could not be. */
  readonly granted: readonly GrantedAgain[];
  /** The contexts whose own sign-in is no longer known, and whose secrets were removed for that reason. */
  readonly signedOut: readonly string[];
  /** The contexts of which only the account of the assistants is no longer known. */
  readonly assistantsSignedOut: readonly string[];
  /**
   * Files whose entries contain an earlier token again, which may have expired, and the assistants that have them.
   * `isSignedOut`: a sign-out has removed that token.
   */
  readonly older: readonly {
    readonly path: string;
    readonly assistants: readonly string[];
    readonly isSignedOut?: true;
  }[];
};

/**
 * The writes of one start of the program, newest first; before them, those of later starts that belong to it, see
 * {@link undoableRuns}.
 */
export type JournalRun = {
  readonly id: string;
  readonly at: string;
  /** The command of this run, without its arguments, if known. */
  readonly command?: string;
  readonly entries: readonly JournalEntry[];
  /** The times of the sign-outs that belong to this run, in ISO 8601, the latest first. */
  readonly signOuts: readonly string[];
};

/**
 * Returns the runs that can be undone, the latest first. A later sign-in changes only what this program knows of an
 * existing deployment, and a sign-out only tokens that have ended. A person would not see that such a run was undone,
 * so it is part of the run before it.
 */
export const undoableRuns = async (ports: Ports): Promise<readonly JournalRun[]> => {
  const starts = [...Map.groupBy(await ports.journal.list(), ({run}) => run)].reverse();
  const runs: JournalRun[] = [];
  let later: readonly JournalEntry[] = [];
  let signOuts: readonly string[] = [];
  let after = await ports.config.read().then(deploymentsIn, () => undefined);
  for (const [index, [id, entries]] of starts.entries()) {
    const own = entries.find(entry => rankOf(entry, ports) === 2);
    const before = own ? await deploymentsBefore(own, ports) : after;
    const all = [...later, ...entries.toReversed()];
    const isSignIn = entries.every(entry => rankOf(entry, ports) === 2) && before !== undefined && before === after;
    const isSignOut = entries.every(entry => entry.isSignOut);
    const at = entries[0]?.at ?? '';
    const command = entries[0]?.command;
    if ((isSignIn || isSignOut) && index < starts.length - 1) {
      later = all;
      if (isSignOut) signOuts = [...signOuts, at];
    } else {
      runs.push({id, at, ...(command === undefined ? {} : {command}), entries: all, signOuts});
      later = [];
      signOuts = [];
    }
    after = before;
  }
  return runs;
};

/**
 * Returns what a person sees of the config: the deployments, their addresses, as whom the assistants act and whether they
 * may only look, what is connected, and which one is current.
 */
const deploymentsIn = (config: Config): string =>
  JSON.stringify([
    currentContextIn(config)?.name,
    config.contexts
      .map(({name, baseDomain, controlPlaneUrl, onlyLook, assistantsAccount, entries = []}) => [
        name,
        baseDomain,
        controlPlaneUrl,
        onlyLook === true,
        [assistantsAccount?.clientId, assistantsAccount?.purpose],
        entries.map(({assistant, path}) => [assistant, path]).sort(),
      ])
      .sort(),
  ]);

/** Returns that part of the config that a write replaced; undefined if it cannot be found out. */
const deploymentsBefore = async ({before}: JournalEntry, {journal}: Ports): Promise<string | undefined> => {
  if (before === null) return undefined;
  try {
    return deploymentsIn(parseJson((await journal.read(before)).toString()) as Config);
  } catch {
    return undefined;
  }
};

/**
 * Puts back what a run wrote, newest write first: files as they were, or none if there was none. A file that is no
 * longer as it was written is left alone and reported, unless it is already as it was before. Changes by a sign-out are
 * ignored. If an assistant's file was changed since and the run added entries to it, the entries are removed.
 * A file that a newer run has changed as well is left alone, even if it is as it was before: undoing the newer run may
 * bring back what this one wrote. While a file is left alone, the records of its entries and the lines that keep it out
 * of git stay as well. A file with a token and the line that keeps it out of git come back together. Secrets of
 * deployments that are not known afterwards are removed.
 *
 * @throws SetupError `local-nothing-to-undo`, `local-write-failed`
 */
export const undoWrites: Flow<Input, Undone> = ({which, where, portsFor}, run) =>
  whileNobodyWrites(run, async held => {
    const {ports} = held;
    const written = typeof which === 'object' ? await stillUndoable(which, ports) : await chosenRun(which, ports);
    return undo(written, {where, portsFor}, held);
  });

type Input = {
  /** A run, or its number, 1 for the latest, or all of them. */
  readonly which: number | 'all' | JournalRun;
  /** Where assistants look for their files. If it is given, a file is put back where its assistant has moved it. */
  readonly where?: AssistantPlaces;
  /** Returns the ports that reach a context, through its proxy and with its authority; by default those of the run. */
  readonly portsFor?: ((context: Context) => Promise<Ports>) | undefined;
};

/** Returns what is left of a run that was looked up earlier: another process may have undone it since. */
const stillUndoable = async (run: JournalRun, ports: Ports): Promise<JournalRun> => {
  const known = new Set((await ports.journal.list()).map(({id}) => id));
  const entries = run.entries.filter(({id}) => known.has(id));
  if (entries.length > 0) return {...run, entries};
  if (known.size === 0) throw await nothingToUndo(ports);
  throw new SetupError('local-nothing-to-undo', 'Another run has reverted this in the meantime.', {
    remedy: phrase`See what else can be reverted: ${setup('undo', '--list')}.`,
  });
};

const nothingToUndo = async ({config, journal}: Ports): Promise<SetupError> => {
  const [first, ...more] = await journal.damaged();
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    return new SetupError('local-nothing-to-undo', `Nothing can be reverted: ${first}${others} cannot be read.`, {
      about: {path: first},
    });
  }
  const {contexts} = await config.read();
  const remedy = contexts.length === 0 ? {remedy: phrase`Nothing is set up. To start, run ${setup()}.`} : {};
  return new SetupError('local-nothing-to-undo', 'There is nothing to revert.', remedy);
};

/**
 * Returns the run for a number, 1 for the latest, or for `all`: all of them as one, which goes back to before the
 * first.
 *
 * @throws SetupError `local-nothing-to-undo`
 */
export const chosenRun = async (which: number | 'all', ports: Ports): Promise<JournalRun> => {
  const runs = await undoableRuns(ports);
  const [latest] = runs;
  if (!latest) throw await nothingToUndo(ports);
  if (which === 'all') {
    const [entries, signOuts] = [runs.flatMap(one => one.entries), runs.flatMap(one => one.signOuts)];
    return {...latest, entries, signOuts};
  }
  const run = runs[which - 1];
  if (run) return run;
  const remedy = phrase`See ${setup('undo', '--list')}.`;
  throw new SetupError(
    'local-nothing-to-undo',
    `There is no run ${which}. Runs that can be reverted: ${runs.length}.`,
    {remedy},
  );
};

const undo = async (
  run: JournalRun,
  {where, portsFor}: Pick<Input, 'portsFor'> & {readonly where: AssistantPlaces | undefined},
  {ports, tell, signal}: Run,
): Promise<Undone> => {
  const {contexts: before} = await ports.config.read();
  const contexts = where ? await findMoved(before, where, ports) : before;
  // Read before anything is put back: the tokens of a deployment are removed together with the deployment.
  const tokenOf = await heldTokens(before, ports);
  const results = new Map<string, Undoable>();
  const left: JournalEntry[] = [];
  const made: JournalEntry[] = [];
  const isToBeEdited = where ? await editedIn({run, contexts, tokenOf}, ports) : () => false;
  const isOvertaken = await overtakenIn(run, ports);
  for (const written of entriesInOrder(run, ports)) {
    const entry = where ? await whereMoved(written, {...where, contexts}, ports) : written;
    const known = results.get(entry.path)?.outcome;
    if (known === 'changed-since' || known === 'kept') continue;
    if (isOvertaken(written.path)) {
      results.set(entry.path, {path: entry.path, outcome: 'kept', because: {path: entry.path, why: 'newer-run'}});
      if (rankOf(entry, ports) === 0) left.push(entry);
      continue;
    }
    if (where && isToBeEdited(entry.path)) {
      const found = results.get(entry.path) ?? (await takeOut(entry, {contexts, tokenOf, ...where}, ports));
      // The first of its writes decides last: what the file was before that one is what an undo leads to.
      const isBack = found.wasBack && (await stateOf(entry, {contexts, tokenOf}, ports)).state === 'back';
      const result = found.wasBack ? {...found, outcome: isBack ? ('restored' as const) : ('edited' as const)} : found;
      if (!results.has(entry.path) && result.outcome === 'edited' && !result.wasBack)
        tell({type: 'file-written', path: entry.path, change: 'changed'});
      results.set(entry.path, result);
      if (result.outcome === 'changed-since') left.push(entry);
      else if (isFirstWrite(entry, run)) made.push(entry);
      else await ports.journal.forget(entry);
      continue;
    }
    const undoing = {run, results, contexts, tokenOf};
    const because =
      neededBy(entry, left, ports) ??
      (await wouldBeInGit(entry, undoing, ports)) ??
      (await wouldHide(entry, undoing, ports));
    const result = because
      ? ({path: entry.path, outcome: 'kept', because} as const)
      : await putBack(entry, undoing, ports);
    results.set(entry.path, withEarlier(result, results.get(entry.path)));
    if (result.outcome === 'changed-since') {
      // If there is no file, there are no entries in it to know.
      if (rankOf(entry, ports) === 0 && (await ports.files.exists(entry.path))) left.push(entry);
      continue;
    }
    if (result.outcome === 'kept') continue;
    tell({type: 'file-written', path: entry.path, change: 'changed'});
    if (isFirstWrite(entry, run)) made.push(entry);
    else await ports.journal.forget(entry);
  }
  for (const path of run.entries.filter(({directories = []}) => directories.length > 0).map(writtenAs)) {
    // The process that held the lock may have been killed: then the lock is removed when it is released here.
    if (await ports.files.isLocked(path)) await ports.files.withLock(path, async () => {});
  }
  // At the end, because a file that keeps another one out of git is beside it.
  for (const {directories = [], root} of run.entries) {
    await ports.files.removeEmpty(directories, root === undefined ? undefined : {root});
  }
  // Only now: if the process is killed before, the journal still knows the directories.
  for (const entry of made) await ports.journal.forget(entry);
  const files = [...results.values()];
  // Before the secrets go: the person's own sign-in takes the roles back.
  const restored = await restoreRoles({before, portsFor}, {ports, tell, signal});
  const gone = await forgetSecrets(before, ports);
  return {files, ...restored, ...gone, older: await olderTokens(files, ports)};
};

/** Returns a test for paths. It is true for a file that a newer run has changed as well, other than by a sign-out. */
const overtakenIn = async ({entries}: JournalRun, {journal}: Ports): Promise<(path: string) => boolean> => {
  const own = new Set(entries.map(({id}) => id));
  // The oldest first.
  const all = await journal.list();
  return path => {
    const writes = all.filter(one => isSamePath(one.path, path) && (own.has(one.id) || !one.isSignOut));
    const latest = writes.at(-1);
    return latest !== undefined && !own.has(latest.id);
  };
};

/** Returns the files of a run that a newer run has changed as well. Undoing the run leaves them alone. */
export const overtakenBy = async (run: JournalRun, ports: Ports): Promise<readonly string[]> => {
  const isOvertaken = await overtakenIn(run, ports);
  return [...new Set(run.entries.map(({path}) => path))].filter(isOvertaken);
};

/**
 * Takes back the roles that this program granted to accounts of assistants and that are no longer known. An account that
 * had another role before gets it again.
 */
const restoreRoles = async (
  {before, portsFor}: Pick<Input, 'portsFor'> & {readonly before: readonly Context[]},
  run: Run,
): Promise<Pick<Undone, 'roles' | 'granted'>> => {
  const {contexts: after} = await run.ports.config.read();
  const roles: TakenRole[] = [];
  const granted: GrantedAgain[] = [];
  for (const context of before) {
    if (!goingRole(context, after)) continue;
    const own = {...run, ports: (await portsFor?.(context)) ?? run.ports};
    const taken = await takeRoleBack(context, own);
    if (taken) roles.push(taken);
    const kept = after.find(({name}) => name === context.name);
    const again = kept && (await grantRoleAgain(kept, own));
    if (again) granted.push(again);
  }
  return {roles, granted};
};

/**
 * Returns the result of a file whose earlier writes are undone as well: if this undo put it back itself, it was not
 * back before.
 */
const withEarlier = ({wasBack, ...result}: Undoable, before: Undoable | undefined): Undoable =>
  wasBack && (before === undefined || before.wasBack) ? {...result, wasBack} : result;

/** Removes the entries from a file that was changed since; a file that cannot be parsed is left alone. */
const takeOut = async (
  entry: JournalEntry,
  known: Known & Pick<AssistantPlaces, 'assistants'>,
  ports: Ports,
): Promise<Undoable> => {
  const {path} = entry;
  try {
    const {isChanged, left} = await takeOutAdded(writtenAs(entry), known, ports);
    if (left.length > 0) return {path, outcome: 'edited', left};
    return {path, outcome: 'edited', ...(isChanged ? {} : {wasBack: true})};
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'local-file-invalid') throw error;
    const {old, found} = await stateOf(entry, known, ports);
    const diff = await difference(path, old?.bytes, found?.bytes);
    const entries = entriesAt(writtenAs(entry), known.contexts);
    return {path, outcome: 'changed-since', diff, entries, problem: error.message};
  }
};

/**
 * Removes the entries of known contexts from one file of an assistant, as `mcp disconnect` does; everything else in it
 * stays. The journal records nothing, because an undo is not to be undone itself.
 */
const takeOutAdded = async (
  path: string,
  {contexts, assistants}: Pick<Known, 'contexts'> & Pick<AssistantPlaces, 'assistants'>,
  ports: Ports,
): Promise<Edited> => {
  const {files} = ports;
  const unrecorded: Ports = {
    ...ports,
    files: {
      ...files,
      write: (target, bytes, options) => files.write(target, bytes, {...options, journal: false}),
      remove: (target, options) => files.remove(target, {...options, journal: false}),
    },
  };
  let isChanged = false;
  const left: string[] = [];
  for (const context of contexts) {
    for (const entry of (context.entries ?? []).filter(one => isSamePath(one.path, path))) {
      const assistant = assistants.find(({id}) => id === entry.assistant);
      if (!assistant) continue;
      const edited = await removeEntries({...entry, assistant, context}, unrecorded);
      isChanged ||= edited.isChanged;
      left.push(...edited.left);
    }
  }
  return {isChanged, left};
};

/**
 * Returns a test for paths. It is true for a file of an assistant that somebody has changed between the writes of a run
 * or since, if the run only added entries to it. Such a file cannot be put back to the byte, but the entries can be
 * removed again.
 */
const editedIn = async (
  {run, ...known}: Known & {readonly run: JournalRun},
  ports: Ports,
): Promise<(path: string) => boolean> => {
  const oldest = run.entries.findLast(entry => rankOf(entry, ports) === 2);
  if (!oldest) return () => false;
  const before = oldest.before === null ? [] : await contextsIn(oldest.before, ports).catch(() => undefined);
  if (!before) return () => false;
  const edited: string[] = [];
  const groups = Map.groupBy(
    run.entries.filter(entry => rankOf(entry, ports) === 0),
    ({path}) => path,
  );
  for (const [path, writes] of groups) {
    const names = new Set(writes.map(writtenAs));
    const isOfCli = [...before, ...known.contexts].some(({cli}) => cli && names.has(cli.path));
    const hadEntries = [...names].some(name => entriesAt(name, before).length > 0);
    if (isOfCli || hadEntries || !(await ports.files.exists(path))) continue;
    if (!(await isUnbroken(path, writes, known, ports))) edited.push(path);
  }
  return path => edited.some(one => isSamePath(one, path));
};

/**
 * Whether each of these writes, newest first, found what the one before it had written, and the last one is still in
 * place.
 */
const isUnbroken = async (
  path: string,
  writes: readonly JournalEntry[],
  {tokenOf}: Known,
  ports: Ports,
): Promise<boolean> => {
  const found = (await ports.files.read(path))?.bytes;
  let present = digest(found && !isAbsent(found) ? found : null);
  for (const {before, after, signedOut, isSignOut} of writes) {
    const old = before && restoreTokens(await ports.journal.read(before), before.cuts ?? [], tokenOf);
    const former = digest(old && !isAbsent(old) ? old : null);
    // The copy does not have what a sign-out has removed.
    if (isSignOut && present === after) continue;
    if (present !== former && present !== after && !(present !== null && present === signedOut)) return false;
    present = former;
  }
  return true;
};

/** Returns the restored files in which known entries contain a token themselves. */
const olderTokens = async (files: readonly Undoable[], ports: Ports): Promise<Undone['older']> => {
  const {contexts} = await ports.config.read();
  const holding = contexts.flatMap(({entries = []}) => entries).filter(({method}) => method === 'header');
  const found = await Promise.all(
    files.map(async ({path, outcome}) => {
      const own = holding.filter(entry => isSamePath(entry.path, path)).map(({assistant}) => assistant);
      if (outcome !== 'restored' || own.length === 0) return [];
      const text = (await ports.files.read(path))?.bytes.toString('latin1') ?? '';
      const signedOut = text.includes(SIGNED_OUT) ? {isSignedOut: true as const} : {};
      return [{path, assistants: [...new Set(own)], ...signedOut}];
    }),
  );
  return found.flat();
};

/**
 * Returns a write with the place to which an assistant has moved the file since, if there is one: the file there has
 * the contents that were written, or entries of ours are recorded for it.
 */
const whereMoved = async (
  entry: JournalEntry,
  {assistants, place, contexts}: AssistantPlaces & Pick<Known, 'contexts'>,
  ports: Ports,
): Promise<JournalEntry> => {
  const {link: _, ...written} = entry;
  const {after, signedOut, root} = entry;
  const isHere = rankOf(entry, ports) > 0 || after === null || (await ports.files.exists(entry.path));
  if (isHere) return entry;
  const project = root ?? place.project;
  for (const path of await otherPlacesOf(writtenAs(entry), {assistants, place: {...place, project}})) {
    const found = (await ports.files.read(path).catch(() => undefined))?.bytes;
    if (!found) continue;
    const now = digest(found);
    const isSame = now !== null && (now === after || now === signedOut);
    if (isSame || entriesAt(path, contexts).length > 0) return {...written, path: await ports.files.targetOf(path)};
  }
  return entry;
};

/** Whether a write created a file with directories of its own, and its run had not written there before. */
const isFirstWrite = ({id, path, before, directories = []}: JournalEntry, {entries}: JournalRun): boolean =>
  before === null && directories.length > 0 && entries.findLast(one => one.path === path)?.id === id;

/**
 * Returns the writes in the order of the undo: the latest first, so that a line that keeps a token out of git comes
 * back before the token, and goes after it. The config comes last, because its records decide about the other files.
 */
const entriesInOrder = ({entries}: JournalRun, ports: Ports): readonly JournalEntry[] => {
  const isKnowledge = (entry: JournalEntry) => rankOf(entry, ports) === 2;
  return entries.toSorted((one, other) => Number(isKnowledge(one)) - Number(isKnowledge(other)));
};

const rankOf = (entry: JournalEntry, {config}: Ports): 0 | 1 | 2 => {
  if (isSamePath(writtenAs(entry), config.path)) return 2;
  return basename(entry.path) === '.gitignore' ? 1 : 0;
};

const writtenAs = ({path, link}: JournalEntry): string => link ?? path;

const neededBy = (entry: JournalEntry, left: readonly JournalEntry[], ports: Ports): Undoable['because'] => {
  const rank = rankOf(entry, ports);
  const isNeeded = (one: JournalEntry) => rank === 2 || isWithin(one.path, dirname(entry.path));
  const found = rank === 0 ? undefined : left.find(isNeeded);
  return found && {path: found.path, why: rank === 2 ? 'knows-its-entries' : 'keeps-it-out-of-git'};
};

type Undoing = Known & {
  readonly run: JournalRun;
  /** The results of the files so far. */
  readonly results: ReadonlyMap<string, Undoable>;
};

/**
 * Returns the ignore file that should have come back before a token and could not, if git would commit the token
 * without it.
 */
const wouldBeInGit = async (
  entry: JournalEntry,
  {run, results, ...known}: Undoing,
  ports: Ports,
): Promise<Undoable['because']> => {
  const {path, before} = entry;
  const holdsToken = before?.cuts?.some(({token}) => known.tokenOf(token) !== undefined);
  if (rankOf(entry, ports) !== 0 || !holdsToken) return undefined;
  const isLeft = (one: JournalEntry) => ['changed-since', 'kept'].includes(results.get(one.path)?.outcome ?? '');
  const ignore = run.entries.find(one => rankOf(one, ports) === 1 && isWithin(path, dirname(one.path)) && isLeft(one));
  if (!ignore || (await stateOf(entry, known, ports)).state !== 'written') return undefined;
  // An undo that has begun is not stopped halfway.
  const {standing} = await gitStatusOf(path, ports, new AbortController().signal);
  return standing === 'outside' || standing === 'ignored'
    ? undefined
    : {path: ignore.path, why: 'token-would-be-in-git'};
};

/**
 * Returns a file that an ignore file would keep out of git again, and that undo leaves alone because it is the person's
 * by now.
 */
const wouldHide = async (
  entry: JournalEntry,
  {run, results, ...known}: Undoing,
  ports: Ports,
): Promise<Undoable['because']> => {
  if (rankOf(entry, ports) !== 1 || !entry.before) return undefined;
  const old = await ports.journal.read(entry.before);
  const now = (await ports.files.read(entry.path))?.bytes ?? NONE;
  const root = dirname(entry.path);
  for (const [path, [latest]] of Map.groupBy(run.entries, one => one.path)) {
    const pattern = isWithin(path, root) ? ignorePatternOf(path, root) : undefined;
    const isAdded = pattern !== undefined && holdsIgnored(old, pattern) && !holdsIgnored(now, pattern);
    if (!latest || !isAdded || results.has(path)) continue;
    const {state, found} = await stateOf(latest, known, ports);
    if (state === 'changed-since' && found) return {path, why: 'would-keep-it-out-of-git'};
  }
  return undefined;
};

type Known = {
  readonly contexts: readonly Context[];
  /** Returns the token that has this SHA-256, if it is still held. */
  readonly tokenOf: (digest: string) => string | undefined;
};

/**
 * Returns the present state of a written file: as it was before, as it was written or as a sign-out left it, or
 * otherwise.
 */
const stateOf = async (entry: JournalEntry, {tokenOf}: Known, ports: Ports) => {
  const {path, before, after, signedOut, root} = entry;
  const within = root === undefined ? undefined : {root};
  // A link that was made since leads to a file that this program never wrote.
  if (within && (await leadsOutside(path, within, ports))) return {state: 'link'} as const;
  // The tokens that a sign-out removed no longer exist: the file stays as the sign-out left it.
  if (entry.isSignOut && before?.cuts?.some(({token}) => tokenOf(token) === undefined))
    return {state: 'ended'} as const;
  const found = await ports.files.read(path);
  const old = before && {mode: before.mode, bytes: await ports.journal.read(before)};
  // Our tokens are put back, unless their sign-in is gone: then the entry is put back signed out.
  const copy = old && restoreTokens(old.bytes, before.cuts ?? [], tokenOf);
  // An empty file of an assistant counts as no file, as it does when entries are written and removed.
  const bytes = rankOf(entry, ports) === 0 && isAbsent(copy) ? undefined : (copy ?? undefined);
  // True if somebody has put the file back by hand.
  const isBack = found && !isAbsent(found.bytes) ? bytes?.equals(found.bytes) : !bytes;
  const present = digest(found?.bytes ?? null);
  const isWritten = present === after || (present !== null && present === signedOut);
  const state = isBack ? 'back' : isWritten ? 'written' : 'changed-since';
  return {state, found, old, bytes, within} as const;
};

const putBack = async (entry: JournalEntry, known: Known, ports: Ports): Promise<Undoable> => {
  const {path} = entry;
  const {state, found, old, bytes, within} = await stateOf(entry, known, ports);
  if (state === 'link') return {path, outcome: 'changed-since', entries: []};
  if (state === 'ended') return {path, outcome: 'restored'};
  if (found && !bytes && isAbsent(found.bytes)) await ports.files.remove(path);
  if (state === 'back') {
    const isRemovedNow = found !== undefined && !bytes;
    return {path, outcome: bytes ? 'restored' : 'removed', ...(isRemovedNow ? {} : {wasBack: true})};
  }
  if (state === 'changed-since') {
    const diff = await difference(path, old?.bytes, found?.bytes);
    return {path, outcome: 'changed-since', diff, entries: found ? entriesAt(writtenAs(entry), known.contexts) : []};
  }
  if (!old || !bytes) {
    await ports.files.remove(path, {within});
    return {path, outcome: 'removed'};
  }
  const options = {mode: old.mode, tighten: true, journal: false, expected: found?.bytes ?? null, within};
  await ports.files.write(path, bytes, options);
  return {path, outcome: 'restored'};
};

const leadsOutside = (path: string, within: Confinement, {files}: Ports): Promise<boolean> =>
  files.targetOf(path, within).then(
    target => !isSamePath(target, path),
    () => true,
  );

const entriesAt = (path: string, contexts: readonly Context[]): NonNullable<Undoable['entries']> =>
  contexts.flatMap(({name, entries = []}) =>
    entries.flatMap(one => (isSamePath(one.path, path) ? {assistant: one.assistant, context: name} : [])),
  );

const NONE: Buffer = Buffer.alloc(0);

const difference = async (path: string, old = NONE, now = NONE): Promise<string> => {
  const format = formatOf(path);
  return diffOf(await shownText(format, now), await shownText(format, old));
};

/**
 * Returns the files that were empty before a run wrote to them. An empty file counts as no file, as it does when
 * entries are written and removed, so undoing the run removes it.
 */
export const emptyBefore = async (
  {entries}: JournalRun,
  {journal}: Pick<Ports, 'journal'>,
): Promise<readonly string[]> => {
  const oldest = [...Map.groupBy(entries, ({path}) => path).values()].flatMap(own => own.at(-1) ?? []);
  const found = await Promise.all(
    oldest.map(async ({path, before}) => {
      if (before === null) return [];
      const bytes = await journal.read(before).catch(() => undefined);
      return bytes?.length === 0 ? [path] : [];
    }),
  );
  return found.flat();
};

/**
 * Returns the files from which undoing a run would only remove the entries, because somebody has changed them since.
 */
export const editedBy = async (run: JournalRun, where: AssistantPlaces, ports: Ports): Promise<readonly string[]> => {
  const saved = (await ports.config.read()).contexts;
  const contexts = await findMoved(saved, where, ports);
  const isEdited = await editedIn({run, contexts, tokenOf: await heldTokens(saved, ports)}, ports);
  return [...new Set(run.entries.map(({path}) => path))].filter(isEdited);
};

/**
 * Returns the files that undoing these writes would change: each is as the latest of them left it, and was not so before
 * the first one.
 *
 * @param entries the newest first
 */
export const revertible = async (entries: readonly JournalEntry[], ports: Ports): Promise<readonly string[]> => {
  const known: Known = {contexts: [], tokenOf: await heldTokens((await ports.config.read()).contexts, ports)};
  const found = await Promise.all(
    [...Map.groupBy(entries, ({path}) => path).values()].map(async own => {
      const [latest, first] = [own[0], own.at(-1)];
      if (!latest || !first || (await stateOf(first, known, ports)).state === 'back') return [];
      return (await stateOf(latest, known, ports)).state === 'written' ? [writtenAs(latest)] : [];
    }),
  );
  return found.flat();
};

/** Returns the contexts that would be known if a run were undone; the present ones if it has not changed them. */
const contextsAfter = async (
  run: JournalRun,
  contexts: readonly Context[],
  ports: Ports,
): Promise<readonly Context[]> => {
  const oldest = run.entries.findLast(entry => rankOf(entry, ports) === 2);
  if (!oldest || (await overtakenIn(run, ports))(oldest.path)) return contexts;
  return oldest.before === null ? [] : contextsIn(oldest.before, ports).catch(() => contexts);
};

/** Returns the roles of assistants' accounts that undoing a run would take back. */
export const rolesTakenBy = async (run: JournalRun, ports: Ports): Promise<readonly TakenRole[]> => {
  const {contexts} = await ports.config.read();
  const after = await contextsAfter(run, contexts, ports);
  return contexts.flatMap(context => {
    const going = goingRole(context, after);
    return going ? [rolePlace(context, going)] : [];
  });
};

/** Returns the role that was granted to a context's assistants, unless the context keeps it. */
const goingRole = (context: Context, after: readonly Context[]): GrantedRole | undefined => {
  const granted = grantedIn(context);
  const kept = after.find(({name}) => name === context.name);
  const isKept = kept && grantedIn(kept)?.bindings.join() === granted?.bindings.join();
  return isKept ? undefined : granted;
};

/** A context, and which of its sign-ins are no longer known. */
export type Leaving = {readonly context: Context; readonly isOwn: boolean; readonly isOfAssistants: boolean};

/**
 * Returns what is lost if a run is reverted: the sign-ins that end, and the secrets of clients that no context uses. The
 * latter go with the last context and the last run, as every file of this program does.
 */
export const lostBy = async (
  run: JournalRun,
  ports: Ports,
): Promise<{readonly signedOut: readonly Leaving[]; readonly clients: readonly string[]}> => {
  const {contexts} = await ports.config.read();
  const after = await contextsAfter(run, contexts, ports);
  const leaving = await Promise.all(contexts.map(context => leavingOf(context, after, ports)));
  const signedOut = leaving.filter(({isOwn, isOfAssistants}) => isOwn || isOfAssistants);
  if (after.length > 0) return {signedOut, clients: []};
  const handled = new Set(run.entries.map(({id}) => id));
  const isLast = (await undoableRuns(ports)).every(({entries}) => entries.some(({id}) => handled.has(id)));
  return {signedOut, clients: isLast ? await unusedClients(contexts, ports) : []};
};

const leavingOf = async (context: Context, after: readonly Context[], {credentials}: Ports): Promise<Leaving> => {
  const gone = signInsOf(context).filter(one => !isUsedBy(one, after));
  // Undo also removes secrets that cannot be read, so a context with such secrets is signed out too.
  const hadSecrets = await Promise.all(gone.map(one => credentials.get(one).then(hasSecrets, () => true)));
  const ended = gone.filter((_, index) => hadSecrets[index]);
  return {
    context,
    isOwn: ended.some(({actsAs}) => actsAs === undefined),
    isOfAssistants: ended.some(({actsAs}) => actsAs !== undefined),
  };
};

const contextsIn = async (
  contents: NonNullable<JournalEntry['before']>,
  {journal}: Ports,
): Promise<readonly Context[]> => (parseJson((await journal.read(contents)).toString()) as Config).contexts;

/** Removes the secrets of sign-ins that are no longer known, and returns the names of the contexts that had any. */
const forgetSecrets = async (
  before: readonly Context[],
  ports: Ports,
): Promise<Pick<Undone, 'signedOut' | 'assistantsSignedOut'>> => {
  const {config, credentials} = ports;
  const {contexts: after} = await config.read();
  const leaving = await Promise.all(before.map(context => leavingOf(context, after, ports)));
  // Secrets that cannot be read can still be removed.
  for (const one of before.flatMap(signInsOf)) {
    if (!isUsedBy(one, after)) await credentials.replace(keyOf(one), undefined);
  }
  for (const context of before) await forgetProxyPasswords(context, after, credentials);
  return {
    signedOut: leaving.flatMap(({context, isOwn}) => (isOwn ? context.name : [])),
    assistantsSignedOut: leaving.flatMap(({context, isOwn, isOfAssistants}) =>
      isOfAssistants && !isOwn ? context.name : [],
    ),
  };
};
