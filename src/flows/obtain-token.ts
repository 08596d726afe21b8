import {createHash} from 'node:crypto';
import type {CustomFetch} from 'openid-client';
import {findSetupError, SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {SecretName, SignInMethod} from '../ports/storage.ts';
import type {Flow} from './flow.ts';
import {reporting, type Tell} from './reporting.ts';
import {cleanText} from './text.ts';

/** What may be known of a token outside the vault. */
export type TokenFacts = {
  readonly account: string;
  /** Milliseconds since the epoch; absent when the identity provider did not say. */
  readonly expiresAt?: number;
  readonly fingerprint: string;
};

type Input = {readonly issuer: string; readonly clientId: string; readonly method: SignInMethod};

/**
 * Signs a client in by its own credentials (RFC 6749 4.4): an MCP client by HTTP Basic, a service account in the request
 * body (platform access 5.3 and 5.5). The secret comes from the vault, and the token is there when the flow returns.
 *
 * @throws SetupError `auth-client-refused`, `auth-method-refused`, `platform-*`, `network-*`
 */
export const obtainToken: Flow<Input, TokenFacts> = (input, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const secret = ports.vault.get(secretOf(input.method));
    if (secret === undefined)
      throw new SetupError('input-required', 'The client secret is missing: --client-secret-stdin.');
    const token = await requestToken({...input, secret}, ports, signal, tell);
    ports.vault.set('access-token', token.accessToken);
    const facts: TokenFacts = {
      account: input.clientId,
      fingerprint: fingerprintOf(token.accessToken),
      ...(token.expiresAt === undefined ? {} : {expiresAt: token.expiresAt}),
    };
    tell({type: 'token-obtained', ...facts});
    return facts;
  });

export type Token = {readonly accessToken: string; readonly expiresAt?: number};

/** One client credentials grant through openid-client, loaded here because nothing before it needs it. */
export const requestToken = async (
  {issuer, clientId, method, secret}: Input & {secret: string},
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
): Promise<Token> => {
  const client = await import('openid-client');
  const authentication = method === 'mcp-client' ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
  const customFetch = ports.http.fetch({signal, report: tell});
  try {
    const configuration = await client.discovery(new URL(issuer), clientId, undefined, authentication, {
      [client.customFetch]: customFetch as CustomFetch,
      // Our own fetch decides where plain http may go; the library only knows all or nothing.
      execute: [client.allowInsecureRequests],
    });
    const answer = await client.clientCredentialsGrant(configuration);
    const lifetime = answer.expiresIn();
    return {
      accessToken: answer.access_token,
      ...(lifetime === undefined ? {} : {expiresAt: ports.clock.now() + lifetime * 1000}),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw findSetupError(error) ?? translate(error, issuer, clientId, client);
  }
};

type OpenidClient = typeof import('openid-client');

const translate = (error: unknown, issuer: string, clientId: string, client: OpenidClient): SetupError => {
  const options = {cause: error};
  if (error instanceof client.WWWAuthenticateChallengeError) return clientRefused(issuer, clientId, '', options);
  if (error instanceof client.ResponseBodyError) {
    const reason = cleanText([error.error, error.error_description].filter(Boolean).join(': '));
    if (error.error === 'invalid_client') return clientRefused(issuer, clientId, reason, options);
    if (error.error === 'unauthorized_client') {
      return new SetupError(
        'auth-method-refused',
        `${issuer} does not let ${clientId} sign in this way (${reason}).`,
        options,
      );
    }
    const code = error.status >= 500 ? 'platform-error' : 'platform-rejected';
    return new SetupError(code, `${issuer} gave no token to ${clientId} (${reason}).`, options);
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    return new SetupError(
      'platform-not-json',
      `${issuer} is not an identity provider: it answers something else than JSON.`,
      options,
    );
  }
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') {
    const status = error instanceof Error && error.cause instanceof Response ? ` (${error.cause.status})` : '';
    return new SetupError('platform-error', `${issuer} answered as no identity provider does${status}.`, options);
  }
  if (typeof code === 'string' && code.startsWith('OAUTH_')) {
    return new SetupError(
      'platform-invalid-answer',
      `${issuer} answered what the protocol does not allow (${code}).`,
      options,
    );
  }
  return new SetupError('bug', `The sign-in at ${issuer} failed in a way that is not known.`, options);
};

const clientRefused = (issuer: string, clientId: string, reason: string, options: {cause: unknown}) => {
  const said = reason === '' ? '' : ` (${reason})`;
  return new SetupError(
    'auth-client-refused',
    `${issuer} refused the client ID or the secret of ${clientId}${said}.`,
    options,
  );
};

/** Where the vault keeps the secret of the client that signs in this way. */
export const secretOf = (method: SignInMethod): SecretName => `${method}-secret`;

/** Tells two tokens apart without being one. */
export const fingerprintOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 12);
