import {SIGNED_OUT_TOKEN} from './credentials.ts';
import {sha256} from './fingerprint.ts';

/** Where a token of ours stands in the bytes of a file: from `start` to before `end`. */
export type TokenSpan = {readonly start: number; readonly end: number};

/** Where a token was cut out: the place in the bytes that are left, and the SHA-256 of the token, in hex. */
export type TokenCut = {readonly at: number; readonly token: string};

/**
 * Where a token stands in a literal of a file, as places in that literal. One that is written with escapes goes with all that
 * stands between the quotes.
 */
export const tokenIn = (literal: string, token: string): TokenSpan => {
  const at = literal.indexOf(token);
  return at < 0 ? {start: 1, end: literal.length - 1} : {start: at, end: at + token.length};
};

/** The bytes of a file without the tokens of ours in it, and where they were. */
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
 * The bytes from which tokens were cut, with them.
 *
 * @param tokenOf gives the token of a digest; in the place of one that nobody has any more stands what a sign-out leaves
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

/** The bytes of a file as a sign-out leaves them. */
export const withSignedOut = (bytes: Buffer, spans: readonly TokenSpan[]): Buffer => {
  const {bytes: left, cuts} = cutTokens(bytes, spans);
  return restoreTokens(left, cuts, () => undefined);
};

/** The tokens themselves, each once. */
export const tokensAt = (bytes: Buffer, spans: readonly TokenSpan[]): readonly string[] => [
  ...new Set(spans.map(({start, end}) => bytes.toString('utf8', start, end))),
];

const inOrder = (spans: readonly TokenSpan[]) => spans.toSorted((one, other) => one.start - other.start);
