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
      const escaped = JSON.stringify(directory).slice(1, -1);
      const isNamed = texts.some(text => text.includes(directory) || text.includes(escaped));
      if (isNamed && unusedSince !== undefined) await copies.note(directory, undefined);
      if (isNamed) continue;
      if (unusedSince === undefined) await copies.note(directory, clock.now());
      else if (clock.now() - unusedSince >= GRACE) await copies.remove(directory);
    }
  } catch {}
};
