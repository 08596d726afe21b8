import {SIGNED_OUT_TOKEN} from './credentials.ts';
import {sha256} from './fingerprint.ts';

/** The position of one of this program's tokens in the bytes of a file: from `start` to before `end`. */
export type TokenSpan = {readonly start: number; readonly end: number};

/** A token that was cut out: its position in the remaining bytes, and the token's SHA-256 in hex. */
export type TokenCut = {readonly at: number; readonly token: string};

/**
 * Returns the position of a token in a literal of a file, relative to that literal. If the token is written with
 * escapes, the span covers everything between the quotes.
 */
export const tokenIn = (literal: string, token: string): TokenSpan => {
  const at = literal.indexOf(token);
  return at < 0 ? {start: 1, end: literal.length - 1} : {start: at, end: at + token.length};
};

/** Returns the bytes of a file without this program's tokens, and where they were. */
export const cutTokens = (
  bytes: Buffer,
  spans: readonly TokenSpan[],
): {readonly bytes: Buffer; readonly cuts: readonly TokenCut[]} => {
  const parts: Buffer[] = [];
  const cuts: TokenCut[] = [];
  let [from, length] = [0, 0];
  for (const {start, end} of inOrder(spans)) {
    const part = bytes.subarray(from, start);
    parts.push(part);
    length += part.length;
    cuts.push({at: length, token: sha256(bytes.subarray(start, end))});
    from = end;
  }
  return cuts.length === 0 ? {bytes, cuts} : {bytes: Buffer.concat([...parts, bytes.subarray(from)]), cuts};
};

/**
 * Puts tokens back into the bytes from which they were cut.
 *
 * @param tokenOf returns the token of a digest; if it is no longer known, the placeholder of a sign-out is put there
 */
export const restoreTokens = (
  bytes: Buffer,
  cuts: readonly TokenCut[],
  tokenOf: (digest: string) => string | undefined,
): Buffer => {
  const parts: Buffer[] = [];
  let from = 0;
  for (const {at, token} of cuts) {
    parts.push(bytes.subarray(from, at), Buffer.from(tokenOf(token) ?? SIGNED_OUT_TOKEN, 'utf8'));
    from = at;
  }
  return cuts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
};

/** Returns the bytes of a file as a sign-out leaves them. */
export const withSignedOut = (bytes: Buffer, spans: readonly TokenSpan[]): Buffer => {
  const {bytes: left, cuts} = cutTokens(bytes, spans);
  return restoreTokens(left, cuts, () => undefined);
};

/** Returns the tokens themselves, each once. */
export const tokensAt = (bytes: Buffer, spans: readonly TokenSpan[]): readonly string[] => [
  ...new Set(spans.map(({start, end}) => bytes.toString('utf8', start, end))),
];

const inOrder = (spans: readonly TokenSpan[]) => spans.toSorted((one, other) => one.start - other.start);
