import type {Ports} from '../ports/ports.ts';

/**
 * Removes what killed processes of this program have left of their writing: temporary files and locks beside its own
 * files and beside the files with its entries. Files that are being written are left alone. Never fails.
 *
 * @param own the paths of this program's own files
 * @param everywhere whether files that only the journal knows are included
 */
export const removeLeftovers = async (
  own: readonly string[],
  {config, files, journal}: Pick<Ports, 'config' | 'files' | 'journal'>,
  everywhere: boolean,
): Promise<void> => {
  try {
    await files.removeLeftovers(own);
    const {contexts} = await config.read();
    const known = contexts.flatMap(({entries = [], cli}) => [...entries, ...(cli ? [cli] : [])]);
    const journaled = everywhere ? (await journal.list()).map(({path, link}) => ({path: link ?? path})) : [];
    const others = new Set([...known, ...journaled].map(({path}) => path));
    await files.removeLeftovers([...others].filter(path => !own.includes(path)));
  } catch {
    // A file that cannot be read is reported by the code that needs it.
  }
};
