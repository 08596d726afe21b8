import type {CallbackPage} from '../../ports/browser/callback.ts';
import type {FlowEvent} from '../flow.ts';
import {alreadyPage, strayPage} from './callback-pages.ts';
import type {Attempt} from './oauth/authorization-request.ts';
import type {OAuthClient} from './oauth/oauth-client.ts';

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
