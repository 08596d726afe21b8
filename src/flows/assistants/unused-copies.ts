import {isOfWindows} from '../../domain/paths.ts';
import type {Ports} from '../../ports/ports.ts';

/** How long a copy stays that nothing names any more, in milliseconds: a bridge that was started from it may still run. */
const GRACE = 24 * 60 * 60 * 1000;

/**
 * Removes the copies of this program that no entry has named for a day. What cannot be read may name any of them, and what
 * cannot be removed is tried again the next time: neither is a failure of what the person wanted.
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

/** Whether a text names a directory, in quotes as JSON and TOML have them, or as it is. */
const names = (text: string, directory: string): boolean => {
  // On Windows somebody may have written it in other capitals.
  const fold = isOfWindows(directory) ? (one: string) => one.toLowerCase() : (one: string) => one;
  const escaped = JSON.stringify(directory).slice(1, -1);
  return [directory, escaped].some(one => fold(text).includes(fold(one)));
};
