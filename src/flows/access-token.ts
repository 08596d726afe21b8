import {SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {Context, Credentials} from '../ports/storage.ts';
import type {Flow} from './flow.ts';
import {requestToken, type Token} from './obtain-token.ts';
import {reporting} from './reporting.ts';

/** A token that ends sooner than this is not handed out: it would end while it is used. In milliseconds. */
const MARGIN = 60_000;

/**
 * A valid access token of a context. One that is still good comes from the disk without network; else one process at a
 * time asks again, and the others read what it got (RFC 6749 4.4.3: client credentials have no refresh token).
 *
 * @throws SetupError `auth-sign-in-required` when nothing is kept to sign in with; those of the grant
 */
export const accessToken: Flow<Context, Token> = (context, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const kept = await ports.credentials.get(context);
    const valid = validToken(kept, ports);
    if (valid) return valid;
    if (!kept?.clientSecret) throw signInRequired(context);

    const renewed = await ports.credentials.update(context, async current => {
      if (validToken(current, ports)) return current;
      if (!current?.clientSecret) throw signInRequired(context);
      const {issuer, clientId, signIn: method} = context;
      const fresh = await requestToken({issuer, clientId, method, secret: current.clientSecret}, ports, signal, tell);
      const {expiresAt: _ended, ...rest} = current;
      return {...rest, ...fresh};
    });
    const token = validToken(renewed, ports);
    if (token) return token;
    throw new SetupError(
      'auth-token-refused',
      `${context.issuer} gives tokens that have ended already. Is the clock right?`,
    );
  });

const validToken = (credentials: Credentials | undefined, {clock}: Ports): Token | undefined => {
  const {accessToken, expiresAt} = credentials ?? {};
  if (accessToken === undefined) return undefined;
  if (expiresAt === undefined) return {accessToken};
  return expiresAt - MARGIN > clock.now() ? {accessToken, expiresAt} : undefined;
};

const signInRequired = ({name}: Context) =>
  new SetupError('auth-sign-in-required', `Nothing is kept to sign in to ${name} with.`);
