import {secretOf} from '../../domain/secret-names.ts';
import type {OwnTokenServer} from '../../domain/server-tokens.ts';
import {type ClientMethod, secretMethodOf} from '../../domain/sign-in-method.ts';
import type {TokenFacts} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {reporting, type Tell} from '../reporting.ts';
import {type ClientAuthentication, withSecret} from './oauth/client-authentication.ts';
import {oauthClient} from './oauth/oauth-client.ts';
import {keepToken, obtained, type TokenAnswer} from './oauth/token-set.ts';

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly method: ClientMethod;
  /** The audience that the token is to be for (RFC 8707); absent where the platform's servers do not look at that. */
  readonly resource?: string;
  /** The server that the token is for alone; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
};

/**
 * Signs a client in by its own credentials (RFC 6749 4.4). The secret comes from the vault, and the token is there when
 * the flow returns.
 *
 * @throws SetupError `auth-client-refused`, `auth-method-refused`, `platform-*`, `network-*`
 */
export const obtainToken: Flow<Input, TokenFacts> = (input, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const secret = ports.vault.get(secretOf(input.method));
    if (secret === undefined)
      throw new SetupError('input-required', 'The client secret is missing: --client-secret-stdin.', {
        about: {flag: 'client-secret-stdin'},
      });
    const answer = await requestToken({...input, secret}, ports, signal, tell);
    const facts = keepToken(answer, {...input, clientSecret: secret, ports});
    tell(obtained(facts, input));
    return facts;
  });

/** One client credentials grant (RFC 6749 4.4.2). @throws SetupError as `obtainToken`; `auth-method-missing` */
export const requestToken = async (
  {issuer, clientId, method, secret, resource}: Input & {readonly secret: string},
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
): Promise<TokenAnswer> => {
  const parameters: Record<string, string> = resource === undefined ? {} : {resource};
  const grant = async (authentication: ClientAuthentication) => {
    const client = await oauthClient({issuer, clientId, authentication}, ports, signal, tell);
    const {token_endpoint_auth_methods_supported: offered} = client.configuration.serverMetadata();
    if (offered && !offered.includes(authentication.method)) {
      throw new SetupError(
        'auth-method-missing',
        `${issuer} takes no clients that sign in by ${authentication.method}.`,
        {about: {url: issuer}},
      );
    }
    return client.attempt(configuration => client.library.clientCredentialsGrant(configuration, parameters));
  };
  return withSecret({clientId, method: secretMethodOf(method), secret}, grant);
};
