import {remedyText} from '../../errors/describe-error.ts';
import {SetupError} from '../../errors/errors.ts';
import {orByCode} from '../../errors/shared-advice.ts';
import type {CallbackListener, CallbackPage} from '../../ports/browser/callback.ts';
import type {FlowEvent, Run} from '../flow.ts';
import {PORT_TIME} from '../time-limits.ts';
import type {AuthorizationSecrets} from './authorization-request.ts';
import type {OAuthClient} from './oauth-client.ts';
import {reasonOf, refusalInAddress} from './oauth-errors.ts';

/**
 * Adds the other ways to sign in to the error that this program cannot listen for the browser.
 *
 * @param device whether the identity provider offers the device flow
 */
export const withOtherWays = (error: SetupError, device: boolean): SetupError => {
  const known = error.with({isDeviceOffered: device});
  return device ? known.advising(orByCode) : known;
};

/** An answer to this attempt, and the function that shows the result in the browser. */
export type CallbackAnswer = {readonly url: URL; show(page: CallbackPage): void};

type PasteRefusal = Omit<Extract<FlowEvent, {type: 'paste-refused'}>, 'type'>;

export type CallbackAnswers = {
  readonly first: Promise<CallbackAnswer>;
  readonly device: boolean;
  readonly fromBrowser: (query: URLSearchParams) => Promise<CallbackPage>;
  /** Takes the address that the browser ended at, or the bare code; returns the reason if it takes neither. */
  readonly fromPaste: (text: string) => PasteRefusal | undefined;
};

/** Takes the first answer to an attempt, from the browser or pasted by the person. */
export const answersTo = (
  {state}: AuthorizationSecrets,
  {configuration}: OAuthClient,
  {redirectUri, device}: {readonly redirectUri: string; readonly device: boolean},
): CallbackAnswers => {
  const {promise: first, resolve} = Promise.withResolvers<CallbackAnswer>();
  let taken = false;
  const take = (query: URLSearchParams, show: CallbackAnswer['show']) => {
    taken = true;
    resolve({url: new URL(`${redirectUri}?${query}`), show});
  };

  const fromBrowser = (query: URLSearchParams): Promise<CallbackPage> => {
    // An answer to another attempt changes nothing, even if it reports an error (RFC 6749 10.12).
    if (!isOurs(query, state)) return Promise.resolve(strayPage);
    if (taken) return Promise.resolve(alreadyPage);
    return new Promise(show => take(query, show));
  };

  const fromPaste = (text: string): PasteRefusal | undefined => {
    if (taken) return undefined;
    const query = pastedQuery(text.trim(), {state, iss: configuration.serverMetadata().issuer, redirectUri});
    if (!query) return whatElse(text.trim(), configuration.serverMetadata().authorization_endpoint);
    if (!isOurs(query, state)) {
      if (query.has('error') && !query.has('state')) return errorPage(query);
      return {because: [null, state].includes(query.get('state')) ? 'no-answer' : 'other-sign-in'};
    }
    take(query, () => {});
    return undefined;
  };
  return {first, device, fromBrowser, fromPaste};
};

/**
 * True if the answer has this attempt's state and either a code or an error, and repeats none of the parameters that
 * matter (RFC 6749 3.1).
 */
const isOurs = (query: URLSearchParams, state: string) =>
  query.get('state') === state &&
  ['code', 'state', 'iss', 'error'].every(name => query.getAll(name).length <= 1) &&
  query.has('code') !== query.has('error');

/**
 * Classifies a pasted text that is no answer: the sign-in address itself, an error page of the identity provider, or
 * neither.
 */
const whatElse = (text: string, endpoint = ''): PasteRefusal => {
  if (!URL.canParse(text)) {
    const isError = /\berror\b|\binvalid_\w+|\bunauthorized_client\b|\baccess_denied\b/i.test(text);
    return {because: isError ? 'error-page' : 'no-answer'};
  }
  const {origin, searchParams, hash} = new URL(text);
  const page = [searchParams, new URLSearchParams(hash.slice(1))].find(refusalInAddress);
  if (page) return errorPage(page);
  const isRequest =
    searchParams.has('client_id') && (searchParams.has('response_type') || searchParams.has('request_uri'));
  const isThere = isRequest || (URL.canParse(endpoint) && new URL(endpoint).origin === origin);
  return {because: isThere ? 'sign-in-address' : 'no-answer'};
};

const errorPage = (query: URLSearchParams): PasteRefusal => {
  const refusal = refusalInAddress(query);
  return {because: 'error-page', ...(refusal ? {reason: refusal.description ?? reasonOf(refusal)} : {})};
};

/**
 * Returns the parameters in a pasted text; undefined if it is no answer. A bare code gets this attempt's state, so PKCE
 * alone protects it. That is enough, because the person pasted the code themselves.
 */
const pastedQuery = (
  text: string,
  {state, iss, redirectUri}: {state: string; iss: string; redirectUri: string},
): URLSearchParams | undefined => {
  if (URL.canParse(text)) {
    const {origin, pathname, searchParams} = new URL(text);
    // The browser ends at the redirect URI. An answer at any other address is for another client.
    return `${origin}${pathname}` === redirectUri ? searchParams : undefined;
  }
  const query = /\b(?:code|error)=/.test(text) ? new URLSearchParams(text.replace(/^.*\?/, '')) : undefined;
  if (query) return query;
  return /^[\w.~+/=-]{8,}$/.test(text) ? new URLSearchParams({code: text, state, iss}) : undefined;
};

/** The pause before a port that a closed connection holds is tried again, in milliseconds. */
const PORT_PAUSE = 1_000;

/** How long another run of this program has to release the port, and how often this run tries it, in milliseconds. */
const HAND_OVER_TIME = 2_000;
const HAND_OVER_PAUSE = 100;

/** How often a sign-in that makes room looks whether another run asks for its port, in milliseconds. */
const LOOK = 250;

type Input = {
  readonly redirectUri: string;
  /** Whether the client could sign people in with a code instead. */
  readonly device: boolean;
};

/**
 * Listens for the browser. If only a closed connection holds the port, tries again for a minute until it is free: no
 * program can be ended to free it (TIME_WAIT, RFC 9293 3.6.1). If another run of this program may hold the port, asks
 * that run to release it. A sign-in that an assistant began does so.
 *
 * @throws SetupError `local-port-taken`, `local-callback-failed`
 */
export const listenForBrowser = async (
  {redirectUri, device}: Input,
  answers: CallbackAnswers,
  {ports, signal, tell}: Run,
): Promise<CallbackListener> => {
  const {callback, clock} = ports;
  const url = new URL(redirectUri);
  const until = clock.now() + PORT_TIME;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await callback.listen(url, answers.fromBrowser);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (isFirst && error.about.isOwnPort) {
        const handedOver = await askFor(url, answers, {ports, signal});
        if (handedOver) return handedOver;
      }
      if (!error.about.isFreeSoon || clock.now() >= until) throw withOtherWays(error, device);
    }
    if (isFirst) tell({type: 'port-awaited', port: Number(url.port), until});
    await clock.sleep(PORT_PAUSE, signal);
  }
};

/** Gets the port from another run of this program; undefined if none releases it. */
const askFor = async (
  url: URL,
  answers: CallbackAnswers,
  {ports: {callback, clock}, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<CallbackListener | undefined> => {
  let wish = await callback.ask(url);
  try {
    for (const until = clock.monotonic() + HAND_OVER_TIME; clock.monotonic() < until; ) {
      await clock.sleep(HAND_OVER_PAUSE, signal);
      // If several runs ask, the one that gets the port withdraws the common request, so this run asks again.
      if (!(await callback.isAsked(url))) wish = await callback.ask(url);
      try {
        return await callback.listen(url, answers.fromBrowser);
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        // The other run may have released the port before its owner was looked up.
        if (!error.about.isOwnPort && !error.about.isFreeSoon) throw error;
      }
    }
    return undefined;
  } finally {
    await wish.takeBack();
  }
};

/**
 * Waits until another run of this program asks for the port, then fails.
 *
 * @throws SetupError `local-port-taken` when the port is asked for
 */
export const whenAskedFor = async (
  redirectUri: string,
  {ports: {callback, clock}, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<never> => {
  const url = new URL(redirectUri);
  while (!(await callback.isAsked(url))) await clock.sleep(LOOK, signal);
  throw new SetupError(
    'local-port-taken',
    'The user started another sign-in on this machine, which needs the same port, so this sign-in was stopped.',
    {
      remedy: 'Finish the other sign-in first.',
      about: {isHandedOver: true},
    },
  );
};

/** The page that the browser shows after a sign-in: what happened, and what to do next. */
export const signedInPage: CallbackPage = {
  status: 200,
  title: 'You are signed in',
  text: 'Your sign-in has arrived. The program that asked for it continues by itself.',
  next: 'You can close this window.',
  mood: 'good',
};

export const failedPage = (error: SetupError): CallbackPage => ({
  status: 400,
  title: 'Sign-in failed',
  text: error.message,
  next: `Go back to the program that asked you to sign in. ${remedyText(error)}`,
  mood: 'bad',
});

/**
 * The page for an answer to another attempt, a second tab or a guess. It shows nothing of the answer, which anybody may
 * have written.
 */
export const strayPage: CallbackPage = {
  status: 400,
  title: 'This is not the expected answer',
  text: 'It belongs to another sign-in, or is incomplete. The program that asked you to sign in is still waiting.',
  next: 'Open the latest sign-in address that it gave you. If another window waits for the address of this page, copy that address and paste it there.',
  mood: 'bad',
};

/** The page for a reload, or for a browser that fetched the address twice. */
export const alreadyPage: CallbackPage = {
  status: 200,
  title: 'This answer has already arrived',
  text: 'The program that asked for it continues by itself.',
  next: 'You can close this window.',
  mood: 'good',
};
