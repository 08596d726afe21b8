import {busyError} from '../errors/busy.ts';
import {type About, SetupError} from '../errors/errors.ts';
import {codeOfStatus} from '../errors/status-code.ts';
import {parseJson} from '../json.ts';
import {portalIn, redirectError} from '../ports/network/portal.ts';
import type {StreamReply} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import {isObject} from './message.ts';

/** More than any explanation is long, in bytes. */
const LONGEST = 64 * 1024;

/** A reply that is no message of the protocol: its status, and what it says. */
export type Refusal = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
};

/** Reads what a server says with a status that is not a success; undefined for a success. */
export const readRefusal = async (reply: StreamReply): Promise<Refusal | undefined> => {
  const {status, body} = reply;
  if (status >= 200 && status < 300) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  reply.endWithin(5_000);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LONGEST) break;
    }
  } catch {
    // The status is there, and says the more important half.
  }
  return {status, type: typeOf(reply), text: Buffer.concat(chunks).toString('utf8'), header: reply.header};
};

/** The media type of a reply, without its parameters. */
export const typeOf = (reply: StreamReply): string =>
  (reply.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The JSON-RPC error that a refusal, or an answer to nobody, carries, which is the server's own word to the assistant. */
export const rpcErrorIn = ({text}: Pick<Refusal, 'text'>): object | undefined => {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) && isObject(value.error) && typeof value.error.code === 'number' ? value.error : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Whether the server has forgotten the session: 404 by the protocol (MCP 2025-11-25, session management), and 400 with a
 * word about it from servers that take any unknown session for a missing one.
 */
export const isSessionLost = ({status, text}: Refusal): boolean =>
  status === 404 || (status === 400 && /session/i.test(text));

/** What a refusal means, as a sentence for the person behind the assistant. */
export const refusalError = ({status, type, text, header}: Refusal, url: URL): SetupError => {
  const {href} = url;
  const about = {url: href};
  // A page is for browsers; its markup explains nothing in a sentence.
  const said = type === 'text/html' ? '' : cleanText(text);
  const answered = `${href} answered ${status}${said === '' ? '' : `: ${said}`}.`;
  const moved = portalIn({status, header, body: text}, url) ?? redirectError({status, header}, url);
  if (moved) return moved;
  if (status === 403 && isHostRefused(said)) return hostRefused(answered, about);
  if (status === 403) {
    const challenge = challengeIn(header('www-authenticate'));
    return new SetupError('auth-permission-missing', `${answered}${challengeText(challenge)}`, {
      about: deniedAbout(url, challenge),
    });
  }
  const busy = busyError(href, {status, header}, {about, reason: said});
  return busy ?? new SetupError(codeOfStatus(status), answered, {about});
};

/** What is known of a denial by its challenge. */
export const deniedAbout = ({href}: URL, challenge: Challenge): About => {
  const demanded = demandedScopes(challenge);
  return {url: href, ...(demanded === undefined ? {} : {demanded})};
};

/** A server that listens on loopback answers only to its own names, so that no web page can reach it by another one. */
export const isHostRefused = (reason: string): boolean => /invalid host header/i.test(reason);

/** That is no permission that an account lacks. */
export const hostRefused = (message: string, about: About): SetupError =>
  new SetupError('platform-rejected', message, {
    about,
    remedy: 'The server does not accept this host name. Use its own address, or ask its operators to allow this one.',
  });

/** What a server says of a token that it does not take, in words that may be shown. */
export type Challenge = {
  /** Why, for programs (RFC 6750 3.1). */
  readonly error?: string;
  /** Why, for people (RFC 6750 3). */
  readonly description?: string;
  /** What the token would have to be good for: scopes, with spaces between (RFC 6750 3.1, MCP 2025-11-25 authorization). */
  readonly scope?: string;
  /** Where its metadata as a protected resource are (RFC 9728 5.1). */
  readonly resourceMetadata?: string;
};

/** More than all headers together have, in characters. */
const LONGEST_HEADERS = 32 * 1024;

/** What names are made of (RFC 9110 5.6.2), and values without quotes. */
const [token, plainValue, blanks] = [/[\w!#$%&'*+.^`|~-]+/y, /[^\s,"]+/y, /\s*/y];

/**
 * The parameters of a challenge: names, and values as tokens or in quotes (RFC 9110 11.2). It is read from its start to its
 * end, once, and what is no parameter is passed over.
 */
function* parametersIn(header: string): Generator<readonly [name: string, value: string], void, void> {
  const take = (expression: RegExp, at: number): string => {
    expression.lastIndex = at;
    return expression.exec(header)?.[0] ?? '';
  };
  let at = 0;
  while (at < header.length) {
    const name = take(token, at);
    at += Math.max(name.length, 1);
    if (name === '') continue;
    const equals = at + take(blanks, at).length;
    if (header[equals] !== '=') continue;
    at = equals + 1;
    at += take(blanks, at).length;
    if (header[at] === '"') {
      const end = endOfQuoted(header, at);
      if (end < 0) return;
      yield [name, header.slice(at + 1, end).replaceAll(/\\([\s\S])/g, '$1')];
      at = end + 1;
    } else {
      const value = take(plainValue, at);
      if (value !== '') yield [name, value];
      at += value.length;
    }
  }
}

/** Where a quoted text ends that begins at `start`; -1 where it does not. A backslash takes what follows as it is. */
const endOfQuoted = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return -1;
};

/** @param header the values of `WWW-Authenticate`, joined by commas */
export const challengeIn = (header: string | undefined): Challenge => {
  const found = new Map<string, string>();
  for (const [name, value] of parametersIn((header ?? '').slice(0, LONGEST_HEADERS))) {
    const text = cleanText(value);
    if (text !== '' && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), text);
  }
  const [error, description, scope] = [found.get('error'), found.get('error_description'), found.get('scope')];
  const resourceMetadata = found.get('resource_metadata');
  return {
    ...(error === undefined ? {} : {error}),
    ...(description === undefined ? {} : {description}),
    ...(scope === undefined ? {} : {scope}),
    ...(resourceMetadata === undefined ? {} : {resourceMetadata}),
  };
};

/** The scopes that a token has to have which was found good (RFC 6750 3.1); undefined where that is not what is wrong. */
export const demandedScopes = ({error, scope}: Challenge): readonly string[] | undefined =>
  error === 'insufficient_scope' ? scope?.split(/\s+/).filter(one => one !== '') : undefined;

/** The same as sentences behind others, each with a space before it; empty where the server says nothing. */
export const challengeText = ({description, scope}: Challenge): string =>
  [
    description === undefined ? '' : ` The server says: ${ended(description)}`,
    scope === undefined ? '' : ` It asks for the scope: ${ended(scope)}`,
  ].join('');

const ended = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);
