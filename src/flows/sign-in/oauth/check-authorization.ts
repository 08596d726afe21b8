import {SetupError} from '../../../errors/errors.ts';
import {cleanText} from '../../../text.ts';
import {reasonIn} from '../../answers.ts';
import type {Run} from '../../reporting.ts';
import {newAttempt} from './authorization-request.ts';
import type {OAuthClient} from './oauth-client.ts';

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource?: string;
  readonly redirectUri: string;
};

/**
 * Looks whether a person's sign-in can work before one is started (platform access 5.4): the grant types and the client
 * authentication that the identity provider offers, PKCE with S256, and, by an authorization request of its own that
 * nobody follows, whether it knows the client and the redirect URL. What it does not tell is not held against it.
 *
 * @throws SetupError `auth-grant-missing`, `auth-pkce-missing`, `auth-authorization-failed`, `auth-redirect-refused`,
 *   `auth-resource-refused`
 */
export const checkAuthorization = async (client: OAuthClient, input: Input, run: Run): Promise<void> => {
  const {tell} = run;
  const {issuer} = input;
  const metadata = client.configuration.serverMetadata();
  const offers = (list: readonly string[] | undefined, wanted: string) => list === undefined || list.includes(wanted);
  if (!offers(metadata.grant_types_supported, 'authorization_code')) {
    throw new SetupError('auth-grant-missing', `${issuer} does not offer the grant type authorization_code.`, {
      about: {url: issuer},
    });
  }
  if (!offers(metadata.grant_types_supported, 'refresh_token')) {
    tell({
      type: 'warning',
      message: `${issuer} does not offer refresh tokens: you will have to sign in again each time.`,
    });
  }
  if (!metadata.supportsPKCE()) {
    throw new SetupError(
      'auth-pkce-missing',
      `${issuer} does not offer PKCE with S256, so the sign-in was not started.`,
      {about: {url: issuer}},
    );
  }
  if (!offers(metadata.token_endpoint_auth_methods_supported, 'none')) {
    // Several leave `none` out of their list and take public clients all the same; the token endpoint says for sure.
    tell({
      type: 'warning',
      message: `${issuer} does not say that it takes public clients, as a person’s sign-in is one.`,
    });
  }
  await tryRequest(client, input, run);
};

const tryRequest = async (client: OAuthClient, input: Input, {ports: {http}, signal, tell}: Run) => {
  const {issuer, clientId, redirectUri} = input;
  // As the sign-in will ask, or what it would be refused for is not found out.
  const {url} = await newAttempt(client, input);
  const reply = await http.send({method: 'GET', url, redirects: 'answer'}, {signal, report: tell});
  const location = reply.header('location') ?? '';
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const said = errorIn(target?.searchParams);
  // Bot protection and rate limits answer 403 and 429, to who is no browser; only 400 is about the request.
  const isRefused = reply.status === 400;
  if (!said && !isRefused) return;

  const reason = said ?? reasonIn(reply);
  const words = reason === '' ? '' : ` (${reason})`;
  // Where even the redirect URL is not trusted, the answer stays at the identity provider (RFC 6749 3.1.2.4).
  const isSentBack = target !== undefined && `${target.origin}${target.pathname}` === redirectUri;
  if (isSentBack && target.searchParams.get('error') === 'invalid_target') {
    throw new SetupError('auth-resource-refused', `${issuer} gives no token for ${input.resource}${words}.`, {
      about: {url: issuer},
    });
  }
  throw isSentBack
    ? new SetupError('auth-authorization-failed', `${issuer} refuses the sign-in of ${clientId}${words}.`, {
        about: {url: issuer},
      })
    : new SetupError('auth-redirect-refused', `${issuer} knows no client ${clientId} with ${redirectUri}${words}.`, {
        about: {url: issuer, flag: 'redirect-uri'},
      });
};

/** What an authorization endpoint says by redirect: as the standard has it, or on an error page of its own. */
const errorIn = (query: URLSearchParams | undefined): string | undefined => {
  const code = query?.get('error') ?? query?.get('errorCode');
  if (!code) return undefined;
  const description = query?.get('error_description') ?? query?.get('errorMessage');
  return cleanText(description ? `${code}: ${description}` : code);
};
