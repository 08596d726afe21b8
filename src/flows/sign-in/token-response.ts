import type {TokenEndpointResponse, TokenEndpointResponseHelpers} from 'openid-client';
import {fingerprintOf} from '../../domain/fingerprint.ts';
import {Secret} from '../../domain/secret.ts';
import {isRenewable, signInEndOf} from '../../domain/sign-in-lifecycle.ts';
import {
  expiryOf,
  isAccessToken,
  isRefreshToken,
  issuedAtOf,
  type OwnTokenServer,
  payloadOf,
  personIn,
  type Token,
  type TokenSet,
} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {cleanText, duration} from '../../text.ts';

export type TokenAnswer = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * The longest lifetime that is believed, in seconds: ten years. A longer one is a mistake of the server, and may be too
 * large for a date.
 */
const LONGEST = 10 * 365 * 24 * 3600;

/** Returns the tokens of an answer, with the times at which they end. @param now milliseconds since the epoch */
export const tokenSetOf = (answer: TokenAnswer, now: number): TokenSet => {
  const seconds = answer.expiresIn();
  const lifetime = seconds === undefined ? undefined : Math.min(seconds, LONGEST);
  const account = accountIn(answer);
  const ends = signInLifeIn(answer);
  const {sub: subject} = answer.claims() ?? {};
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token === undefined ? {} : {refreshToken: answer.refresh_token}),
    ...(lifetime === undefined ? {} : {expiresAt: now + lifetime * 1000}),
    ...(ends === undefined ? {} : {signInEndsAt: now + ends * 1000}),
    ...(account === undefined ? {} : {account}),
    ...(subject === undefined ? {} : {subject}),
  };
};

/** How long the refresh token is valid, in seconds, if the identity provider says so. No standard defines this. */
const signInLifeIn = ({refresh_expires_in: seconds}: TokenAnswer): number | undefined =>
  typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, LONGEST) : undefined;

/**
 * Returns the name by which the person knows their account: from the ID token, or from the access token, the only place
 * where some identity providers put the name. The subject comes last, because it is an ID without meaning to people.
 */
const accountIn = (answer: TokenAnswer): string | undefined => {
  const claims = answer.claims();
  if (!claims) return undefined;
  return (
    personIn(claims) ??
    personIn(payloadOf(answer.access_token) ?? {}) ??
    (typeof claims.sub === 'string' ? cleanText(claims.sub) : undefined)
  );
};

type Whose = {
  readonly clientId: string;
  /** Whether each renewal puts off the end of the refresh token. */
  readonly slides?: boolean | undefined;
  /** The secret of a client that signed in with it. */
  readonly clientSecret?: Secret;
};

/** Returns the answer of a token endpoint as a token of this run. @param now milliseconds since the epoch */
export const tokenFrom = (answer: TokenAnswer, {clientId, clientSecret, slides}: Whose, now: number): Token => {
  const {accessToken, refreshToken, expiresAt, signInEndsAt, account, subject} = tokenSetOf(answer, now);
  const ends = refreshToken === undefined ? undefined : signInEndOf({refreshToken, signInEndsAt, slides});
  return {
    account: account ?? clientId,
    fingerprint: fingerprintOf(accessToken),
    renewable: isRenewable({refreshToken, clientSecret: clientSecret?.reveal()}),
    ...(expiresAt === undefined ? {} : {expiresAt}),
    ...(ends === undefined ? {} : {signInEndsAt: ends}),
    ...(slides === true && refreshToken !== undefined ? {slides} : {}),
    access: new Secret(accessToken),
    ...(refreshToken === undefined ? {} : {refresh: new Secret(refreshToken)}),
    ...(subject === undefined ? {} : {subject}),
  };
};

/** The event for an obtained token, with the server if the token is for one server only. */
export const obtained = (
  {access: _, refresh: __, subject: ___, slides: ____, failure: _____, ...facts}: Token,
  {server}: {readonly server?: OwnTokenServer} = {},
) => ({type: 'token-obtained', ...facts, ...(server === undefined ? {} : {server})}) as const;

/** Whether an answer of the token endpoint has an ID token without a nonce. False if the token cannot be read. */
export const hasNoNonce = (body: string): boolean => {
  try {
    const claims = payloadOf(String((parseJson(body) as {id_token?: unknown}).id_token));
    return claims !== undefined && claims.nonce === undefined;
  } catch {
    return false;
  }
};

/** The content of a token endpoint's answer, before the library has checked it. */
export type UnjudgedAnswer = {
  readonly hasIdToken?: boolean;
  /** Whether the token works only with the proof of a key (RFC 9449 5), which this program does not have. */
  readonly isBound?: boolean;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** The lifetime of the access token by the answer, in seconds. */
  readonly expiresIn?: number;
  /** When the later of the tokens was issued, by its own claim, in milliseconds since the epoch. */
  readonly issuedAt?: number;
};

/** Reads the tokens in the body of an answer. A body that is not JSON has none. */
export const tokensIn = (body: string): UnjudgedAnswer => {
  try {
    const {
      refresh_token: refreshToken,
      id_token: idToken,
      access_token: accessToken,
      token_type: type,
      expires_in: life,
    } = parseJson(body) as Readonly<Record<string, unknown>>;
    const times = [idToken, accessToken].flatMap(one => (typeof one === 'string' ? (issuedAtOf(one) ?? []) : []));
    return {
      hasIdToken: typeof idToken === 'string',
      isBound: typeof type === 'string' && /^dpop$/i.test(type),
      ...(typeof accessToken === 'string' ? {accessToken} : {}),
      ...(typeof refreshToken === 'string' ? {refreshToken} : {}),
      // The library refuses a value that is not a number.
      ...(life === undefined ? {} : {expiresIn: Number(life) || 0}),
      ...(times.length > 0 ? {issuedAt: Math.max(...times)} : {}),
    };
  } catch {
    return {};
  }
};

/**
 * Refuses tokens that are too long or have characters that the standards do not allow (RFC 6750 2.1, RFC 6749 A.17).
 * Tokens are printed for shells and put into headers and files, where a line break or an escape sequence has an effect.
 * The library checks only that they are text.
 *
 * @param url the endpoint that issued them
 * @throws SetupError `platform-invalid-answer`
 */
export const checkTokens = (
  {accessToken, refreshToken}: Pick<UnjudgedAnswer, 'accessToken' | 'refreshToken'>,
  url: URL,
): void => {
  if (accessToken !== undefined && !isAccessToken(accessToken)) throw malformedToken('an access token', url);
  if (refreshToken !== undefined && !isRefreshToken(refreshToken)) throw malformedToken('a refresh token', url);
};

const malformedToken = (what: string, url: URL) =>
  new SetupError(
    'platform-invalid-answer',
    `${showUrl(url)} returned ${what} that is too long or has characters that a token must not have.`,
    {
      about: {url: showUrl(url)},
      remedy: 'Try again. If it keeps failing, ask its operators to check how it issues tokens (RFC 6750, RFC 6749).',
    },
  );

/**
 * The largest difference between the lifetime in the token and in the answer that is ignored, in seconds: clocks
 * differ, and an answer takes time.
 */
const SAME = 60;

/**
 * Returns the lifetime of a token that is a JWT, if the JWT ends sooner than the answer says, or if the answer does not
 * say. It is measured by the server's clock, because this machine's may be wrong. Servers refuse a token after its own
 * end, whatever the answer said (RFC 9068 4); before that, the end in the token is only a hint.
 *
 * @param server the server's time by the answer's `Date`, in milliseconds since the epoch
 * @returns seconds; undefined if the answer is right, or if nothing is known
 */
export const lifeByToken = (
  {accessToken, expiresIn}: UnjudgedAnswer,
  server: number | undefined,
): number | undefined => {
  const end = accessToken === undefined ? undefined : expiryOf(accessToken);
  if (end === undefined || server === undefined || end <= server) return undefined;
  const life = Math.ceil((end - server) / 1000);
  return expiresIn === undefined || life < expiresIn - SAME ? life : undefined;
};

/** How far a token's date may be ahead of its issuer's clock, in milliseconds. */
const TOLERANCE = 24 * 60 * 60 * 1000;

type Clocks = {
  /** The server's time by the answer's `Date`, in milliseconds since the epoch. */
  readonly server: number | undefined;
  /** This machine's time, in milliseconds since the epoch; undefined if nothing is to depend on it. */
  readonly own: number | undefined;
};

/**
 * Refuses tokens that were issued a day ahead or more (RFC 7519 4.1.6): they would seem valid for that much longer. If
 * the answer has a `Date`, the server's clock decides, because this machine's may be wrong.
 *
 * @throws SetupError `platform-invalid-answer`, or `auth-clock` if only this machine's clock says so
 */
export const checkDate = ({issuedAt}: UnjudgedAnswer, issuer: string, {server, own}: Clocks): void => {
  const now = server ?? own;
  if (issuedAt === undefined || now === undefined || issuedAt - now < TOLERANCE) return;
  const ahead = duration(issuedAt - now);
  const whose = server === undefined ? 'this machine’s clock' : 'its own clock';
  throw new SetupError(
    server === undefined ? 'auth-clock' : 'platform-invalid-answer',
    `${issuer} issued a token with a date ${ahead} ahead of ${whose}.`,
    {
      about: {url: issuer},
      ...(server === undefined ? {} : {remedy: 'Ask its operators to check the clocks of its servers.'}),
    },
  );
};
