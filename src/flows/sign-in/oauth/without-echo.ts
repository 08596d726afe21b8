/** Parameters that are secrets (RFC 6749, RFC 7523, RFC 7636, RFC 8628). */
const secretParameters = [
  'client_secret',
  'client_assertion',
  'refresh_token',
  'code',
  'code_verifier',
  'device_code',
  'token',
] as const;

/** Shorter than any secret; what is shorter may stand in a sentence by chance. */
const SHORTEST = 6;

type Sent = {readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>};

/**
 * A refusal without what it repeats of the request: its words are shown and kept, and a secret is in neither because a
 * server says it back. An answer that is a success stays as it is.
 */
export const withoutEcho = async (response: Response, sent: Sent): Promise<Response> => {
  const secrets = response.ok ? [] : secretsIn(sent);
  if (secrets.length === 0) return response;
  const {status, statusText, headers} = response;
  const text = await response.text();
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '<secret>'), text);
  // A status without a body takes none, not even an empty one (Fetch 2.2.3).
  return new Response(clean === '' ? null : clean, {status, statusText, headers});
};

const secretsIn = ({body, headers = {}}: Sent): readonly string[] => {
  const form = body instanceof URLSearchParams || typeof body === 'string' ? new URLSearchParams(body) : undefined;
  const parameters = secretParameters.flatMap(name => form?.getAll(name) ?? []);
  const [, credentials = ''] = (new Headers(headers).get('authorization') ?? '').split(' ');
  const [, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  const spelt = [...parameters, credentials, password.join(':')].flatMap(one => [
    one,
    encodeURIComponent(one),
    decoded(one),
  ]);
  // The longest first: one may be a part of another.
  return [...new Set(spelt)].filter(one => one.length >= SHORTEST).toSorted((one, other) => other.length - one.length);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
