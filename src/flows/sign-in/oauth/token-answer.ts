import {issuedAtOf} from '../../../domain/sign-in/jwt.ts';
import {duration} from '../../../duration.ts';
import {SetupError} from '../../../errors/errors.ts';
import {parseJson} from '../../../json.ts';

/** What an answer of the token endpoint brought, before the library has judged it. */
export type TokenAnswer = {
  readonly hasIdToken?: boolean;
  /** Whether its token is of use only with the proof of a key (RFC 9449 5), which nobody here has. */
  readonly isBound?: boolean;
  readonly refreshToken?: string;
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
    } = parseJson(body) as Readonly<Record<string, unknown>>;
    const times = [idToken, accessToken].flatMap(one => (typeof one === 'string' ? (issuedAtOf(one) ?? []) : []));
    return {
      hasIdToken: typeof idToken === 'string',
      isBound: typeof type === 'string' && /^dpop$/i.test(type),
      ...(typeof refreshToken === 'string' ? {refreshToken} : {}),
      ...(times.length > 0 ? {issuedAt: Math.max(...times)} : {}),
    };
  } catch {
    return {};
  }
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
