/** Longer than any token that a server takes in a header, in characters: most take 8 to 16 KiB of headers in all. */
const LONGEST = 64 * 1024;

const bearerToken = /^[\w.~+/-]+=*$/;
const visible = /^[\x20-\x7e]+$/;

/** Whether a text is an access token as it can stand in a header (`b64token`, RFC 6750 2.1). */
export const isAccessToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && bearerToken.test(text);

/** Whether a text is a refresh token as it can stand in a form (`VSCHAR`, RFC 6749 A.17). */
export const isRefreshToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && visible.test(text);
