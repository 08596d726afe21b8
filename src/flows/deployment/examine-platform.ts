import {addressOf, withoutSlash} from '../../domain/address.ts';
import type {Deployment} from '../../domain/context.ts';
import {type ErrorCode, SetupError, toSetupError} from '../../errors/errors.ts';
import {isSameButSlash} from '../../identity-providers/identity-provider.ts';
import {
  type BaseDomain,
  type CandidateAddress,
  candidatesOf,
  type GivenAddresses,
  identityProviderBeside,
  isTriedOverHttp,
} from '../../platform/addresses.ts';
import type {Layout, Platform, Service} from '../../platform/platform.ts';
import {recognise, releaseOf} from '../../platform/recognise.ts';
import {isLoopback} from '../../ports/network/route.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Run, Tell} from '../flow.ts';
import {checkNamed} from '../foreign-address.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../http-answers.ts';
import {authorizationServerIn} from '../metadata.ts';
import {releaseFor} from '../release-by-paths.ts';
import {markHandled} from '../stoppable.ts';
import {PROBE_TIMEOUT, READY_PAUSES, SECOND_PROBE_TIMEOUT} from '../time-limits.ts';
import type {PlatformLocation} from './platform-locations.ts';
import {isStarting, type Look, type Probe, probe, quickLook} from './probe.ts';

/** The errors of a plain http request to a server that speaks TLS. */
const spokenTls: ReadonlySet<ErrorCode> = new Set(['network-reset', 'network-wrong-scheme']);

/**
 * The errors over https that leave no doubt that the server speaks TLS, or that say nothing of it because a file for
 * the connection cannot be read: the person has to mend that first.
 */
const afterHandshake: ReadonlySet<ErrorCode> = new Set(['network-tls', 'network-client-certificate', 'input-invalid']);

/** Whether an error may mean that the server speaks TLS although plain http was tried. */
export const maySpeakTls = (error: unknown): boolean => spokenTls.has(toSetupError(error).code);

/**
 * Returns the base domain as it is served. A name below `localhost` is usually served over plain http. If the control
 * plane speaks TLS instead, with whatever certificate, the same ports are used over https.
 *
 * @param addresses the addresses that the person or a source gave, which are used exactly as written
 */
export const asServed = async (
  base: BaseDomain,
  platform: Platform,
  addresses: GivenAddresses,
  {ports, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<BaseDomain> => {
  if (!isTriedOverHttp(base) || addresses.controlPlaneUrl !== undefined) return base;
  const secure: BaseDomain = {...base, isServedOverTls: true};
  const failureAt = async (at: BaseDomain): Promise<ErrorCode | undefined> => {
    const [candidate] = candidatesOf(platform, at);
    if (!candidate) return 'platform-not-found';
    try {
      const url = new URL(candidate.url);
      await ports.http.send({method: 'GET', url, timeout: PROBE_TIMEOUT, isQuick: true}, {signal, report: () => {}});
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return toSetupError(error).code;
    }
  };
  const plain = await failureAt(base);
  if (plain === undefined || !spokenTls.has(plain)) return base;
  const overTls = await failureAt(secure);
  return overTls === undefined || afterHandshake.has(overTls) ? secure : base;
};

type Found = {
  /** Where the identity provider was found. */
  readonly url: string;
  /** The issuer that it names. */
  readonly issuer: string;
};

/**
 * Refuses an identity provider that the person named if the control plane trusts another one (RFC 9728 2). The control
 * plane refuses the tokens of a provider that it does not trust, and an attacker who gets a person to name the
 * attacker's provider would get the person's sign-in. A person who also names the exact issuer has decided.
 *
 * @param trusted the provider that the control plane trusts; undefined if it does not say
 * @param addresses the addresses that the person named
 * @throws SetupError `auth-issuer-mismatch`
 */
export const checkTrusted = (
  controlPlaneUrl: string,
  trusted: string | undefined,
  {url, issuer}: Found,
  addresses: GivenAddresses,
): void => {
  const isDecided = addresses.authUrl === undefined || addresses.issuer !== undefined;
  if (isDecided || trusted === undefined || isSameButSlash(trusted, url) || isSameButSlash(trusted, issuer)) return;
  throw new SetupError('auth-issuer-mismatch', `${controlPlaneUrl} trusts ${trusted}, not ${issuer}.`, {
    remedy: {
      do: `Sign in at ${trusted}, unless its operators told you otherwise.`,
      flag: `To do so, leave out --auth-url. If ${issuer} is right anyway, pass --issuer ${issuer} as well.`,
    },
    about: {url: controlPlaneUrl, flag: 'auth-url', issuers: {trusted, given: issuer}},
  });
};

/** How long to wait for the other layout's observer after one has answered, in milliseconds. */
const GRACE = 40;

/** The inputs that are the same for every location. */
export type Search = {
  readonly layout: Layout | 'auto';
  /** How long an address may take that a quick probe found too slow, in milliseconds; absent for the default. */
  readonly probeTimeout?: number;
  /** The addresses that the person gave; they come before those of any source. */
  readonly addresses: GivenAddresses;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  readonly tell: Tell;
};

type Up = Extract<Probe, {up: true}>;

/**
 * Probes every address of a location at once, and combines the answers. Uses https if plain http is usual but the
 * platform speaks TLS.
 *
 * @throws SetupError as `findDeployment` does
 */
export const lookAtPlatform = async (location: PlatformLocation, search: Search): Promise<Deployment> => {
  try {
    return await lookAtAddresses(location, search);
  } catch (error) {
    if (!maySpeakTls(error)) throw error;
    const addresses = {...location.addresses, ...search.addresses};
    const baseDomain = await asServed(location.baseDomain, location.platforms[0] ?? fail(), addresses, search);
    if (baseDomain === location.baseDomain) throw error;
    return lookAtAddresses({...location, baseDomain}, search);
  }
};

const lookAtAddresses = async (location: PlatformLocation, search: Search): Promise<Deployment> => {
  const {layout, probeTimeout, ports, signal, tell} = search;
  const addresses = {...location.addresses, ...search.addresses};
  const probes = new Map<string, Promise<Probe>>();
  const look = (candidate: CandidateAddress, how: Look): Promise<Probe> => {
    const key = `${candidate.service} ${candidate.url} ${how.isQuick}`;
    const known =
      probes.get(key) ??
      markHandled(untilReady(() => probe(candidate, location.platforms[0] ?? fail(), search, how), search));
    probes.set(key, known);
    return known;
  };
  const quickly = (among: readonly CandidateAddress[]) => among.map(candidate => look(candidate, quickLook));
  // Addresses that were only slow get more time; the other results stay as they are.
  const patiently = async (among: readonly CandidateAddress[]) => {
    const found = await Promise.all(quickly(among));
    return found.map(one => {
      const {hostname} = new URL(one.candidate.url);
      const timeout = probeTimeout ?? (isLoopback(hostname) ? undefined : SECOND_PROBE_TIMEOUT);
      const isWorthIt = isSlow(one) && timeout !== undefined;
      return isWorthIt ? look(one.candidate, {timeout, isQuick: false}) : Promise.resolve(one);
    });
  };
  const oneOf = async (among: readonly CandidateAddress[]) => {
    const found = await firstUp(quickly(among));
    return found?.up ? found : firstUp(await patiently(among));
  };
  const candidates = (platform: Platform) => candidatesOf(platform, location.baseDomain, addresses, layout);
  const all = location.platforms.flatMap(candidates);
  const of = (service: Service, among: readonly CandidateAddress[]) =>
    among.filter(candidate => candidate.service === service);
  // All at once, so that slow addresses do not wait for each other.
  void markHandled(patiently(all));

  const controlPlane = upOrThrow(await oneOf(of('control-plane', all)), ['the control plane', 'control-plane-url']);
  const platform = recognise(location.platforms, controlPlane.self) ?? location.platforms[0] ?? fail();
  if (addresses.authUrl === undefined && controlPlane.authUrl !== undefined) {
    const [named, by] = [new URL(controlPlane.authUrl), new URL(controlPlane.candidate.url)];
    await checkNamed(named, by, ports, {
      do: 'If that is correct, enter it yourself.',
      flag: `Pass --auth-url ${named.href}.`,
    });
  }
  const identityProvider = await identityProviderOf(controlPlane, platform, location, addresses, oneOf);
  const {url: foundAt} = identityProvider.candidate;
  const issuer = identityProvider.issuer ?? foundAt;
  checkTrusted(controlPlane.candidate.url, controlPlane.authUrl, {url: foundAt, issuer}, search.addresses);
  const observers = of('observer', candidates(platform));
  const quick = await decideLayout(quickly(observers), ports, signal);
  const decided = quick.observer ? quick : await decideLayout(await patiently(observers), ports, signal);
  const isGivenUp = addresses.observerUrl === 'none';
  const isOptional = isGivenUp || (location.isObserverOptional && search.addresses.observerUrl === undefined);
  if (!decided.observer && !isOptional) throw observerMissing(await Promise.all(quickly(observers)));
  const observersOwn = decided.observer?.authUrl;
  const isForeign =
    observersOwn !== undefined && !isPlaceholder(observersOwn) && !isSameButSlash(observersOwn, foundAt);
  const observer = isForeign && isOptional ? undefined : decided.observer;
  const without = isGivenUp ? 'You chose to go without the observer.' : NO_OBSERVER;
  const evidence = observer ? decided.evidence : without;
  if (observer && isForeign) {
    const {url} = observer.candidate;
    if (isOthers(observer, location, addresses, platform)) throw othersObserver(url, observersOwn, foundAt);
    tell({
      type: 'warning',
      message: `${url} trusts another identity provider, ${observersOwn}. It may be the observer of another platform: check its address.`,
    });
  }

  const {version: reported, candidate} = controlPlane;
  const version = await releaseFor(reported, {platform, controlPlaneUrl: candidate.url}, search);
  const isByPaths = version !== undefined && version !== reported;
  if (isByPaths) {
    const says =
      reported === undefined ? 'does not say which release it is' : `reports “${reported}”, which is not a release`;
    tell({type: 'warning', message: `${candidate.url} ${says}. Its paths are those of ${version}.`});
  }
  return {
    platform: platform.id,
    ...(platform.changes ? {descriptor: platform.changes} : {}),
    baseDomain: location.baseDomain.name,
    ...layoutOf(observer, evidence, platform, version),
    controlPlaneUrl: controlPlane.candidate.url,
    ...(observer ? {observerUrl: observer.candidate.url} : {}),
    authUrl: withoutSlash(foundAt),
    issuer,
    ...((version ?? reported) ? {version: version ?? reported} : {}),
    ...(isByPaths ? {versionByPaths: true} : {}),
    ...(identityProvider.kind === undefined ? {} : {identityProvider: identityProvider.kind}),
    ...(identityProvider.kindName === undefined ? {} : {identityProviderName: identityProvider.kindName}),
    ...(identityProvider.withoutRecipe ? {withoutRecipe: true} : {}),
    ...(identityProvider.device === undefined ? {} : {device: identityProvider.device}),
  };
};

/**
 * Whether an observer was only guessed at its usual port, while the gateway is not at its usual port: there may be more
 * than one platform on this machine then, and the identity provider that the observer trusts shows to which platform
 * the observer belongs.
 */
const isOthers = (
  {candidate: {url}}: Up,
  {baseDomain: {port, observerUrl}}: PlatformLocation,
  addresses: GivenAddresses,
  {ports}: Platform,
): boolean =>
  addresses.observerUrl === undefined &&
  observerUrl === undefined &&
  port !== undefined &&
  port !== ports.gateway &&
  isLoopback(new URL(url).hostname);

const othersObserver = (url: string, trusted: string, expected: string): SetupError =>
  new SetupError(
    'platform-observer-missing',
    `${url} is another platform’s observer: it trusts ${trusted}, not ${expected}.`,
    {about: {url, flag: 'observer-url'}},
  );

const fail = (): never => {
  throw new Error('A location names the kinds of platform that may be there.');
};

/** Probes again while a service is there but not ready. */
const untilReady = async (look: () => Promise<Probe>, {ports: {clock}, signal}: Search): Promise<Probe> => {
  let found = await look();
  for (const pause of READY_PAUSES) {
    if (!isStarting(found)) break;
    await clock.sleep(pause, signal);
    found = await look();
  }
  return found;
};

/** Whether the service may be there although the probe failed. */
const isSlow = (probe: Probe): boolean => !probe.up && probe.error.code === 'network-timeout';

/** Returns the first of several guesses that answers, or the result of the first guess; undefined if there are none. */
const firstUp = async (guesses: readonly Promise<Probe>[]): Promise<Probe | undefined> => {
  let first: Probe | undefined;
  for (const guess of guesses) {
    const result = await guess;
    if (result.up) return result;
    first ??= result;
  }
  return first;
};

/**
 * Returns the probe that answered.
 *
 * @throws the error of the probe; SetupError `platform-not-found` if nothing could be probed
 */
const upOrThrow = (found: Probe | undefined, [what, flag]: readonly [what: string, flag: string]): Up => {
  if (!found) {
    throw new SetupError('platform-not-found', `Nothing names ${what}.`, {
      remedy: {do: `Enter the address of ${what}.`, flag: `Pass --${flag} URL.`},
      about: {flag},
    });
  }
  if (!found.up) throw found.error;
  return found;
};

/**
 * Returns the identity provider: the one that the person named, or else the one that the control plane says it trusts,
 * or else the one that follows from the base domain. The others are not waited for.
 */
const identityProviderOf = async (
  {authUrl: named, candidate: {url: controlPlaneUrl}}: Up,
  platform: Platform,
  {baseDomain}: PlatformLocation,
  {authUrl: typedUrl, issuer}: GivenAddresses,
  oneOf: (among: readonly CandidateAddress[]) => Promise<Probe | undefined>,
): Promise<Up> => {
  const url = typedUrl ?? named ?? identityProviderBeside(platform, baseDomain, controlPlaneUrl);
  const candidates: readonly CandidateAddress[] =
    url === undefined ? [] : [{service: 'identity-provider', url, ...(issuer === undefined ? {} : {issuer})}];
  return upOrThrow(await oneOf(candidates), ['the identity provider', 'auth-url']);
};

/** Decides between single- and multi-cluster, by which observer answers. */
const decideLayout = async (observers: readonly Promise<Probe>[], {clock}: Ports, signal: AbortSignal) => {
  const answered: Up[] = [];
  const note = async (result: Promise<Probe>) => {
    const settled = await result;
    if (!settled.up) throw settled.error;
    answered.push(settled);
  };
  const noted = observers.map(note);
  const all = Promise.allSettled(noted);
  await Promise.race([Promise.any(noted).catch(() => undefined), all]);
  // One observer answered: the other one gets a moment, so that two running observers are both seen.
  if (answered.length < observers.length) await Promise.race([all, clock.sleep(GRACE, signal)]);

  const single = answered.find(({candidate}) => candidate.layout === 'single');
  const multi = answered.find(({candidate}) => candidate.layout === 'multi');
  if (multi && single) {
    return {
      observer: multi,
      evidence: 'Both observers answer; only a multi-cluster deployment has one in a cluster of its own.',
    };
  }
  const only = observers.length === 1;
  if (multi)
    return {observer: multi, evidence: only ? 'The observer’s address is that of a cluster of its own.' : IN_A_PLANE};
  if (single)
    return {
      observer: single,
      evidence: only ? 'The observer’s address is in the control plane’s cluster.' : NEXT_TO_IT,
    };
  return {observer: undefined, evidence: NO_OBSERVER};
};

const NO_OBSERVER = 'No observer answers.';
const IN_A_PLANE = 'The observer answers in a cluster of its own, and not next to the control plane.';
const NEXT_TO_IT = 'Control plane and observer run in one cluster.';

/** In later releases the observer has the same address in both layouts, so the address does not show the layout. */
const layoutOf = (
  observer: Up | undefined,
  evidence: string,
  platform: Platform,
  version: string | undefined,
): Pick<Deployment, 'layout' | 'evidence'> => {
  const layout = observer?.candidate.layout ?? 'unknown';
  if (layout !== 'single' || releaseOf(platform, version).layoutInAddress) return {layout, evidence};
  // The layout has no meaning there, so there is no evidence to show.
  return {layout: 'unknown', evidence: ''};
};

/** The errors of an address where no observer can be. */
const nobodyThere: ReadonlySet<ErrorCode> = new Set([
  'network-refused',
  'network-name-not-found',
  'platform-no-such-endpoint',
]);

/**
 * Returns the error of the observer's probe, if there is only one possible address or if something answers at one of
 * several guesses. Otherwise returns the error that there is no observer at any of them.
 */
const observerMissing = (observers: readonly Probe[]): SetupError => {
  const errors = observers.flatMap(one => (one.up ? [] : [one.error]));
  const [only] = errors.length === 1 ? errors : [];
  const error = only ?? errors.find(({code}) => !nobodyThere.has(code));
  if (error) {
    return error
      .advising({do: '', flag: 'To continue without the observer, pass --observer-url none.'})
      .with({isObserver: true});
  }
  const tried = observers.map(({candidate}) => candidate.url);
  const where = tried.length > 0 ? `No observer answers at ${tried.join(' or ')}.` : 'Nothing names the observer.';
  return new SetupError('platform-observer-missing', where, {about: {flag: 'observer-url'}});
};

/** Whether an address is the chart's default before an operator sets another one: it leads nowhere (RFC 2606 2). */
const isPlaceholder = (url: string): boolean => URL.canParse(url) && /\.invalid$/.test(new URL(url).hostname);

/** The facts that a control plane states about its platform: its kind, and the identity provider that it trusts. */
export type FoundPlatform = {readonly platform?: Platform; readonly issuer?: string};

/**
 * Returns what the control plane at an address says about its platform, as far as it answers. Fails only if it is
 * aborted, because a diagnosis has to go on.
 */
export const platformAt = async (
  controlPlaneUrl: string,
  platforms: readonly Platform[],
  {http}: Ports,
  signal: AbortSignal,
): Promise<FoundPlatform> => {
  const [usual] = platforms;
  if (!usual) return {};
  const ask = async (path: string): Promise<JsonObject> => {
    const url = addressOf(controlPlaneUrl, path);
    try {
      const reply = await http.send(
        {method: 'GET', url, timeout: PROBE_TIMEOUT, isQuick: true},
        {signal, report: () => {}},
      );
      return isSuccess(reply) ? readJson(reply, url) : {};
    } catch {
      signal.throwIfAborted();
      return {};
    }
  };
  const [version, metadata] = await Promise.all([ask(usual.paths.version), ask(usual.paths.protectedResource)]);
  const name = textAt(version, 'name');
  const platform = recognise(platforms, {...(name === undefined ? {} : {name}), metadata});
  const issuer = authorizationServerIn(metadata);
  return {...(platform ? {platform} : {}), ...(issuer === undefined ? {} : {issuer})};
};
