import {SetupError} from '../errors/errors.ts';
import {findMetadata} from '../identity-providers/identity-provider.ts';
import {challengeIn} from '../mcp/refusal.ts';
import type {HttpReply, Ports} from '../ports/ports.ts';
import {cleanText} from '../text.ts';
import type {Run} from './flow.ts';
import {checkNamed, namedAddress} from './foreign-address.ts';
import {isSuccess, type JsonObject, readJson, statusError} from './http-answers.ts';

type Metadata = {
  readonly document: JsonObject;
  readonly address: URL;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
};

/**
 * Reads the metadata of an identity provider, wherever it is (RFC 8414 3.1, OpenID Connect Discovery 4.1). If it is
 * nowhere, the answer of the usual address is reported.
 *
 * @throws SetupError by the first answer that is neither a success nor 404, or by the first of all answers
 */
export const readMetadata = async (issuer: string, get: (address: URL) => Promise<HttpReply>): Promise<Metadata> => {
  let first: {readonly reply: HttpReply; readonly address: URL} | undefined;
  const found = await findMetadata(issuer, async address => {
    const reply = await get(address);
    first ??= {reply, address};
    return reply.status === 404 ? undefined : {reply, address};
  });
  const answer = found ?? first;
  if (!answer) throw new Error('There is a usual place.');
  const {reply, address} = answer;
  if (!isSuccess(reply)) throw statusError(reply, address, {isOpen: true});
  return {document: readJson(reply, address), address, ms: reply.ms};
};

/** The endpoints that receive a credential, or return keys (RFC 8414 2). */
const endpoints = [
  ...['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'],
  'pushed_authorization_request_endpoint',
];

/**
 * Requires that an identity provider’s endpoints can be called: that each is an address, and that none sends a
 * credential to a host that the person never named (RFC 9700 4.4). Some providers have endpoints on other hosts. Those
 * are accepted if the issuer's own document names them over TLS, unless they lead into a network that the issuer is not
 * in.
 *
 * @throws SetupError `platform-invalid-answer`, `auth-endpoint-foreign`
 */
export const requireEndpoints = async (
  metadata: JsonObject,
  issuer: string,
  ports: Pick<Ports, 'network'>,
): Promise<void> => {
  const own = new URL(issuer);
  const about = {url: issuer};
  for (const name of endpoints) {
    const address = metadata[name];
    if (address === undefined) continue;
    const url = namedAddress(address);
    if (!url) {
      const message = `${issuer} names a ${name} that can’t be called.`;
      throw new SetupError('platform-invalid-answer', message, {about});
    }
    if (url.hostname === own.hostname) continue;
    if (own.protocol === 'https:' && url.protocol === 'https:') {
      await checkNamed(url, own, ports);
      continue;
    }
    throw new SetupError('auth-endpoint-foreign', `${issuer} names a ${name} at another host, ${url.origin}.`, {about});
  }
};

type Mismatch = {
  /** The flag with which a person can pass the address that the provider names. */
  readonly flag?: 'auth-url' | 'issuer';
  readonly cause?: unknown;
};

/**
 * Returns the error for an identity provider that names another issuer than the address by which it is known (RFC 8414
 * 3.3).
 *
 * @param issuer the address by which it is known
 * @param called the issuer that it names; undefined if that is not known
 */
export const issuerMismatch = (
  issuer: string,
  called: string | undefined,
  {flag = 'auth-url', ...options}: Mismatch = {},
): SetupError => {
  const shown = called === undefined ? undefined : cleanText(called);
  const address = shown ?? 'URL';
  const message =
    shown === undefined
      ? `${issuer} gives a different address as its own.`
      : `${issuer} identifies itself as ${shown}, but ${issuer} was expected.`;
  return new SetupError('auth-issuer-mismatch', message, {
    ...options,
    remedy: {
      do: 'Ask its operators to correct its external address, then try again.',
      flag: `If they say that the other address is right, pass --${flag} ${address}.`,
    },
    about: {url: issuer, flag, ...(shown === undefined ? {} : {called: shown})},
  });
};

/** Returns the metadata without members that should be lists and are not: they count as absent. */
export const withoutFalseLists = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => {
      if (!name.endsWith('_supported') || typeof value === 'boolean') return true;
      return Array.isArray(value) && value.every(one => typeof one === 'string');
    }),
  );

/**
 * Returns the issuer that metadata names.
 *
 * @throws SetupError `platform-invalid-answer` if it names none, or none that is an address
 */
export const issuerIn = ({issuer}: JsonObject, {href}: URL): string => {
  if (typeof issuer === 'string' && namedAddress(issuer)) return issuer;
  const what =
    typeof issuer === 'string' && issuer !== '' ? `an issuer that is not a URL: ${cleanText(issuer)}` : 'no issuer';
  throw new SetupError('platform-invalid-answer', `${href} names ${what}.`, {about: {url: href}});
};

/** The request to a server without a token: the smallest one that every MCP server understands. */
const knock = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});

/**
 * Sends a request without a token to an MCP server, which answers with its challenge (MCP 2025-11-25, authorization).
 * Redirects are returned and not followed.
 *
 * @param look with the `timeout` in milliseconds
 */
export const knockAt = (
  url: URL,
  {ports, signal, tell}: Run,
  look: {readonly timeout: number; readonly isQuick?: boolean},
): Promise<HttpReply> => {
  const headers = {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream'};
  const request = {method: 'POST', url, headers, body: knock, redirects: 'answer', ...look} as const;
  return ports.http.send(request, {signal, report: tell});
};

/**
 * Returns the address that a server names for its metadata (`resource_metadata`, RFC 9728 5.1), which comes before the
 * usual address.
 *
 * @returns undefined if it names none, or an address to which no request may be sent
 * @throws the reason that stops the run
 */
export const challengedMetadata = async (
  url: URL,
  run: Run,
  look: {readonly timeout: number; readonly isQuick?: boolean},
): Promise<URL | undefined> => {
  try {
    const reply = await knockAt(url, run, look);
    if (reply.status !== 401) return undefined;
    const address = namedAddress(challengeIn(reply.header('www-authenticate')).resourceMetadata);
    if (!address) return undefined;
    await checkNamed(address, url, run.ports);
    return address;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return undefined;
  }
};

/**
 * An issuer has no query (RFC 8414 2). People copy it into a shell, so quotes, spaces and characters such as `$`, `&`
 * and `;` are refused.
 */
const issuer = /^https?:\/\/[\w.~%:/@+,=![\]-]+$/;

/**
 * Returns the identity provider that a resource says it trusts (RFC 9728 2); undefined if that is not a valid address.
 */
export const authorizationServerIn = ({authorization_servers: servers}: JsonObject): string | undefined => {
  const [first] = Array.isArray(servers) ? servers : [];
  return typeof first === 'string' && namedAddress(first) && issuer.test(first) ? first : undefined;
};
