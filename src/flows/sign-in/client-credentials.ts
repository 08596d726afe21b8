import type {Secret} from '../../domain/secret.ts';
import {
  type ClientMethod,
  type SaidRequest,
  scopesOfClient,
  secretMethodOf,
  type WantedToken,
  wantedWith,
} from '../../domain/token-request.ts';
import type {OwnTokenServer, Token} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {findCliClient} from '../deployment/cli-client.ts';
import type {Flow, Run} from '../flow.ts';
import {requireOwnFiles} from '../require-own-files.ts';
import {stoppable} from '../stoppable.ts';
import {type ClientAuthentication, withSecret} from './client-authentication.ts';
import {oauthClient} from './oauth-client.ts';
import {askedOf, parametersOf} from './request-parameters.ts';
import type {SignedInPerson} from './sign-in-person.ts';
import {obtained, type TokenAnswer, tokenFrom} from './token-response.ts';

type Request = {
  readonly issuer: string;
  readonly clientId: string;
  readonly method: ClientMethod;
  readonly secret: Secret;
  /** The purpose of the token, without the scopes about people; absent to let the identity provider decide. */
  readonly wanted?: WantedToken;
  /** The only server that the token is for; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
  /** As in {@link oauthClient}. */
  readonly fromKept?: boolean;
};

/** The secret is absent if none was given. */
type ObtainInput = Omit<Request, 'secret'> & {readonly secret?: Secret | undefined};

/**
 * Signs a client in with its own credentials (RFC 6749 4.4).
 *
 * @throws SetupError `input-required` if there is no secret; `auth-client-refused`, `auth-method-refused`,
 *   `auth-method-missing`, `platform-*`, `network-*`
 */
export const obtainToken: Flow<ObtainInput, Token> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const {secret} = input;
    if (secret === undefined)
      throw new SetupError('input-required', 'The client secret is missing.', {
        about: {flag: 'client-secret-stdin'},
      });
    const answer = await requestToken({...input, secret}, run);
    const token = tokenFrom(answer, {...input, clientSecret: secret}, ports.clock.now());
    tell(obtained(token, input));
    return token;
  });

/**
 * Makes one client credentials grant (RFC 6749 4.4.2).
 *
 * @throws SetupError as `obtainToken` does, except `input-required`
 */
export const requestToken = async (
  {issuer, clientId, method, secret, wanted = {scopes: []}, ...rest}: Request,
  run: Run,
): Promise<TokenAnswer> => {
  const grant = async (authentication: ClientAuthentication) => {
    const {isStandard} = wanted;
    const client = await oauthClient({issuer, clientId, authentication, isStandard, ...rest}, run);
    const {token_endpoint_auth_methods_supported: offered} = client.configuration.serverMetadata();
    if (offered && !offered.includes(authentication.method)) {
      throw new SetupError(
        'auth-method-missing',
        `${issuer} does not support client authentication by ${authentication.method}.`,
        {about: {url: issuer}},
      );
    }
    const asked = askedOf(wanted, client, 'client');
    const parameters = parametersOf(asked);
    return client.attempt(configuration => client.library.clientCredentialsGrant(configuration, parameters), {asked});
  };
  return withSecret({clientId, method: secretMethodOf(method), secret: secret.reveal()}, grant);
};

type Input = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly method: ClientMethod;
  readonly secret?: Secret | undefined;
  /** The person's wishes for the token. */
  readonly requested?: SaidRequest | undefined;
};

/**
 * Signs a client in with its secret, for the same purpose as a person: the control plane's resource, and the scopes
 * that are not about a person, unless the person named others. If the identity provider refuses something that the
 * person did not name, signs in without it.
 *
 * @throws SetupError as `obtainToken` does; `local-write-failed`, before the sign-in, if it could not be stored
 */
export const signInClient: Flow<Input, SignedInPerson> = async (input, run) => {
  const {ports} = run;
  await requireOwnFiles(ports);
  const {platform, controlPlaneUrl, requested, ...client} = input;
  const {clientId} = input;
  const {scopes, resource} = await stoppable(run, run => findCliClient({platform, controlPlaneUrl, clientId}, run));
  const found = {scopes: scopesOfClient(scopes), ...(resource === undefined ? {} : {resource})};
  let wanted: WantedToken = wantedWith(requested, found);
  for (;;) {
    try {
      const token = await obtainToken({...client, wanted}, run);
      const target = wanted.resource === undefined ? {} : {resource: wanted.resource};
      return {client: {clientId, scopes: wanted.scopes, ...target}, token};
    } catch (error) {
      const less = error instanceof SetupError ? lessThan(wanted, requested, error) : undefined;
      if (!less) throw error;
      wanted = less;
    }
  }
};

/** The request to make instead; undefined if only what the person named is left. */
const lessThan = (
  wanted: WantedToken,
  requested: SaidRequest | undefined,
  {code, about}: SetupError,
): WantedToken | undefined => {
  const isResourceOurs = requested?.resource === undefined && requested?.audience === undefined;
  if (about.isDialect && isResourceOurs && !wanted.isStandard) return {...wanted, isStandard: true};
  if (code === 'auth-resource-refused' && isResourceOurs && wanted.resource !== 'none') {
    return {...wanted, resource: 'none'};
  }
  const isScopeOurs = requested?.scopes === undefined && wanted.scopes.length > 0;
  return code === 'auth-scope-refused' && isScopeOurs ? {...wanted, scopes: []} : undefined;
};
