import {readFileSync} from 'node:fs';
import {chanceOf, isDue, isUsable} from './flows/token-validity.ts';
import type {Env} from './ports/ports.ts';
import type {Config, Credentials} from './ports/storage.ts';
import {findPlaces} from './state/places.ts';

/**
 * `setup token` where nothing is to be done but to print what is on the disk. Assistants call it for every request, so
 * this is the one path on which each millisecond counts: two files are read, and nothing of the program is loaded.
 * Whatever is not plain (other flags, no file, one that does not read, a token that is due, a keychain) is left to the
 * program itself, which says what is to be said.
 *
 * @param flags the words after `token`
 * @returns what to print; undefined when the program has to do it
 */
export const quickToken = (flags: readonly string[], env: Env, now: number, pid: number): string | undefined => {
  if (flags.length > 1 || (flags[0] !== undefined && flags[0] !== '--header') || env.SETUP_CONTEXT) return undefined;
  try {
    const places = findPlaces(env);
    const config: Config = JSON.parse(readFileSync(places.config, 'utf8'));
    const context = config.contexts.find(({name}) => name === config.currentContext);
    const {version, credentials}: {version: number; credentials: readonly Credentials[]} = JSON.parse(
      readFileSync(places.credentials, 'utf8'),
    );
    const kept = credentials.find(one => one.issuer === context?.issuer && one.clientId === context.clientId);
    const isPlain = config.version === 1 && version === 1 && typeof kept?.accessToken === 'string';
    if (!isPlain || !isUsable(kept, now) || isDue(kept, now, chanceOf(pid))) return undefined;
    return `${flags[0] === '--header' ? 'Authorization: Bearer ' : ''}${kept.accessToken}\n`;
  } catch {
    return undefined;
  }
};
