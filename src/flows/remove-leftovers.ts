import type {Ports} from '../ports/ports.ts';

/**
 * Removes what processes of this program have left that were killed while they wrote: temp files and locks beside its own
 * files and beside those that it has written entries to, and the config under a second name. What somebody writes just now
 * is left alone. Never fails.
 *
 * @param own paths of this program's own files
 * @param everywhere whether files are looked at as well that only the journal knows
 */
export const removeLeftovers = async (
  own: readonly string[],
  {config, files, journal}: Pick<Ports, 'config' | 'files' | 'journal'>,
  everywhere: boolean,
): Promise<void> => {
  try {
    await files.removeLeftovers(own);
    await config.recover().catch(() => undefined);
    const {contexts} = await config.read();
    const known = contexts.flatMap(({entries = [], cli}) => [...entries, ...(cli ? [cli] : [])]);
    const journaled = everywhere ? (await journal.list()).map(({path, link}) => ({path: link ?? path})) : [];
    const others = new Set([...known, ...journaled].map(({path}) => path));
    await files.removeLeftovers([...others].filter(path => !own.includes(path)));
  } catch {
    // What cannot be read is said by whoever needs it.
  }
};
