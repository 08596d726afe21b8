import {addressOf} from '../../domain/address.ts';
import {type SetupError, toSetupError} from '../../errors/errors.ts';
import {standard} from '../../identity-providers/catalogue/standard.ts';
import {recogniseProvider} from '../../identity-providers/catalogue.ts';
import {isSameButSlash} from '../../identity-providers/identity-provider.ts';
import type {CandidateAddress} from '../../platform/addresses.ts';
import type {Platform} from '../../platform/platform.ts';
import type {SelfDescription} from '../../platform/recognise.ts';
import type {Http, HttpReply} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, requireHealth, statusError, textAt} from '../http-answers.ts';
import {authorizationServerIn, challengedMetadata, issuerIn, issuerMismatch, readMetadata} from '../metadata.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';

/**
 * The result of probing one address. `version` is the release that a control plane reports; `authUrl` is the identity
 * provider that a control plane or an observer trusts.
 */
export type Probe = {readonly candidate: CandidateAddress; readonly ms: number} & (
  | {
      readonly up: true;
      readonly healthy: boolean;
      readonly version?: string;
      readonly authUrl?: string;
      readonly issuer?: string;
      /** The kind of identity provider, by its ID in the catalogue. */
      readonly kind?: string;
      /** The name that people know, if the provider is a known one that does not come with the platform. */
      readonly kindName?: string;
      /** The description that a control plane gives of itself, which shows its kind. */
      readonly self: SelfDescription;
      readonly withoutRecipe?: true;
      /** Whether an identity provider offers a sign-in with a code on another machine. */
      readonly device?: boolean;
    }
  | {readonly up: false; readonly error: SetupError}
);

type Findings = Omit<Extract<Probe, {up: true}>, 'candidate' | 'ms' | 'up' | 'self'> & {
  readonly detail: string;
  readonly self?: SelfDescription;
};

/** The time limit of a probe, in milliseconds. For a quick probe it includes the connection. */
export type Look = {readonly timeout: number; readonly isQuick: boolean};

export const quickLook: Look = {timeout: PROBE_TIMEOUT, isQuick: true};

/** Probes one candidate address and reports what is there. Rejects only when aborted. */
export const probe = async (
  candidate: CandidateAddress,
  platform: Platform,
  run: Run,
  look: Look = quickLook,
): Promise<Probe> => {
  const {ports, signal, tell} = run;
  const {service, url} = candidate;
  tell({type: 'probe-started', service, url, atMost: look.timeout});
  const started = ports.clock.monotonic();
  const elapsed = () => Math.round(ports.clock.monotonic() - started);
  const get = (at: string | URL) => {
    const request = {method: 'GET', url: typeof at === 'string' ? addressOf(url, at) : at, ...look} as const;
    return ports.http.send(request, {signal, report: tell});
  };
  try {
    const challenged = (at: string) => challengedMetadata(addressOf(url, at), run, look);
    const {detail, self = {}, ...findings} = await lookAt[service]({get, challenged}, candidate, platform);
    const ms = elapsed();
    tell({type: 'probe-answered', service, url, outcome: findings.healthy ? 'up' : 'unhealthy', detail, ms});
    return {candidate, ms, up: true, self, ...findings};
  } catch (error) {
    signal.throwIfAborted();
    const failure = toSetupError(error);
    const ms = elapsed();
    tell({type: 'probe-answered', service, url, outcome: 'down', detail: failure.message, ms});
    return {candidate, ms, up: false, error: failure};
  }
};

/**
 * Whether a gateway answered in place of the service: the platform is there, but the service is not ready (RFC 9110
 * 15.6.3 to 15.6.5). If the answer says how long to wait, it has an error of its own.
 */
export const isStarting = (found: Probe): boolean =>
  !found.up && found.error.code !== 'platform-busy' && gatewayErrors.has(found.error.about?.status ?? 0);

const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/** Requests a path below the candidate's address, or another address. */
type Get = (at: string | URL) => ReturnType<Http['send']>;

type Asking = {
  readonly get: Get;
  /** Returns the address of the metadata that the MCP server at this path names. */
  readonly challenged: (path: string) => Promise<URL | undefined>;
};

const lookAt = {
  /**
   * `/health` shows that the service runs; its metadata shows that it is a control plane, and which identity provider
   * it trusts (RFC 9728).
   */
  'control-plane': async ({get, challenged}: Asking, {url}: CandidateAddress, {paths}: Platform): Promise<Findings> => {
    const usual = addressOf(url, paths.protectedResource);
    const [health, atUsual, version, named] = await Promise.all([
      get(paths.health),
      get(usual),
      get(paths.version),
      challenged(paths.mcp),
    ]);
    requireHealth('control-plane', health, addressOf(url, paths.health));
    const metadataUrl = named ?? usual;
    const metadata = metadataUrl.href === usual.href ? atUsual : await get(metadataUrl);
    requireSuccess(metadata, metadataUrl);
    const document = readJson(metadata, metadataUrl);
    const authUrl = authorizationServerIn(document);
    const self = isSuccess(version) ? tryJson(version, addressOf(url, paths.version).href) : {};
    const [name, release] = ['name', 'version'].map(key => cleanText(textAt(self, key) ?? ''));
    return {
      healthy: true,
      self: {...(name ? {name} : {}), metadata: document},
      detail: release ?? 'OK',
      ...(release ? {version: release} : {}),
      ...(authUrl ? {authUrl} : {}),
    };
  },

  /**
   * Reads the provider's own metadata, whose issuer must be the requested address, except for a slash at the end (RFC
   * 8414 3.3). Its readiness shows the generation of the bundled provider: the one with `serviceStatus` refuses the
   * documented way to create clients. Only the bundled provider has that way.
   */
  'identity-provider': async (
    {get}: Asking,
    {url, issuer: wanted}: CandidateAddress,
    {paths}: Platform,
  ): Promise<Findings> => {
    const [{document, address}, readiness] = await Promise.all([
      readMetadata(url, get),
      get(paths.readiness).catch(() => undefined),
    ]);
    const issuer = issuerIn(document, address);
    if (wanted === undefined ? !isSameButSlash(issuer, url) : issuer !== wanted) {
      throw issuerMismatch(wanted ?? url, issuer, {flag: wanted === undefined ? 'auth-url' : 'issuer'});
    }
    const {id: kind, name, isBundled = false} = recogniseProvider(issuer, document);
    const named = isBundled || kind === standard.id ? {} : {kindName: name};
    const isClosed = readiness !== undefined && 'serviceStatus' in tryJson(readiness, url);
    const device = textAt(document, 'device_authorization_endpoint') !== undefined;
    const withoutRecipe = isClosed || !isBundled;
    return {
      healthy: true,
      detail: 'ready',
      issuer,
      kind,
      ...named,
      device,
      ...(withoutRecipe ? {withoutRecipe: true} : {}),
    };
  },

  /** An observer answers with JSON in both cases: with 200 if it is healthy, with 503 if its storage is not. */
  observer: async ({get}: Asking, {url}: CandidateAddress, {paths}: Platform): Promise<Findings> => {
    const [reply, metadata] = await Promise.all([
      get(paths.health),
      get(paths.protectedResource).catch(() => undefined),
    ]);
    const isKnown = reply.status === 503 && textAt(tryJson(reply, url), 'status') !== undefined;
    if (!isKnown) requireHealth('observer', reply, addressOf(url, paths.health));
    const authUrl = metadata && isSuccess(metadata) ? authorizationServerIn(tryJson(metadata, url)) : undefined;
    const healthy = isSuccess(reply);
    return {healthy, detail: healthy ? 'OK' : 'unhealthy', ...(authUrl ? {authUrl} : {})};
  },
};

const tryJson = (reply: HttpReply, url: string): JsonObject => {
  try {
    return readJson(reply, new URL(url));
  } catch {
    return {};
  }
};

const requireSuccess = (reply: HttpReply, url: URL) => {
  if (!isSuccess(reply)) throw statusError(reply, url, {isOpen: true});
};
