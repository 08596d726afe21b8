import type {OwnTokenServer} from '../../domain/sign-in/server-tokens.ts';
import type {WantedToken} from '../../domain/sign-in/token-request.ts';
import {SetupError, toSetupError} from '../../errors/errors.ts';
import type {CallbackPage} from '../../ports/browser/callback.ts';
import {isLoopback} from '../../ports/network/loopback.ts';
import type {Flow, FlowEvent} from '../flow.ts';
import {type Run, reporting} from '../reporting.ts';
import {alreadyPage, failedPage, signedInPage, strayPage} from './callback-pages.ts';
import {type Attempt, newAttempt} from './oauth/authorization-request.ts';
import {checkAuthorization} from './oauth/check-authorization.ts';
import {offersDevice} from './oauth/device-offer.ts';
import {type OAuthClient, oauthClient} from './oauth/oauth-client.ts';
import {type SignedIn, signedIn} from './oauth/signed-in.ts';
import {type AskedToken, askedOf} from './oauth/token-request.ts';
import {hasNoNonce, obtained, tokenFrom} from './oauth/token-set.ts';

/** How long a person has for the browser, and how much a wish for more time adds, in milliseconds. */
const SIGN_IN_TIME = 300_000;

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly wanted: WantedToken;
  /** Whether the person goes on although the identity provider does not list PKCE. */
  readonly assumesPkce?: boolean;
  /** The server that the token is for alone; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
  readonly redirectUri: string;
  /** False to wait for a pasted answer only, where nothing can listen. */
  readonly listen: boolean;
  /** False where no browser can be opened, or none is wanted: the address is only shown. */
  readonly open: boolean;
};

/**
 * Signs a person in through their browser: authorization code with PKCE S256 (RFC 8252, RFC 7636). The listener is up
 * before the browser opens, takes exactly one answer with the right state, and is gone when the flow ends, however it
 * ends. The answer may also be pasted.
 *
 * @throws SetupError `auth-pkce-missing`, `auth-declined`, `auth-authorization-failed`, `auth-sign-in-timeout`,
 *   `auth-issuer-mismatch`, `local-port-taken`, those of the token endpoint
 */
export const browserSignIn: Flow<Input, SignedIn> = (input, ports, signal) =>
  reporting({ports, signal}, async run => {
    const {tell} = run;
    const {issuer, clientId, wanted, redirectUri} = input;
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    const metadata = client.configuration.serverMetadata();
    requireWebPage(metadata.authorization_endpoint, issuer);
    const asked = askedOf(wanted, client, 'person');
    const request = {asked, redirectUri, claims: wanted.claims};
    const [checked, device] = await Promise.all([
      checkAuthorization(client, {...input, ...request}, run),
      offersDevice(client, {clientId, asked}, run),
    ]);
    const attempt = await newAttempt(client, {...request, ...checked});
    ports.inbox.clear();
    const answers = answersTo(attempt, client, {redirectUri, device});
    const listener = input.listen
      ? await ports.callback.listen(new URL(input.redirectUri), answers.fromBrowser).catch(error => {
          throw error instanceof SetupError ? error.with({isDeviceOffered: device}) : error;
        })
      : undefined;
    try {
      const answer = await waitForAnswer({url: attempt.url, answers, input}, run);
      const granted = await redeem(answer.url, attempt, client, {...input, asked}).catch(error => {
        const failure = toSetupError(error);
        answer.show(failedPage(failure));
        throw failure;
      });
      const token = tokenFrom(granted, {clientId, slides: client.provider.refreshToken.slides}, ports.clock.now());
      answer.show(signedInPage);
      tell(obtained(token, input));
      return signedIn(token, {client, asked, wanted}, tell);
    } finally {
      await listener?.close();
    }
  });

/** The address that a browser is opened on: a web page, on loopback if without TLS, and no password in it. */
const requireWebPage = (endpoint: string | undefined, issuer: string) => {
  const url = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (isWeb && url.username === '' && url.password === '') return;
  throw new SetupError('auth-endpoint-foreign', `${issuer} names a sign-in page that is unsafe to open.`, {
    about: {url: issuer},
  });
};

/** An answer that is ours, and how to tell the browser what came of it. */
type Answer = {readonly url: URL; show(page: CallbackPage): void};

type PasteRefusal = Extract<FlowEvent, {type: 'paste-refused'}>['because'];

type Answers = {
  readonly first: Promise<Answer>;
  readonly device: boolean;
  readonly fromBrowser: (query: URLSearchParams) => Promise<CallbackPage>;
  /** Takes the address that the browser ended on, or the bare code; else says why not. */
  readonly fromPaste: (text: string) => PasteRefusal | undefined;
};

const answersTo = (
  {state}: Attempt,
  {configuration}: OAuthClient,
  {redirectUri, device}: Pick<Input, 'redirectUri'> & Pick<Answers, 'device'>,
): Answers => {
  const {promise: first, resolve} = Promise.withResolvers<Answer>();
  let taken = false;
  const take = (query: URLSearchParams, show: Answer['show']) => {
    taken = true;
    resolve({url: new URL(`${redirectUri}?${query}`), show});
  };

  const fromBrowser = (query: URLSearchParams): Promise<CallbackPage> => {
    // An answer that is not this attempt's changes nothing, also when it says that something failed (RFC 6749 10.12).
    if (!isOurs(query, state)) return Promise.resolve(strayPage);
    if (taken) return Promise.resolve(alreadyPage);
    return new Promise(show => take(query, show));
  };

  const fromPaste = (text: string): PasteRefusal | undefined => {
    if (taken) return undefined;
    const query = pastedQuery(text.trim(), {state, iss: configuration.serverMetadata().issuer, redirectUri});
    if (!query) return 'no-answer';
    if (!isOurs(query, state)) return [null, state].includes(query.get('state')) ? 'no-answer' : 'other-sign-in';
    take(query, () => {});
    return undefined;
  };
  return {first, device, fromBrowser, fromPaste};
};

/** Exactly one state, which is ours, and nothing twice that may be there once (RFC 6749 3.1). */
const isOurs = (query: URLSearchParams, state: string) =>
  query.get('state') === state &&
  ['code', 'state', 'iss', 'error'].every(name => query.getAll(name).length <= 1) &&
  query.has('code') !== query.has('error');

/** The parameters in what a person pasted. A bare code has nothing to check it by but PKCE, and came from their hand. */
const pastedQuery = (
  text: string,
  {state, iss, redirectUri}: {state: string; iss: string; redirectUri: string},
): URLSearchParams | undefined => {
  if (URL.canParse(text)) {
    const {origin, pathname, searchParams} = new URL(text);
    // A browser ends there and nowhere else; another address was meant for somebody else.
    return `${origin}${pathname}` === redirectUri ? searchParams : undefined;
  }
  const query = text.includes('code=') ? new URLSearchParams(text.replace(/^.*\?/, '')) : undefined;
  if (query) return query;
  return /^[\w.~+/=-]{8,}$/.test(text) ? new URLSearchParams({code: text, state, iss}) : undefined;
};

type Waiting = {readonly url: URL; readonly answers: Answers; readonly input: Input};

/** Shows where to sign in, opens it, and hears the person until the first answer of ours, or until the time is up. */
const waitForAnswer = async ({url, answers, input}: Waiting, {ports, signal, tell}: Run): Promise<Answer> => {
  const {clock, browser, inbox} = ports;
  let until = clock.now() + SIGN_IN_TIME;
  const waiting = () =>
    tell({
      type: 'sign-in-waiting',
      url: url.href,
      redirectUri: input.redirectUri,
      until,
      device: answers.device,
      listening: input.listen,
    });
  const openBrowser = async () => tell({type: 'browser-opened', opened: await browser.open(url.href)});
  waiting();
  if (input.open) void openBrowser();

  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const hear = async (): Promise<never> => {
    for (;;) {
      const message = await inbox.next(ended);
      if (message.type === 'open-again') void openBrowser();
      if (message.type === 'more-time') {
        until += SIGN_IN_TIME;
        waiting();
      }
      if (message.type === 'pasted') {
        const because = answers.fromPaste(message.text);
        if (because) tell({type: 'paste-refused', because});
      }
    }
  };
  const runOut = async (): Promise<never> => {
    while (clock.now() < until) await clock.sleep(until - clock.now(), ended);
    throw new SetupError('auth-sign-in-timeout', `The time to sign in at ${input.issuer} ran out.`, {
      about: {url: input.issuer},
    });
  };
  try {
    return await Promise.race([answers.first, hear(), runOut()]);
  } finally {
    over.abort();
  }
};

/**
 * Exchanges the code, once; the library checks state, issuer and the ID token (RFC 9207, OpenID Connect Core 3.1.3.7).
 * An ID token without a nonce is taken, as not every provider puts one in: with PKCE a code is of use only to who asked
 * for it (RFC 9700 2.1.1). A nonce that is there has to be ours.
 */
const redeem = (
  answer: URL,
  attempt: Attempt,
  {library, fetch, attempt: run}: OAuthClient,
  {issuer, asked, redirectUri}: Pick<Input, 'issuer' | 'redirectUri'> & {readonly asked: AskedToken},
) => {
  const {resource, scopes} = asked;
  return run(
    configuration => {
      const metadata = configuration.serverMetadata();
      const iss = answer.searchParams.get('iss');
      const isAdvertised = metadata.authorization_response_iss_parameter_supported === true;
      // What a mix-up sends along is neither acted on nor shown (RFC 9207 2.4), so this comes before everything else.
      if (iss === null ? isAdvertised : iss !== metadata.issuer) {
        throw new SetupError('auth-issuer-mismatch', `The answer in the browser did not come from ${issuer}.`, {
          about: {url: issuer},
        });
      }
      let isWithoutNonce = false;
      configuration[library.customFetch] = async (url, options) => {
        const response = await fetch(url, options);
        if (url === metadata.token_endpoint) isWithoutNonce = hasNoNonce(await response.clone().text());
        return response;
      };
      const checks = {
        expectedState: attempt.state,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: scopes.includes('openid'),
        // The library looks at it once the answer is there. If it looked earlier, a nonce would simply be required.
        get expectedNonce() {
          const expected = isWithoutNonce || !scopes.includes('openid') ? undefined : attempt.nonce;
          return expected as string;
        },
      };
      const parameters: Record<string, string> = resource ? {resource} : {};
      return library.authorizationCodeGrant(configuration, answer, checks, parameters);
    },
    {asked, redirectUri},
  );
};
