import type {ContextEntry} from '../../domain/context.ts';
import {isSamePath} from '../../domain/paths/same-path.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {reportingToItsEnd, type Tell} from '../reporting.ts';
import {type SignInToKeep, storeSignIn} from '../sign-in/entry.ts';
import {readPlanned, type WritableFile, writePlanned} from '../write-planned.ts';
import type {Plan} from './plan-files.ts';
import {removeUnusedCopies} from './unused-copies.ts';

export type Written = {readonly paths: readonly string[]};

type Input = {
  readonly plan: Plan;
  /** The name of the context that is to know of the entries. */
  readonly context: string;
  /** What is kept beside: absent when it is kept already. */
  readonly signIn?: SignInToKeep;
};

/**
 * Writes what was planned, to the byte: the program that entries start and credentials first, so that no entry ever names a sign-in that is not kept, then
 * the context with what it is to know of its entries, then what keeps files out of git, then the assistants. A file that
 * is not what the plan saw is left alone.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeFiles: Flow<Input, Written> = (input, ports, signal) =>
  reportingToItsEnd(async tell => {
    const {plan, context} = input;
    const writable = plan.files.flatMap(file => (file.write ? [{...file, write: file.write}] : []));
    for (const file of writable) await readPlanned(file, ports);

    const {contexts} = await ports.config.read();
    const known = contexts.find(({name}) => name === (input.signIn?.context.name ?? context))?.entries ?? [];
    // First: no entry names a program that is not there.
    if (plan.copy) await makeCopy(plan, ports, tell);
    if (input.signIn) await saveContext(input.signIn, {plan, known}, ports, tell);
    else await ports.config.saveEntries(context, entries => withEntries(entries, plan));
    const ignoreFiles = writable.filter(({write}) => write.isIgnoreFile);
    const assistants = writable.filter(({write}) => !write.isIgnoreFile);
    const left = new Set(assistants);
    try {
      for (const file of [...ignoreFiles, ...assistants]) {
        signal.throwIfAborted();
        await writeFile(file, ports, tell);
        left.delete(file);
      }
    } catch (error) {
      throw await halfWritten(error, {assistants, left, context, known}, ports);
    }
    await removeUnusedCopies(ports);
    return {
      paths: assistants.flatMap(({path}) => (plan.entries.some(one => isSamePath(one.path, path)) ? [path] : [])),
    };
  });

/** What is known of a context's entries, with what is written now in the place of what was, and without what goes. */
const withEntries = (
  known: readonly ContextEntry[],
  {entries, removed = []}: Pick<Plan, 'entries' | 'removed'>,
): readonly ContextEntry[] => {
  const isOlder = (one: ContextEntry) =>
    [...entries, ...removed].some(({assistant, path}) => assistant === one.assistant && isSamePath(path, one.path));
  return [...known.filter(one => !isOlder(one)), ...entries];
};

type Saved = {readonly plan: Plan; readonly known: readonly ContextEntry[]};

const saveContext = async ({context, ...signIn}: SignInToKeep, {plan, known}: Saved, ports: Ports, tell: Tell) => {
  await storeSignIn({context: {...context, entries: withEntries(known, plan)}, ...signIn}, ports);
  for (const path of [ports.credentials.path, ports.config.path]) {
    tell({type: 'file-written', path, change: changeOf(path, plan)});
  }
};

type HalfWritten = {
  /** What was known of the context's entries before. */
  readonly known: readonly ContextEntry[];
  readonly assistants: readonly WritableFile[];
  /** Those that were not written. */
  readonly left: ReadonlySet<WritableFile>;
  readonly context: string;
};

/** Lets the context know of no entry that is not there, and says of each file whether it was written. */
const halfWritten = async (error: unknown, half: HalfWritten, {config}: Ports): Promise<unknown> => {
  const {assistants, left, context, known} = half;
  const missing = [...left].filter(({change}) => change !== 'unchanged').map(({path}) => path);
  const isMissing = ({path}: {readonly path: string}) => missing.some(one => isSamePath(one, path));
  const former = known.filter(isMissing);
  await config
    .saveEntries(context, entries => [...entries.filter(entry => !isMissing(entry)), ...former])
    // What failed first is what is told.
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
