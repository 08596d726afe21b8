import {expiryOf, isAccessToken, isRefreshToken, issuedAtOf} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import {parseJson} from '../../../json.ts';
import {showUrl} from '../../../ports/network/curl.ts';
import {duration} from '../../../text.ts';

/** What an answer of the token endpoint brought, before the library has judged it. */
export type TokenAnswer = {
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
export const tokensIn = (body: string): TokenAnswer => {
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
  {accessToken, refreshToken}: Pick<TokenAnswer, 'accessToken' | 'refreshToken'>,
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
export const lifeByToken = ({accessToken, expiresIn}: TokenAnswer, server: number | undefined): number | undefined => {
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
export const checkDate = ({issuedAt}: TokenAnswer, issuer: string, {server, own}: Clocks): void => {
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
