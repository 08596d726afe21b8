import {type About, SetupError} from '../errors/errors.ts';
import {busyError, codeOfStatus} from '../errors/http-status.ts';
import {phrase, requestFlags, signIn} from '../errors/remedy.ts';
import {parseJson} from '../json.ts';
import {failureAt} from '../ports/network/curl.ts';
import {portalIn, redirectError} from '../ports/network/portal.ts';
import type {StreamReply} from '../ports/ports.ts';
import {asSentence} from '../sentence.ts';
import {cleanText} from '../text.ts';
import {beginningOf, type ChannelReply} from './channel.ts';
import {HEADER_MISMATCH, isObject, type JsonObject, METHOD_NOT_FOUND} from './message.ts';

/** A response whose status is not a success. Its text may contain a JSON-RPC error. */
export type HttpRefusal = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
};

/** Reads a response whose status is not a success; undefined for a success. */
export const readRefusal = async (reply: StreamReply): Promise<HttpRefusal | undefined> => {
  const {status, header} = reply;
  if (status >= 200 && status < 300) return undefined;
  return {status, type: typeOf(reply), text: (await beginningOf(reply, 5_000)).toString('utf8'), header};
};

/**
 * Returns the same response.
 *
 * @throws SetupError if it is a refusal
 */
export const unlessRefused = async (reply: ChannelReply): Promise<ChannelReply> => {
  const refusal = await readRefusal(reply);
  if (refusal) throw refusalError(refusal, reply.url);
  return reply;
};

/** Returns the media type of a response, without its parameters. */
export const typeOf = (reply: StreamReply): string =>
  (reply.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/**
 * Returns the JSON-RPC error in a refusal or in an answer, which is the server's own message to the assistant;
 * undefined if there is none.
 */
export const rpcErrorIn = (text: string | Buffer): JsonObject | undefined => {
  try {
    const value: unknown = parseJson(text.toString());
    return isObject(value) && isObject(value.error) && typeof value.error.code === 'number' ? value.error : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Whether the server has forgotten the session: 404 (MCP 2025-11-25, session management), or 400 from servers that
 * treat an unknown session as a missing one. A 404 for an unknown method (JSON-RPC 2.0 5.1) says nothing about the
 * session.
 */
export const isSessionLost = ({status, text}: HttpRefusal): boolean =>
  (status === 404 && rpcErrorIn(text)?.code !== METHOD_NOT_FOUND) || (status === 400 && /session/i.test(text));

/** Whether the server lacks headers that repeat arguments of a tool. The call was not carried out. */
export const isHeaderMismatch = ({text}: HttpRefusal): boolean => rpcErrorIn(text)?.code === HEADER_MISMATCH;

/** Returns the server's own words in a refusal, made safe to show; empty for a page, whose markup explains nothing. */
const reasonIn = ({type, text}: Pick<HttpRefusal, 'type' | 'text'>): string => {
  const message = rpcErrorIn(text)?.message;
  return type === 'text/html' ? '' : cleanText(typeof message === 'string' ? message : text);
};

/** Converts a refusal to an error, with a sentence for the person behind the assistant. */
export const refusalError = ({status, type, text, header}: HttpRefusal, url: URL): SetupError => {
  const {href} = url;
  const about = {url: href};
  const detail = reasonIn({type, text});
  const answered = `${href} answered ${status}${detail === '' ? '' : `: ${detail}`}.`;
  const moved = portalIn({status, header, body: text}, url) ?? redirectError({status, header}, url);
  if (moved) return moved;
  const refused = hostRefusal({status, type, text}, url);
  if (refused) return refused;
  if (status === 403) {
    const challenge = challengeIn(header('www-authenticate'));
    const stepUp = stepUpError(url, challenge, status);
    if (stepUp) return stepUp;
    const denied = {...about, ...deniedAbout(challenge)};
    return new SetupError('auth-permission-missing', `${answered}${challengeText(challenge)}`, {about: denied});
  }
  const busy = busyError(href, {status, header}, {about, reason: detail});
  return busy ?? new SetupError(codeOfStatus(status), answered, {about});
};

/** Returns the facts about a denial that its challenge contains. */
export const deniedAbout = (challenge: Challenge): About => {
  const demanded = demandedScopes(challenge);
  return demanded === undefined ? {} : {demanded};
};

/** As `hostRefused`, for a refusal of an MCP server. */
export const hostRefusal = ({status, type, text}: Omit<HttpRefusal, 'header'>, {href}: URL): SetupError | undefined => {
  const reason = reasonIn({type, text});
  return status === 403 ? hostRefused(reason, `${href} answered ${status}: ${reason}.`, {url: href}) : undefined;
};

/**
 * Returns the error for a server on loopback that refuses an unknown host name, which protects it from web pages. The
 * account lacks no permission then. Undefined for any other reason.
 */
export const hostRefused = (reason: string, message: string, about: About): SetupError | undefined => {
  if (!/invalid host header/i.test(reason)) return undefined;
  const remedy = 'Use the server’s own address, or ask its operators to allow this host name.';
  return new SetupError('platform-rejected', message, {about, remedy});
};

/** The reason why a server does not accept a token (RFC 6750 3), in words that may be shown. */
export type Challenge = {
  /** The error code, for programs. */
  readonly error?: string | undefined;
  /** The description, for people. */
  readonly description?: string | undefined;
  /** The scopes that the token needs, separated by spaces (MCP 2025-11-25, authorization). */
  readonly scope?: string | undefined;
  /** The address of the metadata of the protected resource (RFC 9728 5.1). */
  readonly resourceMetadata?: string | undefined;
  /** The required authentication levels, separated by spaces, the preferred one first (RFC 9470 3). */
  readonly acrValues?: string | undefined;
  /** The greatest age of the sign-in, in seconds (RFC 9470 3). */
  readonly maxAge?: string | undefined;
};

/** More characters than all headers of an answer may have together. */
const LONGEST_HEADERS = 32 * 1024;

/**
 * A parameter of a challenge: a name, and a value in quotes or as a token (RFC 9110 5.6.2 and 11.2). An unterminated
 * quoted value takes the rest.
 */
const parameter = /(?<![\w!#$%&'*+.^`|~-])([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S]?)*)("?)|([^\s,"]+))/g;

/**
 * Parses a challenge.
 *
 * @param header the values of `WWW-Authenticate`, joined by commas
 */
export const challengeIn = (header: string | undefined): Challenge => {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, end, plain] of (header ?? '').slice(0, LONGEST_HEADERS).matchAll(parameter)) {
    if (end === '') break;
    const text = cleanText(plain ?? quoted?.replaceAll(/\\([\s\S])/g, '$1') ?? '');
    if (text !== '' && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), text);
  }
  return {
    error: found.get('error'),
    description: found.get('error_description'),
    scope: found.get('scope'),
    resourceMetadata: found.get('resource_metadata'),
    acrValues: found.get('acr_values'),
    maxAge: found.get('max_age'),
  };
};

/**
 * Returns the scopes that a valid token lacks (RFC 6750 3.1); undefined if the server refuses it for another reason.
 */
export const demandedScopes = ({error, scope}: Challenge): readonly string[] | undefined =>
  error === 'insufficient_scope' ? scope?.split(/\s+/).filter(one => one !== '') : undefined;

/**
 * Describes a challenge in sentences that follow others, each preceded by a space; empty if the server says nothing.
 */
export const challengeText = ({description, scope, acrValues, maxAge}: Challenge): string =>
  [
    description === undefined ? '' : ` The server says: ${asSentence(description)}`,
    scope === undefined ? '' : ` It requires the scope: ${asSentence(scope)}`,
    acrValues === undefined ? '' : ` It requires a sign-in at the level: ${asSentence(acrValues)}`,
    maxAge === undefined ? '' : ` It requires a sign-in that is at most ${maxAge} s old.`,
  ].join('');

/**
 * Describes the challenge for a token that is not valid. Its scopes tell clients without a token what to request (MCP
 * 2025-11-25, authorization), so they are left out, unless the server says `insufficient_scope`.
 */
export const refusedTokenText = ({scope, ...challenge}: Challenge): string =>
  challengeText(challenge.error === 'insufficient_scope' ? {scope, ...challenge} : challenge);

/**
 * Returns the error for a valid token of a sign-in that is too weak or too old for the server (RFC 9470 3); undefined
 * if the server refuses it for another reason. No renewal changes how a person has signed in: the next sign-in has to
 * request what the server demands.
 */
export const stepUpError = (url: URL, challenge: Challenge, status: number): SetupError | undefined => {
  if (challenge.error !== 'insufficient_user_authentication') return undefined;
  const what = `requires another way to sign in (${status}).${challengeText(challenge)}`;
  // The text becomes part of a command that a person copies into a shell.
  const acrValues = /^[\w:/.+-]+(?: [\w:/.+-]+)*$/.test(challenge.acrValues ?? '') ? challenge.acrValues : undefined;
  const maxAge = /^\d{1,9}$/.test(challenge.maxAge ?? '') ? Number(challenge.maxAge) : undefined;
  if (acrValues === undefined && maxAge === undefined) return failureAt(url, 'auth-interaction-required', what);
  const level = {...(acrValues === undefined ? {} : {acrValues}), ...(maxAge === undefined ? {} : {maxAge})};
  const ifNot =
    acrValues === undefined
      ? ''
      : ` If it is refused again, ask the identity provider’s operators how to sign in at level ${acrValues} with this client.`;
  const remedy = {do: `Sign in again in that way.${ifNot}`, flag: phrase`Run ${signIn(requestFlags(level))}.`};
  return failureAt(url, 'auth-interaction-required', what, {remedy, about: {level}});
};

/** Whether the header of a refusal says what the token lacks, which the body cannot tell an assistant. */
export const isDemand = ({status, header}: HttpRefusal): boolean => {
  const {error} = challengeIn(header('www-authenticate'));
  return status === 403 && (error === 'insufficient_scope' || error === 'insufficient_user_authentication');
};
