import {addressOf} from '../../domain/address.ts';
import type {Context} from '../../domain/context.ts';
import {type Credentials, secretKeyOf} from '../../domain/credentials.ts';
import {secretMethodOf} from '../../domain/token-request.ts';
import type {TokenContext} from '../../domain/tokens.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Run} from '../flow.ts';
import {readJson} from '../http-answers.ts';
import {type ClientAuthentication, withSecret} from './client-authentication.ts';
import {oauthClient} from './oauth-client.ts';

/**
 * The result of a revocation: `not-offered` if the identity provider has no endpoint for it, `refused` if it answered
 * and did not revoke the token, `failed` if it could not be reached in time, `nothing` if there was no token to revoke.
 */
export type Revocation = 'revoked' | 'not-offered' | 'refused' | 'failed' | 'nothing';

/** The result of a revocation, and the answer if the identity provider refused it. */
export type Revoked = {readonly outcome: Revocation; readonly said?: string};

/** How long a revocation may take before the sign-out goes on without it, in milliseconds. */
const REVOCATION_TIMEOUT = 5_000;

/** Revokes the stored refresh token of a sign-in, or else its access token, if the identity provider can (RFC 7009). */
export const revoke = async (context: TokenContext, stored: Credentials | undefined, run: Run): Promise<Revoked> => {
  const {issuer, clientId, signIn} = context;
  const [token, hint] = stored?.refreshToken
    ? [stored.refreshToken, 'refresh_token']
    : [stored?.accessToken, 'access_token'];
  if (token === undefined) return {outcome: 'nothing'};
  const deadline = AbortSignal.any([run.signal, AbortSignal.timeout(REVOCATION_TIMEOUT)]);
  const request = async (authentication: ClientAuthentication): Promise<Revocation> => {
    const input = {issuer, clientId, authentication};
    const {library, configuration, attempt} = await oauthClient(input, {...run, signal: deadline});
    const {revocation_endpoint: endpoint, revocation_endpoint_auth_methods_supported: methods} =
      configuration.serverMetadata();
    if (endpoint === undefined) return 'not-offered';
    const {method} = authentication;
    // A client without a secret has no other method, and many providers accept it although they do not list it.
    if (method !== 'none' && methods && !methods.includes(method)) throw otherMethod(issuer, method);
    await attempt(() => library.tokenRevocation(configuration, token, {token_type_hint: hint}));
    return 'revoked';
  };
  const secretOf = async () =>
    stored?.clientSecret ?? (await run.ports.credentials.get(secretKeyOf(context)))?.clientSecret ?? '';
  const client =
    signIn === 'browser' ? undefined : {clientId, method: secretMethodOf(signIn), secret: await secretOf()};
  try {
    return {outcome: await (client ? withSecret(client, request) : request({method: 'none'}))};
  } catch (error) {
    run.signal.throwIfAborted();
    // Being offline is no reason to keep a secret on this machine, and neither is a token that cannot be revoked.
    if (deadline.aborted) return {outcome: 'failed'};
    if (!(error instanceof SetupError)) throw error;
    // A redirect is an answer: some identity providers send a program to their sign-in page.
    const isAnswered = familyOf(error.code) !== 'network' || error.code === 'network-redirected';
    return isAnswered ? {outcome: 'refused', said: error.message} : {outcome: 'failed'};
  }
};

/**
 * The error that makes `withSecret` use the other method, because this one is not listed for revocations (RFC 8414 2).
 */
const otherMethod = (issuer: string, method: string) =>
  new SetupError('auth-method-missing', `${issuer} does not support revocations by ${method}.`, {
    about: {url: issuer},
  });

/**
 * Ends the sign-in that a new one has replaced, as logging out and in again would (platform access 7). Does so only at
 * the platform's own identity provider, which ends sign-ins one by one: others end everything in the same browser
 * session, including the new sign-in. The new sign-in stays whether or not this succeeds.
 */
export const revokeFormer = async (context: Context, former: Credentials | undefined, run: Run): Promise<void> => {
  const {tell} = run;
  if (former?.refreshToken === undefined || !(await isPlatformsOwn(context, run))) return;
  const {outcome} = await revoke(context, former, run);
  if (outcome !== 'not-offered' && outcome !== 'nothing')
    tell({type: 'token-revoked', account: former.account ?? context.clientId, outcome});
};

/** Whether the identity provider reports its readiness in the same way as the platform's own. */
const isPlatformsOwn = async (context: Context, {ports: {http}, signal, tell}: Run) => {
  const url = addressOf(context.authUrl, platformOfDeployment(context).paths.readiness);
  try {
    const body = readJson(await http.send({method: 'GET', url}, {signal, report: tell}), url);
    return 'service_status' in body || 'serviceStatus' in body;
  } catch {
    signal.throwIfAborted();
    return false;
  }
};
