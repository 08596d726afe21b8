import {levelParameters, type SignInLevel} from '../../domain/token-request.ts';
import {SetupError} from '../../errors/errors.ts';
import type {HttpReply} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Run} from '../flow.ts';
import {namedPage} from '../foreign-address.ts';
import {reasonIn} from '../http-answers.ts';
import type {OAuthClient} from './oauth-client.ts';
import {type RefusalAnswer, reasonOf, refusalError, refusalInAddress} from './oauth-errors.ts';
import {type AskedToken, needsConsent, parametersOf} from './request-parameters.ts';

/** The values by which an authorization request recognises its own response. Fresh for each request; in memory only. */
export type AuthorizationSecrets = {readonly state: string; readonly nonce: string; readonly verifier: string};

/** The request that a person is asked to agree to, and where the response goes. */
export type AuthorizationRequest = {
  readonly asked: AskedToken;
  readonly redirectUri: string;
  /** The claims that the identity provider demands this time (OpenID Connect Core 5.5), as it sent them. */
  readonly claims?: string | undefined;
  /** How the person has to sign in. */
  readonly level?: SignInLevel | undefined;
  /** Whether the request is pushed to the identity provider first (RFC 9126) because the client requires it. */
  readonly isPushed?: boolean;
};

/**
 * Builds an authorization request with PKCE S256 (RFC 7636), as an address for the browser. Pushes the request first if
 * the metadata or the client requires that.
 *
 * @throws SetupError if the endpoint refuses the pushed request
 */
export const newAttempt = async (
  client: OAuthClient,
  request: AuthorizationRequest,
): Promise<AuthorizationSecrets & {url: URL}> => {
  const {library, configuration, provider} = client;
  const {asked, redirectUri, claims, level, isPushed = false} = request;
  const [state, nonce, verifier] = [library.randomState(), library.randomNonce(), library.randomPKCECodeVerifier()];
  const parameters = {
    redirect_uri: redirectUri,
    ...parametersOf(asked),
    state,
    // A nonce comes back only in an ID token, and without this scope there is none.
    ...(asked.scopes.includes('openid') ? {nonce} : {}),
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(needsConsent(asked, provider) ? {prompt: 'consent'} : {}),
    ...(claims === undefined ? {} : {claims}),
    ...levelParameters(level),
  };
  const metadata = configuration.serverMetadata();
  if (!isPushed && metadata.require_pushed_authorization_requests !== true) {
    return {state, nonce, verifier, url: library.buildAuthorizationUrl(configuration, parameters)};
  }
  const push = () => library.buildAuthorizationUrlWithPAR(configuration, parameters);
  const url = await client.attempt(push, {at: 'authorization', asked, redirectUri});
  return {state, nonce, verifier, url};
};

type Input = AuthorizationRequest & {
  readonly issuer: string;
  readonly clientId: string;
  /** Whether the person goes on although PKCE is not listed. */
  readonly assumesPkce?: boolean;
};

/** How to make the authorization request. */
export type CheckedAuthorization = {
  readonly isPushed: boolean;
  /**
   * The status of a refusal that a browser may not get, because bot protection refuses programs that are not browsers.
   * Absent if the endpoint did not refuse the request, or answered 401.
   */
  readonly refusedWith?: number;
};

/**
 * Checks whether a person's sign-in can work before one is started (platform access 5.4): the grant types that the
 * identity provider offers, PKCE with S256, and, by an authorization request that no person completes, whether the
 * provider knows the client and accepts the request. A fact that the provider does not reveal is not counted against
 * it, except for PKCE.
 *
 * @throws SetupError `auth-endpoint-foreign`, `auth-grant-missing`, `auth-pkce-missing`, `auth-pkce-unlisted`,
 *   `auth-token-opaque`, `auth-authorization-failed`, and the refusal of the request
 */
export const checkAuthorization = async (
  client: OAuthClient,
  input: Input,
  run: Run,
): Promise<CheckedAuthorization> => {
  const {issuer} = input;
  const metadata = client.configuration.serverMetadata();
  if (!namedPage(metadata.authorization_endpoint, new URL(issuer))) {
    const message = `${issuer} names a sign-in page that is unsafe to open.`;
    throw new SetupError('auth-endpoint-foreign', message, {about: {url: issuer}});
  }
  const offers = (list: readonly string[] | undefined, wanted: string) => list === undefined || list.includes(wanted);
  const {unfit, settings} = client.provider;
  if (unfit !== undefined) {
    throw new SetupError('auth-token-opaque', `${unfit}, so the sign-in was not started.`, {
      about: {url: issuer},
      ...(settings.opaque === undefined ? {} : {remedy: settings.opaque}),
    });
  }
  if (!offers(metadata.grant_types_supported, 'authorization_code')) {
    throw new SetupError('auth-grant-missing', `${issuer} does not offer the grant type authorization_code.`, {
      about: {url: issuer},
    });
  }
  requirePkce(client, input);
  return tryRequest(client, input, run);
};

/**
 * Requires PKCE with S256. If the metadata lists no method, the provider offers none (RFC 8414 2), unless it is known
 * to leave the list out. A person may go on without the list.
 *
 * @throws SetupError `auth-pkce-missing`, `auth-pkce-unlisted`
 */
const requirePkce = ({configuration, provider}: OAuthClient, {issuer, assumesPkce}: Input) => {
  const metadata = configuration.serverMetadata();
  if (metadata.supportsPKCE()) return;
  const about = {url: issuer};
  if (metadata.code_challenge_methods_supported !== undefined) {
    const message = `${issuer} does not support PKCE with S256, so the sign-in was not started.`;
    throw new SetupError('auth-pkce-missing', message, {about});
  }
  if (provider.isPkceUnlisted || assumesPkce) return;
  const message = `${issuer} does not say whether it supports PKCE with S256. Without it, another program on this machine could take the sign-in over.`;
  throw new SetupError('auth-pkce-unlisted', message, {about: {...about, flag: 'assume-pkce'}});
};

/** Prefers JSON: some identity providers tell programs more than browsers. */
const ACCEPT = 'application/json, text/html;q=0.9, */*;q=0.8';

const tryRequest = async (client: OAuthClient, input: Input, run: Run): Promise<CheckedAuthorization> => {
  const {issuer, clientId, redirectUri, asked, isPushed = false} = input;
  const {provider, configuration} = client;
  // Sends the same request as the sign-in will: another one would not show why the sign-in would be refused.
  const {url} = await newAttempt(client, input);
  const first = await look(url, run);
  const {target} = first;
  // If even the redirect URL is not trusted, the error stays at the identity provider (RFC 6749 3.1.2.4).
  const isSentBack = target !== undefined && `${target.origin}${target.pathname}` === redirectUri;
  const isFollowed =
    provider.isRefusingAfterRedirect === true && !first.answer && !isSentBack && target?.origin === url.origin;
  const second = isFollowed ? await look(target, run, {refusing: [400, 404], cookies: first.cookies}) : undefined;
  const answer = first.answer ?? second?.answer;
  // Some identity providers show their sign-in page with status 401.
  const isDoubtful = isRefusal(first.status) && first.status !== 401;
  if (!answer) return {isPushed, ...(isDoubtful ? {refusedWith: first.status} : {})};

  const asking = {
    issuer,
    clientId,
    authentication: {method: 'none'},
    provider,
    at: 'authorization',
    asked,
    redirectUri,
  } as const;
  const known = refusalError(answer, asking);
  const {pushed_authorization_request_endpoint: endpoint} = configuration.serverMetadata();
  if (known?.code === 'auth-par-required' && endpoint !== undefined && !isPushed) {
    return tryRequest(client, {...input, isPushed: true}, run);
  }
  if (known) throw known;
  // Some sign-in pages answer 404 to a program that is not a browser.
  if (second?.status === 404) return {isPushed};
  const reason = reasonOf(answer);
  const words = reason === '' ? '' : ` (${reason})`;
  throw isSentBack
    ? new SetupError('auth-authorization-failed', `${issuer} refuses the sign-in of ${clientId}${words}.`, {
        about: {url: issuer},
      })
    : new SetupError(
        'auth-redirect-refused',
        `${issuer} has no client ${clientId} with the redirect URL ${redirectUri}${words}.`,
        {
          about: {url: issuer, flag: 'redirect-uri'},
        },
      );
};

type Seen = {
  readonly status: number;
  readonly target: URL | undefined;
  readonly answer: RefusalAnswer | undefined;
  /** The cookies that the answer sets, as a request returns them (RFC 6265 4.2). */
  readonly cookies: string;
};

/** Whether a status refuses this request itself, and not only too many requests at the moment. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/**
 * Sends the request as a program and not as a browser; returns where the answer leads to, and how it refuses, if it
 * does. Bot protection and rate limits answer 403 and 429 with a page; a refusal with an empty body refuses the request
 * itself.
 *
 * @param cookies the cookies of the previous answer: without them, a page may not know the request
 */
const look = async (
  url: URL,
  {ports: {http}, signal, tell}: Run,
  {refusing = [400], cookies = ''}: {readonly refusing?: readonly number[]; readonly cookies?: string} = {},
): Promise<Seen> => {
  const headers = {Accept: ACCEPT, ...(cookies === '' ? {} : {Cookie: cookies})};
  const reply = await http.send({method: 'GET', url, headers, redirects: 'answer'}, {signal, report: tell});
  const location = reply.header('location');
  const target = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  return {
    status: reply.status,
    target,
    answer:
      refusalInAddress(target?.searchParams) ??
      (refusing.includes(reply.status) || isWordless(reply) ? refusalIn(reply) : undefined),
    cookies: cookiesIn(reply.header('set-cookie')),
  };
};

/** The comma between two cookies in one header, but not the comma in a date. */
const betweenCookies = /,(?=\s*[^\s;,=]+=)/;

/** Returns the names and values of cookies. If there are several `Set-Cookie` headers, commas join them in `header`. */
const cookiesIn = (header = ''): string =>
  header
    .split(betweenCookies)
    .flatMap(cookie => cookie.split(';', 1)[0]?.trim() || [])
    .join('; ');

const isWordless = ({status, body}: HttpReply): boolean => isRefusal(status) && body.trim() === '';

const refusalIn = (reply: HttpReply): RefusalAnswer => {
  const reason = reasonIn(reply);
  return {description: reason === '' ? textOf(reply.body) : reason};
};

/** The longest page text that is useful as a message, in characters. */
const LONGEST = 200;

/** How much of a page is read, in characters. */
const LONGEST_PAGE = 20_000;

/** Returns the text of an HTML page without its tags; empty if it is too long to be a message. */
const textOf = (page: string): string => {
  const clean = cleanText(withoutTags(page.slice(0, LONGEST_PAGE)));
  return clean.length > LONGEST ? '' : clean;
};

/** Elements whose text a browser does not show. */
const unseen = /^<(script|style|head)\b/;

/** Removes the tags, the comments and the invisible elements of a page. An unclosed tag stays. */
const withoutTags = (page: string): string => {
  const small = page.replaceAll(/[A-Z]/g, letter => letter.toLowerCase());
  const endOf = (closing: string, from: number) => {
    const start = small.indexOf(closing, from);
    return start < 0 ? undefined : start + closing.length;
  };
  const parts: string[] = [];
  let at = 0;
  for (let open = page.indexOf('<'); open >= 0; open = page.indexOf('<', at)) {
    const [, element] = unseen.exec(small.slice(open, open + 10)) ?? [];
    const closing = small.startsWith('<!--', open) ? '-->' : element && `</${element}>`;
    const end = (closing === undefined ? undefined : endOf(closing, open)) ?? endOf('>', open);
    if (end === undefined) break;
    parts.push(page.slice(at, open), ' ');
    at = end;
  }
  return [...parts, page.slice(at)].join('');
};
