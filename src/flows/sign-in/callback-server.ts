import {SetupError} from '../../errors/errors.ts';
import {withOtherWays} from '../../errors/other-ways.ts';
import type {CallbackListener, CallbackPage} from '../../ports/browser/callback.ts';
import type {FlowEvent, Run} from '../flow.ts';
import {PORT_TIME} from '../time-limits.ts';
import type {Attempt} from './authorization-request.ts';
import type {OAuthClient} from './oauth-client.ts';

/** An answer that is ours, and how to tell the browser what came of it. */
export type Answer = {readonly url: URL; show(page: CallbackPage): void};

type PasteRefusal = Extract<FlowEvent, {type: 'paste-refused'}>['because'];

export type Answers = {
  readonly first: Promise<Answer>;
  readonly device: boolean;
  readonly fromBrowser: (query: URLSearchParams) => Promise<CallbackPage>;
  /** Takes the address that the browser ended on, or the bare code; else says why not. */
  readonly fromPaste: (text: string) => PasteRefusal | undefined;
};

/** Takes the first answer to an attempt, from the browser or from a person's hand. */
export const answersTo = (
  {state}: Attempt,
  {configuration}: OAuthClient,
  {redirectUri, device}: {readonly redirectUri: string; readonly device: boolean},
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
    if (!query) return whatElse(text.trim(), configuration.serverMetadata().authorization_endpoint);
    if (!isOurs(query, state)) {
      if (query.has('error') && !query.has('state')) return 'error-page';
      return [null, state].includes(query.get('state')) ? 'no-answer' : 'other-sign-in';
    }
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

/** What a person pasted that is no answer: where they were to sign in, or what the identity provider showed them there. */
const whatElse = (text: string, endpoint = ''): PasteRefusal => {
  if (!URL.canParse(text))
    return /\berror\b|\binvalid_\w+|\bunauthorized_client\b|\baccess_denied\b/i.test(text) ? 'error-page' : 'no-answer';
  const {origin, searchParams, hash} = new URL(text);
  if (searchParams.has('error') || /[#&]error=/.test(hash)) return 'error-page';
  const isRequest =
    searchParams.has('client_id') && (searchParams.has('response_type') || searchParams.has('request_uri'));
  return isRequest || (URL.canParse(endpoint) && new URL(endpoint).origin === origin) ? 'sign-in-address' : 'no-answer';
};

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
  const query = /\b(?:code|error)=/.test(text) ? new URLSearchParams(text.replace(/^.*\?/, '')) : undefined;
  if (query) return query;
  return /^[\w.~+/=-]{8,}$/.test(text) ? new URLSearchParams({code: text, state, iss}) : undefined;
};

/** How long it takes until a port that a closed connection holds is tried again, in milliseconds. */
const PORT_PAUSE = 1_000;

/** How long another run of this program has to let go of the port, and how often it is looked whether it has, in milliseconds. */
const HAND_OVER_TIME = 2_000;
const HAND_OVER_PAUSE = 100;

/** How often a sign-in that may be asked for its port looks whether it is, in milliseconds. */
const LOOK = 250;

type Input = {
  readonly redirectUri: string;
  /** Whether the client could sign people in with a code instead. */
  readonly device: boolean;
};

/**
 * Listens for the browser. A port that only a closed connection holds is tried again until it is free, for a minute: no
 * program can be ended to free it (TIME_WAIT, RFC 9293 3.6.1). One that a sign-in of this program has which an assistant
 * began is asked for: that lets go of it.
 *
 * @throws SetupError `local-port-taken`, `local-callback-failed`
 */
export const listenForBrowser = async (
  {redirectUri, device}: Input,
  answers: Answers,
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

/** The port from another run of this program; undefined where none lets go of it. */
const askFor = async (
  url: URL,
  answers: Answers,
  {ports: {callback, clock}, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<CallbackListener | undefined> => {
  let wish = await callback.ask(url);
  try {
    for (const until = clock.monotonic() + HAND_OVER_TIME; clock.monotonic() < until; ) {
      await clock.sleep(HAND_OVER_PAUSE, signal);
      // Another one that asked for it, and has it by now, has taken its own wish back.
      if (!(await callback.isAsked(url))) wish = await callback.ask(url);
      try {
        return await callback.listen(url, answers.fromBrowser);
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        // It may have been let go of before it was looked who has it.
        if (!error.about.isOwnPort && !error.about.isFreeSoon) throw error;
      }
    }
    return undefined;
  } finally {
    await wish.takeBack();
  }
};

/**
 * Ends when another run of this program asks for the port.
 *
 * @throws SetupError `local-port-taken`, when it is asked for
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

/** What the browser says at the end of a sign-in: what happened, and what to do next. */
export const signedInPage: CallbackPage = {
  status: 200,
  title: 'You are signed in',
  text: 'Your sign-in has reached the terminal, which continues by itself.',
  next: 'You can close this window.',
  mood: 'good',
};

export const failedPage = ({message, remedy}: SetupError): CallbackPage => ({
  status: 400,
  title: 'Sign-in failed',
  text: message,
  next: `Go back to the terminal. ${remedy}`,
  mood: 'bad',
});

/** For an answer to another attempt, a second tab, or a guess. Nothing of it is shown, as anybody may have written it. */
export const strayPage: CallbackPage = {
  status: 400,
  title: 'This is not the expected answer',
  text: 'It belongs to another sign-in, or is incomplete. The terminal is still waiting.',
  next: 'Use the window that the terminal opened last, or copy its address again.',
  mood: 'bad',
};

/** For a reload, or a browser that fetched the address twice. */
export const alreadyPage: CallbackPage = {
  status: 200,
  title: 'This sign-in is already complete',
  text: 'The terminal has received it.',
  next: 'You can close this window.',
  mood: 'good',
};
