import {SetupError} from '../../errors/errors.ts';
import {openToOthers} from './others.ts';

/**
 * Refuses files that other users can change.
 *
 * @throws SetupError `local-open-to-others`
 */
export const refuseOpen = (paths: readonly string[]): void => {
  const open = openToOthers(paths);
  if (open === undefined) return;
  const [path] = paths;
  const what = path === open ? 'nothing in it' : `nothing in ${path}`;
  throw new SetupError('local-open-to-others', `Others on this machine can change ${open}, so ${what} is used.`, {
    remedy: `Fix: chmod go-w ${quoted(open)}. Look at what is in it before you go on: others may have written there.`,
    about: {path: open},
  });
};

const quoted = (path: string) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
