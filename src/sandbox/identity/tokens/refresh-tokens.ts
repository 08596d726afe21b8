import type {JWTPayload} from 'jose';
import type {SigningKey} from './signing-key.ts';

/**
 * The refresh tokens of the platform, which are JWTs. The library's own are opaque, and are what these stand for.
 * Whoever reads one sees when it ends; what counts is what was given out, so that another key changes nothing.
 */
export type RefreshTokens = {
  /** The token that clients get for one of the library's: the same each time. `claimsOf` is asked once. */
  seal(opaque: string, claimsOf: (opaque: string) => Promise<JWTPayload>): Promise<string>;
  /** The library's token for one that a client sent; undefined for what was never given out. */
  open(sent: string): string | undefined;
};

/** More than anybody has. Past it the oldest is forgotten. */
const kept = 10_000;

export const createRefreshTokens = (key: SigningKey): RefreshTokens => {
  const sealed = new Map<string, string>();
  const opened = new Map<string, string>();
  return {
    async seal(opaque, claimsOf) {
      const known = sealed.get(opaque);
      if (known !== undefined) return known;
      const token = await key.sign(await claimsOf(opaque));
      sealed.set(opaque, token);
      opened.set(token, opaque);
      for (const [oldest, its] of sealed) {
        if (sealed.size <= kept) break;
        sealed.delete(oldest);
        opened.delete(its);
      }
      return token;
    },
    open: sent => opened.get(sent),
  };
};
