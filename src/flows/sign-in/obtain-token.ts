import type {Secret} from '../../domain/secret.ts';
import type {WantedToken} from '../../domain/token-request.ts';
import {type ClientMethod, secretMethodOf} from '../../domain/token-request.ts';
import type {OwnTokenServer, Token} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {type ClientAuthentication, withSecret} from './oauth/client-authentication.ts';
import {oauthClient} from './oauth/oauth-client.ts';
import {askedOf, parametersOf} from './oauth/token-request.ts';
import {obtained, type TokenAnswer, tokenFrom} from './oauth/token-set.ts';

type Request = {
  readonly issuer: string;
  readonly clientId: string;
  readonly method: ClientMethod;
  readonly secret: Secret;
  /** What the token is to be for, without its scopes about people; absent where the identity provider is to decide. */
  readonly wanted?: WantedToken;
  /** The server that the token is for alone; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
  /** As {@link oauthClient} takes it. */
  readonly fromKept?: boolean;
};

/** The secret is absent where nobody has given one. */
type Input = Omit<Request, 'secret'> & {readonly secret?: Secret | undefined};

/**
 * Signs a client in by its own credentials (RFC 6749 4.4).
 *
 * @throws SetupError `auth-client-refused`, `auth-method-refused`, `platform-*`, `network-*`
 */
export const obtainToken: Flow<Input, Token> = (input, run) =>
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

/** One client credentials grant (RFC 6749 4.4.2). @throws SetupError as `obtainToken`; `auth-method-missing` */
export const requestToken = async (
  {issuer, clientId, method, secret, wanted = {scopes: []}, ...kept}: Request,
  run: Run,
): Promise<TokenAnswer> => {
  const grant = async (authentication: ClientAuthentication) => {
    const {isStandard} = wanted;
    const client = await oauthClient({issuer, clientId, authentication, isStandard, ...kept}, run);
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
