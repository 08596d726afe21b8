import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context} from '../../domain/context.ts';
import type {Ports} from '../../ports/ports.ts';

/**
 * Returns the names of the assistants on this machine, by their files and by the commands on `PATH`. Starts nothing, so
 * it takes milliseconds. A command does not count if another known program has the same name. Never fails.
 */
export const installedAssistants = async (
  {assistants, place}: {readonly assistants: readonly Assistant[]; readonly place: Place},
  ports: Pick<Ports, 'config' | 'files' | 'processes'>,
): Promise<readonly string[]> => {
  const {contexts} = await ports.config.read().catch(() => ({contexts: []}));
  const created = createdIn(contexts);
  const names = assistants.map(async assistant => {
    const {name, command, namesake} = assistant;
    const [hasTraces, program] = await Promise.all([
      hasLeftFiles(assistant, place, created, ports),
      command === undefined || namesake ? undefined : ports.processes.find(command),
    ]);
    return hasTraces || program !== undefined ? [name] : [];
  });
  return (await Promise.all(names)).flat();
};

/** Returns the files that this program has created: none of them shows that its assistant is installed. */
export const createdIn = (contexts: readonly Context[]): ReadonlySet<string> => {
  const entries = contexts.flatMap(({entries = []}) => entries);
  return new Set(entries.flatMap(({created, path}) => (created ? [path] : [])));
};

/** Whether an assistant has left files on this machine, besides those in `created`, which this program has made. */
export const hasLeftFiles = async (
  assistant: Assistant,
  place: Place,
  created: ReadonlySet<string>,
  {files}: Pick<Ports, 'files'>,
): Promise<boolean> => {
  const traces = await Promise.all(assistant.traces(place).map(path => files.holdsOther(path, created)));
  return traces.includes(true);
};
