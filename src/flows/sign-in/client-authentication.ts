import type {ClientAuth} from 'openid-client';
import {otherSecretMethod, type SecretMethod} from '../../domain/token-request.ts';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';

/** How a client proves itself at the token endpoint (RFC 6749 2.3.1); a public client only names itself. */
export type ClientAuthentication =
  | {readonly method: 'none'}
  | {readonly method: 'client_secret_post'; readonly secret: string}
  | {
      readonly method: 'client_secret_basic';
      readonly secret: string;
      /** `literal` for a server that compares the header as it was sent; encoded as a form unless said otherwise. */
      readonly encoding?: 'literal';
    };

/** The same for the library. */
export const authenticate = (
  authentication: ClientAuthentication,
  {None, ClientSecretPost}: typeof import('openid-client'),
): ClientAuth => {
  if (authentication.method === 'none') return None();
  const {secret} = authentication;
  return authentication.method === 'client_secret_post' ? ClientSecretPost(secret) : basic(authentication);
};

/**
 * HTTP Basic with a client ID and secret that are encoded as a form (RFC 6749 2.3.1). Only what has to be is encoded,
 * which the form encoding allows: a server that does not decode then still finds `mcp_client` to be `mcp_client`. The
 * library's own encodes `-`, `_`, `.` and `~` too.
 */
const basic =
  ({secret, encoding}: Extract<ClientAuthentication, {method: 'client_secret_basic'}>): ClientAuth =>
  (_server, {client_id: id}, _body, headers) => {
    const pair = [id, secret].map(encoding === 'literal' ? String : encodeURIComponent).join(':');
    headers.set('Authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

/**
 * The same credentials in the form that a server wants which compares them as they were sent, as the bundled one did at first;
 * undefined where that makes no difference, or could be taken for another pair.
 */
const literalBasic = (clientId: string, authentication: ClientAuthentication): ClientAuthentication | undefined => {
  if (authentication.method !== 'client_secret_basic') return undefined;
  const isPlain = [clientId, authentication.secret].every(text => encodeURIComponent(text) === text);
  return isPlain || clientId.includes(':') ? undefined : {...authentication, encoding: 'literal'};
};

type Client = {readonly clientId: string; readonly method: SecretMethod; readonly secret: string};

/** Whether the same secret may be taken when it is sent in the other way. */
const maybeByMethod = ({code, about}: SetupError): boolean => methodCodes.has(code) || about?.isMethodUnclear === true;

/** That it is the way of sending a secret, and not the secret. */
const methodCodes: ReadonlySet<ErrorCode> = new Set(['auth-method-refused', 'auth-method-missing']);

/**
 * A request that a client makes by its secret. A client is registered for one of the two ways to send it, and not always for
 * the one that its kind has elsewhere: where that is refused, the other one is tried once. So is an unencoded secret, which
 * some servers compare without decoding it.
 *
 * @throws what the first way failed with, where no other does better
 */
export const withSecret = async <Output>(
  {clientId, method, secret}: Client,
  request: (authentication: ClientAuthentication) => Promise<Output>,
): Promise<Output> => {
  const usual: ClientAuthentication = {method, secret};
  const other: ClientAuthentication = {method: otherSecretMethod(method), secret};
  return sent(clientId, usual, request).catch(async error => {
    if (!(error instanceof SetupError) || !maybeByMethod(error)) throw error;
    return sent(clientId, other, request).catch(second => {
      // Which of the two the client is registered for was said then, and it is the secret that is wrong.
      const isSecret = second instanceof SetupError && second.code === 'auth-client-refused';
      throw isSecret && methodCodes.has(error.code) ? second : error;
    });
  });
};

const sent = <Output>(
  clientId: string,
  authentication: ClientAuthentication,
  request: (authentication: ClientAuthentication) => Promise<Output>,
): Promise<Output> => {
  const literal = literalBasic(clientId, authentication);
  return request(authentication).catch(error => {
    if (!literal || !(error instanceof SetupError) || error.code !== 'auth-client-refused') throw error;
    return request(literal);
  });
};
