/** Stands in a kept copy where an access token of ours stood. */
export const ACCESS_TOKEN = '<access token>';

/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT_TOKEN = 'signed-out-by-platform-setup';

/** The same in a header. */
export const SIGNED_OUT = `Bearer ${SIGNED_OUT_TOKEN}`;

/** The contents of a file as a copy of them is kept: without these access tokens. */
export const withoutTokens = (bytes: Buffer, tokens: readonly string[]): Buffer =>
  tokens.reduce((masked, token) => replaceIn(masked, token, ACCESS_TOKEN), bytes);

/** The contents of a file as a sign-out makes them. */
export const withSignedOut = (bytes: Buffer, tokens: readonly string[]): Buffer =>
  tokens.reduce((masked, token) => replaceIn(masked, `Bearer ${token}`, SIGNED_OUT), bytes);

/** What a kept copy is put back as: the tokens that stood in it have ended. */
export const fromCopy = (bytes: Buffer): Buffer => replaceIn(bytes, ACCESS_TOKEN, SIGNED_OUT_TOKEN);

/** As bytes, which a file of many megabytes need not be copied for. */
const replaceIn = (bytes: Buffer, found: string, put: string): Buffer => {
  if (found === '') return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(found); at >= 0; at = bytes.indexOf(found, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from(put, 'utf8'));
    from = at + Buffer.byteLength(found);
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
};
