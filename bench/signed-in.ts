import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Context} from '../src/domain/context.ts';
import type {Credentials} from '../src/domain/credentials.ts';
import type {Surroundings} from './surroundings.ts';

/** As long as a real token, which is a JWT of two kilobytes. */
export const ACCESS_TOKEN = 'a'.repeat(2_000);

/** Sets up a home with a sign-in whose token has these times (milliseconds since the epoch). */
export const signIn = ({env}: Surroundings, issuer: string, times: Pick<Credentials, 'obtainedAt' | 'expiresAt'>) => {
  const directory = env.SETUP_HOME ?? '';
  const key = {issuer, clientId: 'platform-cli'};
  const addresses = {baseDomain: 'bench.localhost', controlPlaneUrl: issuer, authUrl: issuer};
  const context: Context = {
    ...key,
    ...addresses,
    name: 'bench',
    platform: 'bundled',
    layout: 'single',
    signIn: 'browser',
  };
  const kept: Credentials = {...key, accessToken: ACCESS_TOKEN, refreshToken: 'refresh-0', ...times};
  mkdirSync(directory, {recursive: true, mode: 0o700});
  const write = (name: string, value: object) =>
    writeFileSync(join(directory, name), JSON.stringify(value), {mode: 0o600});
  write('config.json', {version: 1, currentContext: context.name, contexts: [context]});
  write('credentials.json', {version: 1, place: 'file', credentials: [kept]});
};
