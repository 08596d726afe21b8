import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {ContextEntry} from '../../ports/storage.ts';
import type {Flow} from '../flow.ts';
import {reportingToItsEnd, type Tell} from '../reporting.ts';
import {type SignInToKeep, storeSignIn} from '../sign-in/kept/save-sign-in.ts';
import {type AssistantFile, composeFiles, digest} from './assistant-file.ts';
import {ignoreFileOf, withIgnored} from './git-repository.ts';
import {type Plan, type PlanInput, requireTokens} from './plan-files.ts';

export type Written = {readonly paths: readonly string[]};

type Input = PlanInput & {
  readonly plan: Plan;
  /** What is kept beside: absent when it is kept already. */
  readonly signIn?: SignInToKeep;
};

/**
 * Writes what was planned: credentials first, so that no entry ever names a sign-in that is not kept, then the context
 * with what it is to know of its entries, then the assistants. A file that is not what the plan saw is left alone.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeFiles: Flow<Input, Written> = (input, ports, signal) =>
  reportingToItsEnd(async tell => {
    const {plan, context} = input;
    const composed = await composeFiles({...input, tokens: requireTokens(ports)}, ports);
    for (const file of composed) refuseChanged(file, plan);

    if (input.signIn) await saveContext(input.signIn, plan, ports, tell);
    else await ports.config.saveEntries(context, entries => withEntries(entries, plan.entries));
    const paths: string[] = [];
    for (const file of composed) {
      signal.throwIfAborted();
      await writeFile(file, plan, ports, tell);
      paths.push(file.path);
    }
    return {paths};
  });

/** What is known of a context's entries, with what is written now in the place of what was known of the same files. */
const withEntries = (known: readonly ContextEntry[], written: readonly ContextEntry[]): readonly ContextEntry[] => {
  const isWritten = (one: ContextEntry) =>
    written.some(({assistant, path}) => assistant === one.assistant && path === one.path);
  return [...known.filter(one => !isWritten(one)), ...written];
};

const refuseChanged = (file: AssistantFile, plan: Plan) => {
  const planned = plan.files.find(({path}) => path === file.path);
  if (file.change === 'unchanged' || planned?.before === digest(file.before)) return;
  throw new SetupError('local-file-changed', `${file.path} was changed by another program after you saw the plan.`);
};

const saveContext = async ({context, ...signIn}: SignInToKeep, plan: Plan, ports: Ports, tell: Tell) => {
  const {contexts} = await ports.config.read();
  const known = contexts.find(({name}) => name === context.name)?.entries ?? [];
  await storeSignIn({context: {...context, entries: withEntries(known, plan.entries)}, ...signIn}, ports);
  for (const path of [ports.credentials.path, ports.config.path]) {
    tell({type: 'file-written', path, change: changeOf(path, plan)});
  }
};

const writeFile = async (file: AssistantFile, plan: Plan, ports: Ports, tell: Tell) => {
  const {path, change, after, before, tokens, holdsToken} = file;
  // What keeps it out of git is there before it is.
  const ignore = ignoreFileOf(path);
  const ignored = plan.files.find(planned => planned.path === ignore);
  if (ignored) {
    const contents = await ports.files.read(ignore);
    const bytes = withIgnored(contents?.bytes ?? Buffer.alloc(0), path);
    await ports.files.write(ignore, bytes, {mode: 0o644, journal: true, expected: contents?.bytes ?? null});
    tell({type: 'file-written', path: ignore, change: ignored.change});
  }
  if (change !== 'unchanged') {
    // A file that holds a token is its owner's alone; any other keeps the permissions that it has.
    const options = {
      mode: 0o600,
      tighten: holdsToken,
      journal: true,
      hidden: [...tokens, ...Object.values(requireTokens(ports))],
      expected: before,
    };
    // Two setups at once write one after the other, and the second sees that the file is another by now.
    await ports.files.withLock(path, () => ports.files.write(path, after, options));
  }
  tell({type: 'file-written', path, change});
};

const changeOf = (path: string, {files}: Plan) => files.find(file => file.path === path)?.change ?? 'changed';
