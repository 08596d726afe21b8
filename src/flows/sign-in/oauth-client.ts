import type {Configuration, CustomFetch, ServerMetadata} from 'openid-client';
import {isRefreshToken} from '../../domain/tokens.ts';
import {findSetupError, SetupError} from '../../errors/errors.ts';
import {providerOf, recogniseProvider} from '../../identity-providers/catalogue.ts';
import {findMetadata, type IdentityProvider, type RequestStage} from '../../identity-providers/identity-provider.ts';
import {parseJson} from '../../json.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {Response} from '../../ports/network/fetch-classes.ts';
import {portalIn} from '../../ports/network/portal.ts';
import type {Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, statusError} from '../http-answers.ts';
import {issuerIn, issuerMismatch, requireEndpoints, withoutFalseLists} from '../metadata.ts';
import {authenticate, type ClientAuthentication} from './client-authentication.ts';
import {statusOf, translate} from './oauth-errors.ts';
import {endpointError, forLibrary, withoutEcho, withShortPause} from './oauth-fetch.ts';
import type {AskedToken} from './request-parameters.ts';
import {checkDate, checkTokens, lifeByToken, tokensIn} from './token-response.ts';

/**
 * The longest time for which an answer is kept, whatever it allows, and the time for an answer that names none. In
 * milliseconds: a day.
 */
const LONGEST = 24 * 60 * 60 * 1000;

/**
 * Returns how long an answer may be kept, by its `Cache-Control` (RFC 9111 5.2.2).
 *
 * @param header returns a header by its name in lower case
 * @returns milliseconds; 0 if the answer must not be stored, or must not be used without asking the server again
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
   * True to ignore the times in ID tokens: for a renewal, which uses up the refresh token and must not fail afterwards
   * because of a wrong clock.
   */
  readonly anyTime?: true;
  /**
   * Whether stored metadata and keys may be used, for as long as their answers allow. Absent if a person waits: a
   * request is then sent again after a short pause that a busy server asks for.
   */
  readonly fromKept?: boolean;
  /** Whether to treat the provider as one that follows the standards, whatever kind it looks like. */
  readonly isStandard?: boolean | undefined;
};

export type OAuthClient = {
  readonly library: typeof import('openid-client');
  readonly configuration: Configuration;
  /** The fetch function that the configuration's requests use. */
  readonly fetch: CustomFetch;
  /** The kind of identity provider. */
  readonly provider: IdentityProvider;
  /** The scopes that the metadata lists, if it does. */
  readonly scopesSupported: readonly string[] | undefined;
  /** Runs a request of the library and translates its errors, by what was asked and at which stage. */
  readonly attempt: <Output>(
    request: (configuration: Configuration) => Promise<Output>,
    asking?: {readonly at?: RequestStage; readonly asked?: AskedToken; readonly redirectUri?: string},
  ) => Promise<Output>;
  /**
   * Fetches the keys for ID tokens now instead of when the first ID token comes: for a renewal, which uses up the
   * refresh token and must not fail afterwards because the keys are missing.
   */
  readonly fetchKeys: () => Promise<void>;
  /** The refresh token in the last answer, even if the library rejected that answer. */
  readonly refreshTokenBrought: () => string | undefined;
  /** Whether the metadata is from an earlier run. */
  readonly isFromKept: boolean;
};

/**
 * Creates an OAuth client for an identity provider, whose metadata has to name the requested issuer (RFC 8414 3.3).
 * Uses openid-client, which is loaded here because nothing needs it earlier. The signature of an ID token is checked
 * even if the token comes straight from the token endpoint. The metadata is read as OpenID Connect defines it, or else
 * as RFC 8414 does.
 *
 * @throws SetupError `platform-*`, `network-*`, `auth-issuer-mismatch`, `auth-endpoint-foreign`
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
    // For a renewal, the pause is stored instead, and holds for every process.
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
    // Invalid JSON is reported here, because the library reports some faults in metadata and keys with the same errors
    // as faults in an ID token.
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
    // The library reads the lifetime from the answer, as does everything that computes the end of a token.
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
  // Our own fetch decides where plain http is allowed; the library can only allow it everywhere or nowhere.
  const settings = [library.allowInsecureRequests, library.enableNonRepudiationChecks];
  const cached = fromKept ? await ports.providers.get(issuer) : {};
  const metadata =
    cached.metadata?.body ?? (await attempt(() => readMetadata(input, library, {fetch, settings, ports})));
  provider = input.isStandard ? providerOf('standard') : recogniseProvider(issuer, metadata);
  const times = input.anyTime ? {[library.clockTolerance]: ANY_TIME} : {};
  const server = withoutFalseLists(metadata) as unknown as ServerMetadata;
  const configuration = new library.Configuration(server, clientId, times, authenticate(authentication, library));
  configuration[library.customFetch] = fetch;
  // If the process was suspended, the library's timer fires before the socket is read. Our own requests have a
  // deadline.
  configuration.timeout = 0;
  for (const set of settings) set(configuration);
  // The library treats `https://idp` and `https://idp/` as the same, but the tokens of one are not valid for the other.
  if (configuration.serverMetadata().issuer !== issuer)
    throw issuerMismatch(issuer, configuration.serverMetadata().issuer);
  await requireEndpoints(metadata, issuer, ports);

  const fetchKeys = async () => {
    const {jwks_uri: address} = configuration.serverMetadata();
    if (address === undefined) return;
    const body = cached.keys?.body ?? (await readKeys(new URL(address), issuer, {ports, signal, tell}));
    // The keys count as old enough that the library fetches them again if one is missing, but not otherwise.
    const uat = Math.floor(ports.clock.now() / 1000) - KEYS_AGE;
    library.setJwksCache(configuration, {jwks: body as unknown as JwksCache['jwks'], uat});
  };
  return {
    ...{library, configuration, fetch, fetchKeys, provider},
    scopesSupported: configuration.serverMetadata().scopes_supported,
    attempt: (request, asking) => attempt(() => request(configuration), asking),
    refreshTokenBrought: () => brought,
    isFromKept: cached.metadata !== undefined,
  };
};

type Asking = NonNullable<Parameters<OAuthClient['attempt']>[1]>;

/** The largest distance of a token from this machine's clock if times are ignored, in seconds: a hundred years. */
const ANY_TIME = 100 * 365 * 24 * 3600;

/**
 * The age that is given to fetched keys, in seconds. oauth4webapi treats keys that are less than a minute old as
 * complete, and keys that are five minutes old as outdated.
 */
const KEYS_AGE = 61;

type JwksCache = Parameters<typeof import('openid-client').setJwksCache>[1];

type Reading = Pick<Run, 'ports'> & {
  readonly fetch: CustomFetch;
  readonly settings: readonly ((configuration: Configuration) => void)[];
};

/**
 * Reads the metadata as OpenID Connect defines it, or else as RFC 8414 does; stores it for renewals, as long as the
 * answer allows.
 */
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

/**
 * Checks the issuer first, because the library parses it as an address before it checks it. The library itself reports
 * a body that is not an object.
 */
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
