import type {Context, ContextEntry} from '../../domain/context.ts';
import {isOfWindows, isSamePath} from '../../domain/paths.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow, Run, Tell} from '../flow.ts';
import {gitStatusOf} from '../git-repository.ts';
import {readPlanned, type WritableFile, writePlanned} from '../planned-file.ts';
import {confinementOf} from '../project-files.ts';
import {type SignInToKeep, storeSignIn} from '../sign-in/save-sign-in.ts';
import {releaseIgnored} from './ignore-lines.ts';
import {type Plan, recordsIn, refuseForgotten} from './plan-files.ts';

/**
 * How long a copy stays that no entry names any more, in milliseconds: a bridge that was started from it may still run.
 */
const GRACE = 24 * 60 * 60 * 1000;

/**
 * Removes the copies of this program that no entry has named for a day. A file that cannot be read may name any of
 * them, and a copy that cannot be removed is tried again the next time: neither is a failure for the person.
 */
export const removeUnusedCopies = async ({copies, config, files, clock}: Ports): Promise<void> => {
  try {
    const all = await copies.list();
    if (all.length === 0) return;
    const {contexts} = await config.read();
    const paths = new Set(contexts.flatMap(({entries = []}) => entries.map(({path}) => path)));
    const contents = await Promise.all([...paths].map(path => files.read(path)));
    const texts = contents.map(one => one?.bytes.toString('utf8') ?? '');
    for (const {directory, unusedSince} of all) {
      const isNamed = texts.some(text => names(text, directory));
      if (isNamed && unusedSince !== undefined) await copies.note(directory, undefined);
      if (isNamed) continue;
      if (unusedSince === undefined) await copies.note(directory, clock.now());
      else if (clock.now() - unusedSince >= GRACE) await copies.remove(directory);
    }
  } catch {}
};

/** Whether a text names a directory, quoted as in JSON and TOML, or as it is. */
const names = (text: string, directory: string): boolean => {
  // On Windows, a person may have written it with other capitals.
  const fold = isOfWindows(directory) ? (one: string) => one.toLowerCase() : (one: string) => one;
  const escaped = JSON.stringify(directory).slice(1, -1);
  return [directory, escaped].some(one => fold(text).includes(fold(one)));
};

export type Written = {
  /** The files with entries of ours. */
  readonly paths: readonly string[];
  /** The removed entries whose line in an ignore file was removed, with the path of that file. */
  readonly released?: readonly {readonly entry: ContextEntry; readonly path: string}[];
};

type Input = {
  readonly plan: Plan;
  /** The name of the context that records the entries. */
  readonly context: string;
  /** The sign-in to store as well; absent if it is already stored. */
  readonly signIn?: SignInToKeep;
};

/**
 * Writes what was planned, to the byte. First the program that entries start and the credentials, so that no entry ever
 * names a sign-in that is not stored; then the context with the records of its entries; then what keeps files out of
 * git; then the files of assistants. A file that differs from what the plan saw is left alone. A signal that aborts
 * before the first change prevents all of them; later it prevents none, so that nothing is left half done.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeFiles: Flow<Input, Written> = (input, run) => whileNobodyWrites(run, held => write(input, held));

const write: Flow<Input, Written> = async (input, run) => {
  const {ports, tell} = run;
  const {plan, context} = input;
  const writable = plan.files.flatMap(file => (file.write ? [{...file, write: file.write}] : []));
  for (const file of writable) await readPlanned(file, ports);

  const {contexts} = await ports.config.read();
  if (!input.signIn) refuseForgotten(context, contexts, ports);
  refuseOutdated(plan, contexts);
  const known = contexts.find(({name}) => name === (input.signIn?.context.name ?? context))?.entries ?? [];
  run.signal.throwIfAborted();
  // Nothing below waits for a network or a person, and a second signal ends the process.
  const {signal} = new AbortController();
  // First, so that no entry names a program that does not exist.
  if (plan.copy) await makeCopy(plan, ports, tell);
  // An entry is recorded until it is gone from its file: a killed process leaves no entry without a record.
  const soFar = (entries: readonly ContextEntry[]) => [...withEntries(entries, plan), ...leavingIn(entries, plan)];
  if (input.signIn) await saveContext(input.signIn, {plan, entries: soFar}, ports, tell);
  else await ports.config.saveEntries(context, soFar);
  const ignoreFiles = writable.filter(({write}) => write.isIgnoreFile);
  const assistants = writable.filter(({write}) => !write.isIgnoreFile);
  const left = new Set(assistants);
  const leaving = new Set(plan.leaving);
  // A line keeps a file out of git for as long as a token is in it, and no longer.
  const released: {readonly entry: ContextEntry; readonly path: string}[] = [];
  const release = async (isGone: (entry: ContextEntry) => boolean) => {
    for (const entry of [...leaving].filter(isGone)) {
      const gone = (plan.leaving ?? []).filter(one => !leaving.has(one));
      const path = await releaseIgnored(entry, {context, gone}, ports);
      await removeDirectories(entry, ports);
      leaving.delete(entry);
      if (path === undefined) continue;
      released.push({entry, path});
      tell({type: 'file-written', path, change: changeOf(path, plan)});
    }
  };
  try {
    await writeIgnoreFiles(ignoreFiles, assistants, {ports, tell, signal});
    for (const file of assistants) {
      await writeFile(file, ports, tell);
      left.delete(file);
      await release(({path}) => isSamePath(path, file.path));
    }
    await release(() => true);
  } catch (error) {
    throw await halfWritten(error, {assistants, left, leaving, context, known, plan}, ports);
  }
  if (leavingIn(known, plan).length > 0) {
    await ports.config.saveEntries(context, entries => withEntries(entries, plan));
  }
  await removeUnusedCopies(ports);
  return {
    paths: assistants.flatMap(({path}) => (plan.entries.some(one => isSamePath(one.path, path)) ? [path] : [])),
    ...(released.length > 0 ? {released} : {}),
  };
};

/**
 * Removes the directories that were created for a file, if they are empty. If a killed process has left a lock beside
 * a file that is gone, the lock goes first.
 */
const removeDirectories = async (entry: ContextEntry, {files}: Ports): Promise<void> => {
  const {path, directories = []} = entry;
  const within = confinementOf(entry);
  if (!(await files.exists(path)) && (await files.isLocked(path))) await files.withLock(path, async () => {}, {within});
  await files.removeEmpty(directories, within);
};

/**
 * Writes the ignore files, and asks git whether they keep the planned files out: other rules of the repository may
 * override them. If a file is not kept out, restores the ignore files.
 *
 * @throws SetupError `local-token-in-git`
 */
const writeIgnoreFiles = async (
  ignoreFiles: readonly WritableFile[],
  assistants: readonly WritableFile[],
  {ports, tell, signal}: Run,
): Promise<void> => {
  const before = await Promise.all(ignoreFiles.map(({path}) => ports.files.read(path)));
  for (const file of ignoreFiles) await writeFile(file, ports, tell);
  for (const {path, write} of assistants) {
    if (!write.isKeptOut) continue;
    const found = await gitStatusOf(path, ports, signal);
    if (found.standing === 'outside' || found.standing === 'ignored') continue;
    for (const [index, {path: ignore, write}] of ignoreFiles.entries()) {
      const old = before[index];
      const {within} = write;
      if (old) await ports.files.write(ignore, old.bytes, {mode: old.mode, journal: true, within});
      else await ports.files.remove(ignore, {journal: true, within});
    }
    const message = `${path} would hold an access token, and git would commit it: another rule of the repository overrides .gitignore.`;
    throw new SetupError('local-token-in-git', message, {
      remedy: {
        do: 'Choose a connection that stores no token, or write it anyway.',
        flag: 'Pass --method bridge, or --in-git write.',
      },
      about: {path},
    });
  }
};

/**
 * Returns a context's records, with those of the written entries in place of the former ones, and without the removed
 * ones.
 */
const withEntries = (
  known: readonly ContextEntry[],
  {entries, removed = []}: Pick<Plan, 'entries' | 'removed'>,
): readonly ContextEntry[] => {
  const isOlder = (one: ContextEntry) =>
    [...entries, ...removed].some(({assistant, path}) => assistant === one.assistant && isSamePath(path, one.path));
  return [...known.filter(one => !isOlder(one)), ...entries];
};

/** Returns the recorded entries that are going to be removed, and not replaced. */
const leavingIn = (known: readonly ContextEntry[], {entries, removed = []}: Pick<Plan, 'entries' | 'removed'>) =>
  known.filter(one => isAmong(one, removed) && !isAmong(one, entries));

const isAmong = ({assistant, path}: ContextEntry, others: readonly ContextEntry[]): boolean =>
  others.some(one => one.assistant === assistant && isSamePath(one.path, path));

/**
 * Refuses a plan if another process has connected or disconnected the same files since. Such a plan is wrong about
 * whether a file was created for the entries, or keeps records of entries that are gone.
 *
 * @throws SetupError `local-file-changed`
 */
const refuseOutdated = ({files, records = ''}: Plan, contexts: readonly Context[]): void => {
  if (recordsIn(contexts, files) === records) return;
  const paths = files.flatMap(({path, write}) => (write ? [path] : []));
  const [path] = paths;
  throw new SetupError(
    'local-file-changed',
    `Another setup connected or disconnected ${paths.join(', ')} after you saw the plan.`,
    path === undefined ? {} : {about: {path}},
  );
};

type Saved = {
  readonly plan: Plan;
  /** Returns the records for the time while the files are written. */
  readonly entries: (known: readonly ContextEntry[]) => readonly ContextEntry[];
};

const saveContext = async (signIn: SignInToKeep, {plan, entries}: Saved, ports: Ports, tell: Tell) => {
  await storeSignIn(signIn, ports, entries);
  for (const path of [ports.credentials.path, ports.config.path]) {
    tell({type: 'file-written', path, change: changeOf(path, plan)});
  }
};

type HalfWritten = {
  /** The records of the context's entries before the plan. */
  readonly known: readonly ContextEntry[];
  readonly plan: Plan;
  readonly assistants: readonly WritableFile[];
  /** The files that were not written. */
  readonly left: ReadonlySet<WritableFile>;
  /** The entries whose line in an ignore file is still there. */
  readonly leaving: ReadonlySet<ContextEntry>;
  readonly context: string;
};

/**
 * Removes the records of entries that were not written, and returns an error that says of each file whether it was
 * written.
 */
const halfWritten = async (error: unknown, half: HalfWritten, {config}: Ports): Promise<unknown> => {
  const {assistants, left, leaving, context, known, plan} = half;
  const missing = [...left].filter(({change}) => change !== 'unchanged').map(({path}) => path);
  const isMissing = ({path}: {readonly path: string}) => missing.some(one => isSamePath(one, path));
  // An entry whose ignore line is still there stays recorded until the line is gone too.
  const former = known.filter(one => isMissing(one) || (one.ignored && isAmong(one, [...leaving])));
  await config
    .saveEntries(context, entries => [...withEntries(entries, plan).filter(entry => !isMissing(entry)), ...former])
    // The first error is the one that is reported.
    .catch(() => undefined);
  const written = assistants.filter(file => !left.has(file) && file.change !== 'unchanged').map(({path}) => path);
  if (!(error instanceof SetupError) || error.code === 'cancelled' || written.length + missing.length < 2) return error;
  const {code, message, remedy, about} = error;
  const done = written.length > 0 ? `Written: ${written.join(', ')}.` : 'No assistant file was written.';
  const rest = missing.filter(path => path !== about.path);
  const others = rest.length > 0 ? ` Also not written: ${rest.join(', ')}.` : '';
  return new SetupError(code, `${message} ${done}${others}`, {cause: error, remedy, about});
};

const writeFile = async (file: WritableFile, ports: Ports, tell: Tell) => {
  const {path, change, leadsTo} = file;
  if (change !== 'unchanged') await writePlanned(file, ports);
  tell({type: 'file-written', path, change, ...(leadsTo === undefined ? {} : {leadsTo})});
};

const makeCopy = async ({copy, files}: Plan, {copies}: Ports, tell: Tell) => {
  const change = files.find(({path}) => path === copy?.to)?.change;
  if (!copy || change === 'unchanged') return;
  await copies.make(copy);
  tell({type: 'file-written', path: copy.to, change: 'new'});
};

const changeOf = (path: string, {files}: Plan) => files.find(file => isSamePath(file.path, path))?.change ?? 'changed';
