import type {Context} from '../domain/context.ts';
import {hasSecrets} from '../domain/credentials.ts';
import {sha256} from '../domain/fingerprint.ts';
import {isSamePath} from '../domain/paths.ts';
import {signInsOf} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';

/**
 * How many tokens are held for one sign-in. Older ones are dropped, and the files that had them are restored signed
 * out.
 */
const MOST = 20;

/**
 * Stores the tokens that the journal cuts out of a file, with the sign-ins of the contexts that have entries there: the
 * tokens are removed together with the sign-ins. If they cannot be stored, the file is still written, and undo restores
 * it signed out.
 */
export const holdTokens = async (
  path: string,
  tokens: readonly string[],
  {config, credentials}: Pick<Ports, 'config' | 'credentials'>,
): Promise<void> => {
  if (tokens.length === 0) return;
  try {
    const {contexts} = await config.read();
    const known = contexts.filter(({entries = [], cli}) =>
      [...entries, ...(cli ? [cli] : [])].some(one => isSamePath(one.path, path)),
    );
    for (const context of known) {
      const stored = await credentials.get(context);
      const held = heldIn(stored?.heldTokens);
      if (!hasSecrets(stored) || tokens.every(token => held.includes(token))) continue;
      const all = [...held.filter(token => !tokens.includes(token)), ...tokens].slice(-MOST);
      await credentials.update(context, async now => now && {...now, heldTokens: all.join(' ')});
    }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
  }
};

/**
 * Returns a function that finds tokens that were cut out of files, by their SHA-256 in hex, for as long as their
 * sign-ins exist.
 */
export const heldTokens = async (
  contexts: readonly Context[],
  {credentials}: Pick<Ports, 'credentials'>,
): Promise<(digest: string) => string | undefined> => {
  const settled = await credentials.getEach(contexts.flatMap(signInsOf)).catch(() => []);
  const tokens = settled.flatMap(found => {
    if (found.status === 'rejected' || !found.value) return [];
    const {accessToken, refreshToken, clientSecret, heldTokens: held} = found.value;
    return [...heldIn(held), ...[accessToken, refreshToken, clientSecret].flatMap(secret => secret ?? [])];
  });
  const known = new Map(tokens.map(token => [sha256(token), token] as const));
  return digest => known.get(digest);
};

/** Returns the held tokens: they are separated by spaces, which no access token contains (RFC 6750 2.1). */
const heldIn = (held = ''): readonly string[] => held.split(' ').filter(token => token !== '');
