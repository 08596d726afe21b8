import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Context} from '../../../src/domain/context.ts';
import type {Credentials} from '../../../src/domain/credentials.ts';

/** Reads and writes what the program keeps in its SETUP_HOME. */
export const storeIn = (directory: string) => {
  const [configPath, credentialsPath] = [join(directory, 'config.json'), join(directory, 'credentials.json')];
  const credentials = (): readonly Credentials[] => JSON.parse(readFileSync(credentialsPath, 'utf8')).credentials;
  const only = (): Credentials => {
    const [kept, ...others] = credentials();
    if (!kept || others.length > 0) throw new Error('One kept sign-in was expected.');
    return kept;
  };
  const writeCredentials = (...credentials: readonly Credentials[]) =>
    writeFileSync(credentialsPath, JSON.stringify({version: 1, credentials}), {mode: 0o600});
  return {
    directory,
    configPath,
    credentialsPath,
    exists: () => existsSync(directory),
    credentials,
    only,
    contexts: (): readonly Context[] => JSON.parse(readFileSync(configPath, 'utf8')).contexts,
    putContexts: (contexts: readonly Context[], currentContext: string) =>
      writeFileSync(configPath, JSON.stringify({version: 1, currentContext, contexts}), {mode: 0o600}),
    /** Writes a context and its credentials, as an earlier sign-in leaves them. */
    put: (context: Context, kept: Credentials) => {
      mkdirSync(directory, {recursive: true, mode: 0o700});
      const config = {version: 1, currentContext: context.name, contexts: [context]};
      writeFileSync(configPath, JSON.stringify(config), {mode: 0o600});
      writeCredentials(kept);
    },
    /** Writes exactly these credentials, as another program leaves them. */
    putCredentials: (...credentials: readonly Credentials[]) => {
      writeCredentials(...credentials);
    },
    /** Makes the access token expire now on this machine. The identity provider does not know. */
    expire: () => writeCredentials({...only(), obtainedAt: 1, expiresAt: 2}),
    /** Makes every saved token expire. */
    expireAll: () => writeCredentials(...credentials().map(kept => ({...kept, obtainedAt: 1, expiresAt: 2}))),
  };
};

export type Store = ReturnType<typeof storeIn>;
