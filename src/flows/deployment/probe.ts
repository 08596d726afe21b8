import {addressOf} from '../../domain/address.ts';
import {SetupError, toSetupError} from '../../errors/errors.ts';
import type {Candidate} from '../../platform/candidates.ts';
import type {Platform} from '../../platform/platform.ts';
import type {SelfDescription} from '../../platform/recognise.ts';
import type {Http, HttpReply} from '../../ports/network/http.ts';
import {cleanText} from '../../text.ts';
import {isSuccess, type JsonObject, readJson, statusError, textAt} from '../answers.ts';
import type {Run} from '../reporting.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';

/** What one address turned out to be. `version` and `authUrl` are what a control plane says of its platform. */
export type Probe = {readonly candidate: Candidate; readonly ms: number} & (
  | {
      readonly up: true;
      readonly healthy: boolean;
      readonly version?: string;
      readonly authUrl?: string;
      readonly issuer?: string;
      /** What a control plane says of itself, by which its kind is told. */
      readonly self: SelfDescription;
      readonly withoutRecipe?: true;
      /** Whether an identity provider offers a sign-in by a code on another machine. */
      readonly device?: boolean;
    }
  | {readonly up: false; readonly error: SetupError}
);

type Findings = Omit<Extract<Probe, {up: true}>, 'candidate' | 'ms' | 'up' | 'self'> & {
  readonly detail: string;
  readonly self?: SelfDescription;
};

/** How long a look may take, in milliseconds. A quick one counts the connection in. */
export type Look = {readonly timeout: number; readonly isQuick: boolean};

export const quickLook: Look = {timeout: PROBE_TIMEOUT, isQuick: true};

/** Looks at one candidate address and tells what is there. Rejects only when cancelled. */
export const probe = async (
  candidate: Candidate,
  platform: Platform,
  {ports, signal, tell}: Run,
  look: Look = quickLook,
): Promise<Probe> => {
  const {service, url} = candidate;
  tell({type: 'probe-started', service, url, atMost: look.timeout});
  const started = ports.clock.monotonic();
  const elapsed = () => Math.round(ports.clock.monotonic() - started);
  const get = (path: string) => {
    const request = {method: 'GET', url: addressOf(url, path), ...look} as const;
    return ports.http.send(request, {signal, report: tell});
  };
  try {
    const {detail, self = {}, ...findings} = await lookAt[service](get, url, platform);
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

type Get = (path: string) => ReturnType<Http['send']>;

const lookAt = {
  /** `/health` tells that it lives, its metadata that it is a control plane and which identity provider it trusts (RFC 9728). */
  'control-plane': async (get: Get, url: string, {paths}: Platform): Promise<Findings> => {
    const [health, metadata, version] = await Promise.all([
      get(paths.health),
      get(paths.protectedResource),
      get(paths.version),
    ]);
    requireSuccess(health, addressOf(url, paths.health));
    const metadataUrl = addressOf(url, paths.protectedResource);
    requireSuccess(metadata, metadataUrl);
    const document = readJson(metadata, metadataUrl);
    const authUrl = authorizationServerIn(document);
    const told = isSuccess(version) ? tryJson(version, addressOf(url, paths.version).href) : {};
    const [name, release] = ['name', 'version'].map(key => cleanText(textAt(told, key) ?? ''));
    return {
      healthy: true,
      self: {...(name ? {name} : {}), metadata: document},
      detail: release ?? 'OK',
      ...(release ? {version: release} : {}),
      ...(authUrl ? {authUrl} : {}),
    };
  },

  /**
   * Its own discovery document, whose issuer must be the address it was asked at (RFC 8414 3.3); and how it says that it
   * is ready, by which the bundled provider's generations are told apart: the one with `serviceStatus` has closed the way
   * in which the documentation creates clients.
   */
  'identity-provider': async (get: Get, url: string, {paths}: Platform): Promise<Findings> => {
    const path = '/.well-known/openid-configuration';
    const [reply, readiness] = await Promise.all([get(path), get(paths.readiness).catch(() => undefined)]);
    requireSuccess(reply, addressOf(url, path));
    const metadata = readJson(reply, addressOf(url, path));
    const issuer = textAt(metadata, 'issuer');
    if (issuer === undefined)
      throw new SetupError('platform-invalid-answer', `${url}${path} names no issuer.`, {about: {url}});
    if (issuer !== url) {
      throw new SetupError('platform-invalid-answer', `${url} calls itself ${issuer}, which is another address.`, {
        remedy: `Pass the identity provider’s own address: --auth-url ${issuer}.`,
        about: {url, flag: 'auth-url'},
      });
    }
    const isClosed = readiness !== undefined && 'serviceStatus' in tryJson(readiness, url);
    const device = textAt(metadata, 'device_authorization_endpoint') !== undefined;
    return {healthy: true, detail: 'ready', issuer, device, ...(isClosed ? {withoutRecipe: true} : {})};
  },

  /** JSON either way: 200 when healthy, 503 when its storage is not. */
  observer: async (get: Get, url: string, {paths}: Platform): Promise<Findings> => {
    const [reply, metadata] = await Promise.all([
      get(paths.health),
      get(paths.protectedResource).catch(() => undefined),
    ]);
    if (reply.status !== 503) requireSuccess(reply, addressOf(url, paths.health));
    const status = textAt(readJson(reply, addressOf(url, paths.health)), 'status');
    if (status === undefined)
      throw new SetupError('platform-no-such-endpoint', `${url} is not an observer.`, {about: {url}});
    const authUrl = metadata && isSuccess(metadata) ? authorizationServerIn(tryJson(metadata, url)) : undefined;
    const healthy = isSuccess(reply);
    return {healthy, detail: healthy ? 'OK' : 'unhealthy', ...(authUrl ? {authUrl} : {})};
  },
};

/** The identity provider that a resource says it trusts (RFC 9728 2). */
const authorizationServerIn = ({authorization_servers: servers}: JsonObject): string | undefined => {
  const [first] = Array.isArray(servers) ? servers : [];
  return typeof first === 'string' && URL.canParse(first) ? first : undefined;
};

const tryJson = (reply: HttpReply, url: string): JsonObject => {
  try {
    return readJson(reply, new URL(url));
  } catch {
    return {};
  }
};

const requireSuccess = (reply: HttpReply, url: URL) => {
  if (!isSuccess(reply)) throw statusError(reply, url);
};
