import type {Ports} from '../ports/ports.ts';

/**
 * Finds out whether a sign-in could be kept, before anybody signs in: a person who has typed a password does not want to
 * hear then that it was for nothing.
 *
 * @throws SetupError `local-write-failed`
 */
export const requireOwnFiles = async ({files, credentials, config}: Ports): Promise<void> => {
  for (const path of [credentials.path, config.path]) await files.check(path);
};
