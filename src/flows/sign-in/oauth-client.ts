import type {Configuration, CustomFetch, ServerMetadata} from 'openid-client';
import {isRefreshToken} from '../../domain/tokens.ts';
import {findSetupError, SetupError} from '../../errors/errors.ts';
import {providerOf, recogniseProvider} from '../../identity-providers/catalogue.ts';
import {findMetadata, type IdentityProvider, type Stage} from '../../identity-providers/identity-provider.ts';
import {parseJson} from '../../json.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {portalIn} from '../../ports/network/portal.ts';
import {isSuccess, type JsonObject, readJson, statusError} from '../answers.ts';
import type {Run} from '../flow.ts';
import {issuerIn, issuerMismatch, requireEndpoints, withoutFalseLists} from '../provider-metadata.ts';
import {authenticate, type ClientAuthentication} from './client-authentication.ts';
import {statusOf, translate} from './oauth-errors.ts';
import {endpointError, forLibrary, withoutEcho, withShortPause} from './oauth-fetch.ts';
import type {AskedToken} from './token-request.ts';
import {checkDate, checkTokens, lifeByToken, tokensIn} from './token-response.ts';

/** No answer is kept for longer, whatever it allows, and one that says nothing is kept for as long. In milliseconds: a day. */
const LONGEST = 24 * 60 * 60 * 1000;

/**
 * How long an answer may be kept, as its `Cache-Control` says (RFC 9111 5.2.2).
 *
 * @param header gives a header by its name in lower case
 * @returns milliseconds; 0 where it may not be kept, or only be asked for again
 */
export const freshFor = (header: (name: string) => string | null | undefined): number => {
  const words = (header('cache-control') ?? '')
    .toLowerCase()
    .split(',')
    .map(word => word.trim());
  if (words.includes('no-store') || words.includes('no-cache')) return 0;
  const age = words.find(word => word.startsWith('max-age='))?.slice('max-age='.length);
  if (age === undefined || !/^"?\d+"?$/.test(age)) return LONGEST;
  const spent = Number(header('age') ?? 0) || 0;
  return Math.min(Math.max(Number(age.replaceAll('"', '')) - spent, 0) * 1000, LONGEST);
};

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  /**
   * Whether the times in ID tokens are left alone: for a request that uses up what it is made with, and must not fail
   * after that because a clock is wrong.
   */
  readonly anyTime?: true;
  /**
   * Whether what the identity provider said of itself before will do, for as long as its answers allow: for a renewal,
   * which nobody is there to wait for. Absent for what a person waits for.
   */
  readonly fromKept?: boolean;
  /** Whether it is to be taken for a provider that keeps to the standards, whichever kind it looks like. */
  readonly isStandard?: boolean | undefined;
};

export type OAuthClient = {
  readonly library: typeof import('openid-client');
  readonly configuration: Configuration;
  /** What the configuration's requests go through. */
  readonly fetch: CustomFetch;
  /** Which kind of identity provider it is. */
  readonly provider: IdentityProvider;
  /** The scopes that it lists, where it does. */
  readonly scopesSupported: readonly string[] | undefined;
  /** Runs a request of the library's and translates what it throws: by what was asked, and at which stage. */
  readonly attempt: <Output>(
    request: (configuration: Configuration) => Promise<Output>,
    asking?: {readonly at?: Stage; readonly asked?: AskedToken; readonly redirectUri?: string},
  ) => Promise<Output>;
  /**
   * Fetches the keys of ID tokens now, which else happens when one has come: for a request that uses up what it is made
   * with, and must not fail after that for want of them.
   */
  readonly fetchKeys: () => Promise<void>;
  /** The refresh token in the last answer, also where the library did not take that answer. */
  readonly refreshTokenBrought: () => string | undefined;
  /** Whether the metadata is from an earlier run. */
  readonly isFromKept: boolean;
};

/**
 * An OAuth client of an identity provider whose metadata is its own (RFC 8414 3.3), through openid-client, loaded here
 * because nothing before needs it. ID tokens have their signature checked, on any channel. Metadata is looked for as
 * OpenID Connect has it, then as RFC 8414.
 *
 * @throws SetupError `platform-*`, `network-*`, `auth-endpoint-foreign`
 */
export const oauthClient = async (input: Input, {ports, signal, tell}: Run): Promise<OAuthClient> => {
  const {issuer, clientId, authentication, fromKept = false} = input;
  const library = await import('openid-client');
  const send = ports.http.fetch({signal, report: tell});
  let skew: number | undefined;
  let brought: string | undefined;
  let hasIdToken = false;
  const fetch: CustomFetch = async (url, options) => {
    const ask = () => send(url, options as RequestInit);
    // A renewal is left alone for as long by every process together.
    const answered = input.fromKept === undefined ? await withShortPause(ask, {ports, signal}) : await ask();
    const response = await withoutEcho(answered, options);
    const header = (name: string) => response.headers.get(name) ?? undefined;
    const body = await response.clone().text();
    const {status} = response;
    const asked = {url: new URL(url), status, header, body, issuer, clientId, authentication};
    const wrong =
      options.method === 'POST'
        ? endpointError(asked)
        : response.ok
          ? portalIn({status, header, body}, new URL(url))
          : statusError({status, header, body, ms: 0}, new URL(url), {isOpen: true});
    if (wrong) throw wrong;
    if (!response.ok) return forLibrary(asked, response);
    // Metadata and keys; of the library's words for what is wrong with them, some are those for an ID token.
    if (response.ok && options.method !== 'POST') readJson({status, header, body, ms: 0}, new URL(url));
    const answer = response.ok && options.method === 'POST' ? tokensIn(body) : {};
    if (options.method === 'POST') hasIdToken = answer.hasIdToken === true;
    if (response.ok && options.method === 'POST') {
      brought = isRefreshToken(answer.refreshToken) ? answer.refreshToken : undefined;
    }
    checkTokens(answer, new URL(url));
    if (answer.isBound) throw boundToKey(issuer, clientId);
    const stated = Date.parse(response.headers.get('date') ?? '');
    const date = Number.isNaN(stated) ? undefined : stated;
    const then = date ?? answer.issuedAt;
    if (then !== undefined) skew = ports.clock.now() - then;
    checkDate(answer, issuer, {server: date, own: input.anyTime ? undefined : ports.clock.now()});
    const life = lifeByToken(answer, date);
    if (life === undefined) return response;
    // The library reads it from the answer, as everything that counts the end of a token does.
    const {headers} = response;
    return new Response(JSON.stringify({...JSON.parse(body), expires_in: life}), {status, headers});
  };
  let provider = recogniseProvider(issuer);
  const attempt = async <Output>(request: () => Promise<Output>, asking: Asking = {}): Promise<Output> => {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      const {at = 'token', ...rest} = asking;
      throw findSetupError(error) ?? translate(error, {...input, ...rest, provider, at, skew, hasIdToken}, library);
    }
  };
  // Our own fetch decides where plain http may go; the library only knows all or nothing.
  const settings = [library.allowInsecureRequests, library.enableNonRepudiationChecks];
  const kept = fromKept ? await ports.providers.get(issuer) : {};
  const metadata = kept.metadata?.body ?? (await attempt(() => readMetadata(input, library, {fetch, settings, ports})));
  provider = input.isStandard ? providerOf('standard') : recogniseProvider(issuer, metadata);
  const times = input.anyTime ? {[library.clockTolerance]: ANY_TIME} : {};
  const server = withoutFalseLists(metadata) as unknown as ServerMetadata;
  const configuration = new library.Configuration(server, clientId, times, authenticate(authentication, library));
  configuration[library.customFetch] = fetch;
  // Its own timer fires before the socket is read where the process was suspended; what goes out has a deadline of ours.
  configuration.timeout = 0;
  for (const set of settings) set(configuration);
  // The library takes `https://idp` and `https://idp/` for the same; the tokens that name one are not for the other.
  if (configuration.serverMetadata().issuer !== issuer)
    throw issuerMismatch(issuer, configuration.serverMetadata().issuer);
  await requireEndpoints(metadata, issuer, ports);

  const fetchKeys = async () => {
    const {jwks_uri: address} = configuration.serverMetadata();
    if (address === undefined) return;
    const body = kept.keys?.body ?? (await readKeys(new URL(address), issuer, {ports, signal, tell}));
    // So old that the library asks for them again when one is not among them, and not otherwise.
    const uat = Math.floor(ports.clock.now() / 1000) - KEYS_AGE;
    library.setJwksCache(configuration, {jwks: body as unknown as JwksCache['jwks'], uat});
  };
  return {
    ...{library, configuration, fetch, fetchKeys, provider},
    scopesSupported: configuration.serverMetadata().scopes_supported,
    attempt: (request, asking) => attempt(() => request(configuration), asking),
    refreshTokenBrought: () => brought,
    isFromKept: kept.metadata !== undefined,
  };
};

type Asking = NonNullable<Parameters<OAuthClient['attempt']>[1]>;

/** As far as a token may be from this machine's clock where that is not asked about, in seconds: a hundred years. */
const ANY_TIME = 100 * 365 * 24 * 3600;

/** oauth4webapi takes keys that are less than a minute old for all that there are, and those of five minutes for old. */
const KEYS_AGE = 61;

type JwksCache = Parameters<typeof import('openid-client').setJwksCache>[1];

type Reading = Pick<Run, 'ports'> & {
  readonly fetch: CustomFetch;
  readonly settings: readonly ((configuration: Configuration) => void)[];
};

/** Metadata as OpenID Connect has it, then as RFC 8414; kept for renewals, as long as the answer allows. */
const readMetadata = async (
  {issuer, clientId, authentication}: Input,
  library: typeof import('openid-client'),
  {fetch, settings, ports}: Reading,
): Promise<Readonly<Record<string, unknown>>> => {
  let allowed = 0;
  const discover = (address: URL) =>
    library.discovery(new URL(issuer), clientId, undefined, authenticate(authentication, library), {
      [library.customFetch]: async (_, options) => {
        const response = await fetch(address.href, options);
        requireIssuer(await response.clone().text(), address);
        allowed = freshFor(name => response.headers.get(name));
        return response;
      },
      execute: [...settings],
    });
  let absent: unknown;
  const discovered = await findMetadata(issuer, address =>
    discover(address).catch(error => {
      if (statusOf(error) !== 404) throw error;
      absent ??= error;
      return undefined;
    }),
  );
  if (!discovered) throw absent;
  const body = {...discovered.serverMetadata()} as Readonly<Record<string, unknown>>;
  const until = ports.clock.now() + allowed;
  await ports.providers.put(issuer, {metadata: allowed > 0 ? {body, until} : undefined, keys: undefined});
  return body;
};

/** The library takes an issuer for an address before it looks. What is no object it says itself. */
const requireIssuer = (body: string, address: URL) => {
  try {
    const value: unknown = parseJson(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) issuerIn(value as JsonObject, address);
  } catch (error) {
    if (error instanceof SetupError) throw error;
  }
};

const readKeys = async (url: URL, issuer: string, {ports, signal, tell}: Run) => {
  const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
  if (!isSuccess(reply)) throw statusError(reply, url, {isOpen: true});
  const {keys} = readJson(reply, url);
  if (!Array.isArray(keys)) {
    const message = `${showUrl(url)} did not return the keys that sign its ID tokens.`;
    throw new SetupError('platform-invalid-answer', message, {about: {url: showUrl(url)}});
  }
  const allowed = freshFor(reply.header);
  const until = ports.clock.now() + allowed;
  await ports.providers.put(issuer, {keys: allowed > 0 ? {body: {keys}, until} : undefined});
  return {keys};
};

const boundToKey = (issuer: string, clientId: string) =>
  new SetupError('auth-dpop-required', `${issuer} issues only DPoP-bound tokens to ${clientId}.`, {
    about: {url: issuer},
  });
