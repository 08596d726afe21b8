import type {ClientAuth} from 'openid-client';
import {otherSecretMethod, type SecretMethod} from '../../domain/token-request.ts';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';

/** How a client authenticates at the token endpoint (RFC 6749 2.3.1). A public client only sends its ID. */
export type ClientAuthentication =
  | {readonly method: 'none'}
  | {readonly method: 'client_secret_post'; readonly secret: string}
  | {
      readonly method: 'client_secret_basic';
      readonly secret: string;
      /** `literal` for a server that compares the header as it was sent; form-encoded if absent. */
      readonly encoding?: 'literal';
    };

/** Returns the authentication in the library's form. */
export const authenticate = (
  authentication: ClientAuthentication,
  {None, ClientSecretPost}: typeof import('openid-client'),
): ClientAuth => {
  if (authentication.method === 'none') return None();
  const {secret} = authentication;
  return authentication.method === 'client_secret_post' ? ClientSecretPost(secret) : basic(authentication);
};

/**
 * HTTP Basic with a form-encoded client ID and secret (RFC 6749 2.3.1). It encodes only what it must, which the form
 * encoding allows: a server that does not decode still recognises `mcp_client`. The library's own version also encodes
 * `-`, `_`, `.` and `~`.
 */
const basic =
  ({secret, encoding}: Extract<ClientAuthentication, {method: 'client_secret_basic'}>): ClientAuth =>
  (_server, {client_id: id}, _body, headers) => {
    const pair = [id, secret].map(encoding === 'literal' ? String : encodeURIComponent).join(':');
    headers.set('Authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

/**
 * Returns the authentication with unencoded credentials, for a server that compares them as they were sent, as the
 * bundled identity provider did at first. Undefined if that makes no difference, or if the result could be read as
 * another pair.
 */
const literalBasic = (clientId: string, authentication: ClientAuthentication): ClientAuthentication | undefined => {
  if (authentication.method !== 'client_secret_basic') return undefined;
  const isPlain = [clientId, authentication.secret].every(text => encodeURIComponent(text) === text);
  return isPlain || clientId.includes(':') ? undefined : {...authentication, encoding: 'literal'};
};

type Client = {readonly clientId: string; readonly method: SecretMethod; readonly secret: string};

/** Whether the server may accept the same secret if it is sent by the other method. */
const maybeByMethod = ({code, about}: SetupError): boolean => methodCodes.has(code) || about?.isMethodUnclear === true;

/** The errors that concern the method of sending the secret, and not the secret. */
const methodCodes: ReadonlySet<ErrorCode> = new Set(['auth-method-refused', 'auth-method-missing']);

/**
 * Makes a request with the secret of a client. A client is registered for one of the two methods of sending the secret,
 * which may not be the usual method for its kind: if the usual method is refused, the other one is tried once. An
 * unencoded secret is also tried once, because some servers compare it without decoding.
 *
 * @throws the error of the first method if the other one fails too, unless the second error shows that the secret is
 *   wrong
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
      // The first error named the method and the second one the secret: the client is registered for the second method,
      // and its secret is wrong.
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
