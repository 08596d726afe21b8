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

/** A lifetime beyond this is a slip of the server's, and no number that a date can hold. In seconds: ten years. */
const LONGEST = 10 * 365 * 24 * 3600;

/** @param now milliseconds since the epoch */
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

/** How long the refresh token is good, in seconds, where an identity provider says so: no standard has it. */
const signInLifeIn = ({refresh_expires_in: seconds}: TokenAnswer): number | undefined =>
  typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, LONGEST) : undefined;

/**
 * The name that a person knows themselves by: in the ID token, else in the access token, where some identity providers
 * have it alone. The subject, an ID that tells nobody anything, comes last.
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
  /** Whether each renewal puts the end of the refresh token off. */
  readonly slides?: boolean | undefined;
  /** Of a client that signed in by it. */
  readonly clientSecret?: Secret;
};

/** What a token endpoint gave, as a token of this run. @param now milliseconds since the epoch */
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

/** That a token was obtained, and for which server where it is for one alone. */
export const obtained = (
  {access: _, refresh: __, subject: ___, slides: ____, failure: _____, ...facts}: Token,
  {server}: {readonly server?: OwnTokenServer} = {},
) => ({type: 'token-obtained', ...facts, ...(server === undefined ? {} : {server})}) as const;

/** Whether an answer of the token endpoint has an ID token without a nonce. What cannot be read has none to be judged. */
export const hasNoNonce = (body: string): boolean => {
  try {
    const claims = payloadOf(String((parseJson(body) as {id_token?: unknown}).id_token));
    return claims !== undefined && claims.nonce === undefined;
  } catch {
    return false;
  }
};

/** What an answer of the token endpoint brought, before the library has judged it. */
export type UnjudgedAnswer = {
  readonly hasIdToken?: boolean;
  /** Whether its token is of use only with the proof of a key (RFC 9449 5), which nobody here has. */
  readonly isBound?: boolean;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** How long the access token is good, as the answer says, in seconds. */
  readonly expiresIn?: number;
  /** When the later of its tokens was issued, as that says itself, in milliseconds since the epoch. */
  readonly issuedAt?: number;
};

/** @param body of an answer; one that is no JSON brought nothing */
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
      // What is no number the library refuses.
      ...(life === undefined ? {} : {expiresIn: Number(life) || 0}),
      ...(times.length > 0 ? {issuedAt: Math.max(...times)} : {}),
    };
  } catch {
    return {};
  }
};

/**
 * Refuses tokens that are not made of the characters that the standards allow (RFC 6750 2.1, RFC 6749 A.17). They are printed
 * for shells and put into headers and files, where a line break or an escape sequence does something. The library checks
 * only that they are text.
 *
 * @param url the endpoint that gave them
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

/** Up to here what a token and its answer say of its life is the same: their clocks and the network differ. In seconds. */
const SAME = 60;

/**
 * The life of a token that is a JWT, where it says that it ends sooner than the answer says, or where the answer does not
 * say. It is counted by the server's clock, as this machine's may be wrong. Servers refuse a token after its own end,
 * whatever was said of it (RFC 9068 4); before that, what it says is a hint only.
 *
 * @param server the server's time by the answer's `Date`, in milliseconds since the epoch
 * @returns seconds; undefined where the answer is right, or nothing is known
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

/** How far a token may be dated ahead of the clock of who issued it, in milliseconds. */
const TOLERANCE = 24 * 60 * 60 * 1000;

type Clocks = {
  /** The server's, by the answer's `Date`, in milliseconds since the epoch. */
  readonly server: number | undefined;
  /** This machine's; undefined where nothing is to depend on it. */
  readonly own: number | undefined;
};

/**
 * Refuses tokens that were issued a day ahead or more (RFC 7519 4.1.6): they would seem to be good for as much longer. The
 * server's own clock counts where it says what that is, as this machine's may be wrong.
 *
 * @throws SetupError `platform-invalid-answer`, or `auth-clock` where only this machine's clock says so
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
