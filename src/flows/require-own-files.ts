import type {Ports} from '../ports/ports.ts';

/**
 * Checks that a sign-in could be stored, before anybody signs in: a person must not type a password for nothing.
 *
 * @throws SetupError `local-write-failed`
 */
export const requireOwnFiles = async ({files, credentials, config}: Ports): Promise<void> => {
  for (const path of [credentials.path, config.path]) await files.check(path);
};
