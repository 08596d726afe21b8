import type {Source} from '../../domain/context.ts';
import {findContext} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {GivenAddresses} from '../../platform/addresses.ts';
import {type BaseDomain, parseBaseDomain} from '../../platform/addresses.ts';
import {clusterAddressesOf} from '../../platform/cluster-addresses.ts';
import type {Platform} from '../../platform/platform.ts';
import {changed} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Run, Tell} from '../flow.ts';
import {markHandled} from '../stoppable.ts';
import {type ClusterReading, readRoutes, readValues} from './cluster.ts';

/** A place where a platform may be: the addresses that one source gives, and the kinds of platform that it can be. */
export type PlatformLocation = {
  readonly source: Source;
  readonly platforms: readonly Platform[];
  readonly baseDomain: BaseDomain;
  /** Addresses that may not follow from the base domain. */
  readonly addresses?: GivenAddresses;
  /** True if the person went on without an observer before: it is looked for, and may be missing. */
  readonly isObserverOptional?: true;
};

/** Returns the location that the person gave. @throws SetupError `input-invalid` */
export const givenLocation = (text: string, platforms: readonly Platform[], tell: Tell): PlatformLocation => {
  const baseDomain = parseBaseDomain(text, platforms);
  tell({type: 'source-answered', source: 'given', outcome: 'found', detail: baseDomain.name, ms: 0});
  return {source: 'given', platforms, baseDomain};
};

/** Returns the addresses of a saved context: of the named one, or of the current one. */
export const savedLocation = (
  platforms: readonly Platform[],
  wanted: string | undefined,
  ports: Ports,
  tell: Tell,
): Promise<PlatformLocation | undefined> =>
  ask('saved-context', ports, tell, async () => {
    const context = findContext(await ports.config.read(), wanted);
    if (!context) return {absent: wanted === undefined ? 'none yet' : `none called ${wanted}`};
    const {baseDomain: text, controlPlaneUrl, observerUrl, authUrl, platform, descriptor} = context;
    const baseDomain = parseBaseDomain(text, platforms);
    // The kind that answers now decides; the saved kind only comes first among the candidates.
    const own = descriptor ? platforms.map(one => (one.id === platform ? changed(one, descriptor) : one)) : platforms;
    const known = [...own].sort((one, other) => Number(other.id === platform) - Number(one.id === platform));
    const location = {source: 'saved-context', platforms: known, baseDomain} as const;
    const observer = observerUrl === undefined ? {isObserverOptional: true as const} : {};
    const addresses = {controlPlaneUrl, authUrl, ...(observerUrl === undefined ? {} : {observerUrl})};
    return {found: {...location, ...observer, addresses}, detail: baseDomain.name};
  });

/**
 * Returns one location for each kind of platform in the cluster of the current kube context, from its routes and from
 * the values of its Helm releases.
 */
export const locationsInCluster = async (
  platforms: readonly Platform[],
  {ports, signal, tell}: Run,
): Promise<readonly PlatformLocation[]> => {
  const routing = ask('gateway-route', ports, tell, async () =>
    routesOf(platforms, await readRoutes(platforms, ports, signal)),
  );
  const releases = ask('helm-release', ports, tell, () => valuesOf(platforms, ports, signal));
  const [routes = [], values = []] = await Promise.all([
    soonAfter(releases, routing, ports, signal),
    soonAfter(routing, releases, ports, signal),
  ]);
  return platforms.flatMap((platform): readonly PlatformLocation[] => {
    const own = values.find(one => one.platform === platform);
    const found = clusterAddressesOf(platform, {routes, values: own?.values});
    const source = own ? 'helm-release' : 'gateway-route';
    return found ? [{source, platforms: [platform], ...found}] : [];
  });
};

/** How long to wait for a tool that hangs once the other one has found the platform, in milliseconds. */
const HANGING = 2_500;

/**
 * Returns what a source finds, or undefined if the other source has found something and this one does not finish in
 * time.
 */
const soonAfter = async <Value>(
  other: Promise<unknown>,
  source: Promise<Value>,
  {clock}: Ports,
  signal: AbortSignal,
): Promise<Value | undefined> => {
  const impatience = async () => {
    if ((await other) === undefined) return source;
    await clock.sleep(HANGING, signal);
    return undefined;
  };
  return Promise.race([source, markHandled(impatience())]);
};

const routesOf = (platforms: readonly Platform[], answer: Awaited<ReturnType<typeof readRoutes>>) => {
  if (!('found' in answer)) return answer;
  const hosts = platforms.flatMap(platform => {
    const found = clusterAddressesOf(platform, {routes: answer.found});
    return found ? [found.baseDomain.name] : [];
  });
  return hosts.length > 0 ? {found: answer.found, detail: hosts.join(', ')} : {absent: 'no route leads to a platform'};
};

type Values = {readonly platform: Platform; readonly values: unknown};

const valuesOf = async (
  platforms: readonly Platform[],
  ports: Ports,
  signal: AbortSignal,
): Promise<Finding<readonly Values[]>> => {
  const answers = await Promise.all(platforms.map(platform => readValues(platform, ports, signal)));
  const found = platforms.flatMap((platform, index) => {
    const one = answers[index];
    return one && 'found' in one ? [{platform, values: one.found}] : [];
  });
  const names = found.map(({platform, values}) => clusterAddressesOf(platform, {routes: [], values})?.baseDomain.name);
  const detail = names.filter(name => name !== undefined).join(', ');
  if (found.length > 0) return {found, detail: detail === '' ? 'installed; it names no address' : detail};
  const failed = answers.find(one => 'failed' in one);
  const absent = answers.find(one => 'absent' in one);
  return failed ?? absent ?? {absent: 'no release'};
};

type Finding<Value> = Exclude<ClusterReading<Value>, {found: Value}> | {readonly found: Value; readonly detail: string};

/** Asks one source, and reports the result. A failure is told as an event and not thrown: other sources may know. */
const ask = async <Value>(
  source: Source,
  {clock}: Ports,
  tell: Tell,
  find: () => Promise<Finding<Value>>,
): Promise<Value | undefined> => {
  tell({type: 'source-started', source});
  const started = clock.monotonic();
  const answer = (outcome: 'found' | 'absent' | 'failed', detail: string) =>
    tell({type: 'source-answered', source, outcome, detail, ms: Math.round(clock.monotonic() - started)});
  try {
    const finding = await markHandled(find());
    if ('found' in finding) {
      answer('found', finding.detail);
      return finding.found;
    }
    if ('absent' in finding) answer('absent', finding.absent);
    else answer('failed', finding.failed);
  } catch (error) {
    if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
    answer('failed', cleanText(error.message));
  }
  return undefined;
};
