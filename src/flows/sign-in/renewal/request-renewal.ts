import type {Credentials} from '../../../domain/credentials.ts';
import {Secret} from '../../../domain/secret.ts';
import {wantedOf} from '../../../domain/token-request.ts';
import type {TokenContext, TokenSet} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import {throwUnsent} from '../../../errors/unsent.ts';
import type {Ports} from '../../../ports/ports.ts';
import {SETUP} from '../../../setup-command.ts';
import type {Tell} from '../../flow.ts';
import {grantRefresh} from '../kept/sign-in-end.ts';
import {type OAuthClient, oauthClient} from '../oauth/oauth-client.ts';
import {statusOf} from '../oauth/oauth-errors.ts';
import {askedOf, parametersOf} from '../oauth/token-request.ts';
import {tokenSetOf} from '../oauth/token-set.ts';
import {requestToken} from '../obtain-token.ts';

/**
 * An answer whose tokens are of no use, but which has spent the refresh token: the one that it brought takes its place.
 * The reason is its cause.
 */
export class SpentError extends Error {
  override readonly name = 'SpentError';
  readonly refreshToken: string;
  constructor(refreshToken: string, cause: unknown) {
    super('The answer was refused, and brought a new refresh token.', {cause});
    this.refreshToken = refreshToken;
  }
}

/**
 * Asks for new tokens. Nobody's wish to stop reaches it: once the request is out, what it brings may be the only refresh
 * token that still works, so it is to be kept even if nobody waits for it any more.
 *
 * @throws SetupError as the identity provider refuses, or cannot be asked; SpentError
 */
export const requestRenewal = async (
  context: TokenContext,
  current: Credentials,
  ports: Ports,
  tell: Tell,
): Promise<TokenSet> => {
  try {
    // One that was sent without an answer is not sent again before the provider is seen to answer at all.
    return await request(context, current, {ports, tell}, !current.unanswered);
  } catch (error) {
    // What was kept of the identity provider is not so any more. It has not understood the request, so nothing is spent.
    if (!(error instanceof SetupError) || !isMisfit(error)) throw error;
    const {metadata} = await ports.providers.get(context.issuer);
    if (!metadata) throw error;
    await forget(context.issuer, ports);
    return request(context, current, {ports, tell}, false);
  }
};

/** Whether there is no token endpoint at the address that was asked any more. */
const isMisfit = (error: SetupError): boolean =>
  error.code === 'network-redirected' || error.code === 'platform-not-json' || goneStatuses.has(statusOf(error) ?? 0);

/** It is not there, or somewhere else, where no refresh token is sent by a redirect. */
const goneStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

const forget = async (issuer: string, {providers}: Ports) => {
  await providers.put(issuer, {metadata: undefined, keys: undefined});
  await providers.keep();
};

type Surroundings = {readonly ports: Ports; readonly tell: Tell};

const request = async (
  context: TokenContext,
  current: Credentials,
  {ports, tell}: Surroundings,
  fromKept: boolean,
): Promise<TokenSet> => {
  const {signal} = new AbortController();
  const {issuer, clientId, signIn} = context;
  const wanted = wantedOf(context);
  if (signIn !== 'browser') {
    const secret = new Secret(current.clientSecret ?? '');
    const input = {issuer, clientId, method: signIn, secret, fromKept, wanted};
    return tokenSetOf(await requestToken(input, {ports, signal, tell}), ports.clock.now());
  }
  const refreshToken = current.refreshToken ?? '';
  const input = {issuer, clientId, authentication: {method: 'none'}, anyTime: true, fromKept} as const;
  const client = await oauthClient(input, {ports, signal, tell}).catch(throwUnsent);
  // Keys that cannot be had must not cost the new refresh token, the old one being used up by then.
  if (context.scopes?.includes('openid')) await client.fetchKeys().catch(throwUnsent);
  const asked = askedOf(wanted, client, 'person');
  const refresh = (parameters: Record<string, string>) =>
    client.attempt(configuration => client.library.refreshTokenGrant(configuration, refreshToken, parameters), {
      at: 'renewal',
      asked,
    });
  const {resource, scope} = parametersOf(asked);
  // Some want the scopes again (RFC 6749 6).
  const parameters = {...(scope === undefined ? {} : {scope}), ...(resource === undefined ? {} : {resource})};
  const answer = await refresh(parameters)
    .catch(error => {
      // What is not known any more is refused before the refresh token is used up (RFC 8707 2, RFC 6749 5.2).
      const isAsked = Object.keys(parameters).length > 0;
      if (isAsked && error instanceof SetupError && isAboutParameters(error)) return refresh({});
      throw error;
    })
    .catch(async error => {
      const brought = client.refreshTokenBrought();
      // What is for another client, or of another issuer, ends the sign-in; nothing of it is kept.
      const isForeign =
        error instanceof SetupError && error.code === 'auth-id-token-refused' && !error.about.isUnproven;
      if (brought !== undefined && !isForeign) {
        // The keys that are kept may be why: another key can have the name of one of them.
        await forget(issuer, ports);
        throw new SpentError(brought, error);
      }
      throw isWithoutGrant(error) ? grantMissing(context, client, error) : error;
    });
  const {sub: subject} = answer.claims() ?? {};
  if (current.subject !== undefined && subject !== undefined && subject !== current.subject) {
    throw new SetupError('auth-id-token-refused', `${issuer} sent tokens of another account.`, {
      about: {url: issuer},
    });
  }
  // One that returns no new refresh token leaves the old one valid (RFC 6749 6).
  return {refreshToken, ...tokenSetOf(answer, ports.clock.now())};
};

const isAboutParameters = ({code}: SetupError) => code === 'auth-resource-refused' || code === 'auth-scope-refused';

const isWithoutGrant = (error: unknown): error is SetupError =>
  error instanceof SetupError && error.code === 'auth-grant-missing';

/** That the client may not renew, with the switch for it where this kind of provider is known to have one. */
const grantMissing = ({name, issuer, clientId}: TokenContext, {provider}: OAuthClient, error: SetupError) => {
  const grant =
    provider.id === 'standard' || provider.settings.grant === undefined ? `${grantRefresh(clientId)}.` : error.remedy;
  return new SetupError('auth-grant-missing', `${issuer} does not let ${clientId} renew a sign-in.`, {
    cause: error.cause,
    about: error.about,
    remedy: `${grant} If it happens again, sign in again: ${SETUP} login --context ${name}.`,
  });
};
