import type {WantedToken} from '../../domain/token-request.ts';
import type {OwnTokenServer} from '../../domain/tokens.ts';
import {SetupError, toSetupError} from '../../errors/errors.ts';
import {phrase, setup, signIn} from '../../errors/remedy.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {type AuthorizationSecrets, checkAuthorization, newAttempt} from './authorization-request.ts';
import {
  answersTo,
  type CallbackAnswer,
  type CallbackAnswers,
  failedPage,
  listenForBrowser,
  signedInPage,
  whenAskedFor,
} from './callback-server.ts';
import {offersDevice} from './device-sign-in.ts';
import {type OAuthClient, oauthClient} from './oauth-client.ts';
import {withName} from './person-name.ts';
import {type AskedToken, askedOf} from './request-parameters.ts';
import {type SignedIn, signedIn} from './signed-in.ts';
import {hasNoNonce, obtained, tokenFrom} from './token-response.ts';

/** How long a person has for the browser, and how much each request for more time adds, in milliseconds. */
const SIGN_IN_TIME = 300_000;

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly wanted: WantedToken;
  /** Whether the person goes on although the identity provider does not list PKCE. */
  readonly assumesPkce?: boolean;
  /** The only server that the token is for; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
  readonly redirectUri: string;
  /** False to wait for a pasted answer only, because nothing can listen here. */
  readonly listen: boolean;
  /** False to show the address only, because no browser can be opened or none is wanted. */
  readonly open: boolean;
  /** True if no person would see a printed address: without a browser the sign-in fails at once. */
  readonly isUnseen?: boolean;
  /** True if this sign-in ends when another sign-in of the same person needs its port. */
  readonly makesRoom?: boolean;
};

/**
 * Signs a person in through their browser: authorization code with PKCE S256 (RFC 8252, RFC 7636). The listener is up
 * before the browser opens, takes exactly one answer with the right state, and closes when the flow ends, however it
 * ends. The person may also paste the address that the browser ended at.
 *
 * @throws SetupError as `checkAuthorization` and `listenForBrowser` do; `auth-declined`, `auth-sign-in-timeout`,
 *   `auth-issuer-mismatch`, the errors of the token endpoint; `input-required` if no browser opens and no person would
 *   see a printed address
 */
export const browserSignIn: Flow<Input, SignedIn> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const {issuer, clientId, wanted, redirectUri} = input;
    const who = {issuer, clientId, authentication: {method: 'none'}, isStandard: wanted.isStandard} as const;
    const client = await oauthClient(who, run);
    const asked = askedOf(wanted, client, 'person');
    const request = {asked, redirectUri, claims: wanted.claims, level: wanted.level};
    const [checked, device] = await Promise.all([
      checkAuthorization(client, {...input, ...request}, run),
      offersDevice(client, {clientId, asked}, run),
    ]);
    if (input.isUnseen && !input.open) throw unseen(issuer, device);
    const {refusedWith} = checked;
    if (refusedWith !== undefined) tell({type: 'warning', message: mayBeRefused(input, refusedWith)});
    const attempt = await newAttempt(client, {...request, ...checked});
    ports.inbox.clear();
    const answers = answersTo(attempt, client, {redirectUri, device});
    const listener = input.listen ? await listenForBrowser({redirectUri, device}, answers, run) : undefined;
    try {
      const answer = await waitForAnswer({url: attempt.url, answers, input}, run);
      const granted = await redeem(answer.url, attempt, client, {...input, asked}).catch(error => {
        const failure = toSetupError(error);
        answer.show(failedPage(failure));
        throw failure;
      });
      const {slides} = client.provider.refreshToken;
      const token = await withName(tokenFrom(granted, {clientId, slides}, ports.clock.now()), client, run);
      answer.show(signedInPage);
      tell(obtained(token, input));
      return signedIn(token, {client, asked, wanted}, tell);
    } finally {
      await listener?.close();
    }
  });

/**
 * The warning that the sign-in page refused this program. It explains an error page in the browser; a person who sees
 * none can ignore it.
 */
const mayBeRefused = ({issuer, clientId, redirectUri}: Input, status: number): string =>
  `${issuer} answered ${status} when this program looked at its sign-in page. If your browser shows an error too, its operators have to register ${clientId} with the redirect URL ${redirectUri}.`;

/** The error when no person could ever answer: no browser opens, and a program reads the output. */
const unseen = (issuer: string, device: boolean) =>
  new SetupError(
    'input-required',
    `Standard input or output is not a terminal, and no browser opens here, so nobody could sign in at ${issuer}.`,
    {
      remedy: [
        phrase`Sign in as a client: ${signIn('--client-credentials')}, with CLI_CLIENT_ID and CLI_CLIENT_SECRET.`,
        ...(device
          ? [
              phrase`Or give a person a code to type anywhere: ${signIn('--device')} waits until the person has signed in; ${signIn('--no-wait')} ends at once, and ${setup('login', '--resume')} finishes the sign-in.`,
            ]
          : []),
        'Or print the address and wait for five minutes: --no-browser.',
      ],
      about: {url: issuer, flag: 'sign-in'},
    },
  );

type Waiting = {readonly url: URL; readonly answers: CallbackAnswers; readonly input: Input};

/**
 * Shows the address, opens it, and reads the person's messages until the first answer to this attempt or until the time
 * is up.
 */
const waitForAnswer = async ({url, answers, input}: Waiting, {ports, signal, tell}: Run): Promise<CallbackAnswer> => {
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
  const {promise: notOpened, reject: giveUp} = Promise.withResolvers<never>();
  const openBrowser = async () => {
    const opened = await browser.open(url.href);
    tell({type: 'browser-opened', opened});
    if (!opened && input.isUnseen) giveUp(unseen(input.issuer, answers.device));
  };
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
        const refusal = answers.fromPaste(message.text);
        if (refusal) tell({type: 'paste-refused', ...refusal});
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
    const asked = input.listen && input.makesRoom ? [whenAskedFor(input.redirectUri, {ports, signal: ended})] : [];
    return await Promise.race([answers.first, hear(), runOut(), notOpened, ...asked]);
  } finally {
    over.abort();
  }
};

/**
 * Exchanges the code, once. The library checks the state, the issuer and the ID token (RFC 9207, OpenID Connect Core
 * 3.1.3.7). An ID token without a nonce is accepted, because not every provider includes one: with PKCE, a code is of
 * use only to the client that requested it (RFC 9700 2.1.1). A nonce that is present has to match.
 */
const redeem = (
  answer: URL,
  attempt: AuthorizationSecrets,
  {library, fetch, attempt: run}: OAuthClient,
  {issuer, asked, redirectUri}: Pick<Input, 'issuer' | 'redirectUri'> & {readonly asked: AskedToken},
) => {
  const {resource, scopes} = asked;
  return run(
    configuration => {
      const metadata = configuration.serverMetadata();
      const iss = answer.searchParams.get('iss');
      const isAdvertised = metadata.authorization_response_iss_parameter_supported === true;
      // A response from another issuer is neither acted on nor shown (RFC 9207 2.4), so this check comes first.
      if (iss === null ? isAdvertised : iss !== metadata.issuer) {
        throw new SetupError('auth-issuer-mismatch', `The answer in the browser did not come from ${issuer}.`, {
          remedy: [
            {do: 'Sign in again from a network that you trust', command: signIn()},
            'If it happens again, tell the identity provider’s operators.',
          ],
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
        // The library reads this getter only after the answer has come. If it read the getter earlier, every ID token
        // would need a nonce.
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
