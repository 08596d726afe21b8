import {parseAddress} from '../../domain/address.ts';
import type {Deployment, DeploymentChoice, FoundDeployment} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {baseDomainOf, candidatesOf, type GivenAddresses} from '../../platform/addresses.ts';
import type {Layout, Platform} from '../../platform/platform.ts';
import {recognise} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow, Tell} from '../flow.ts';
import {markHandled, stoppable} from '../stoppable.ts';
import {asServed, lookAtPlatform, maySpeakTls, type Search} from './examine-platform.ts';
import {givenLocation, locationsInCluster, type PlatformLocation, savedLocation} from './platform-locations.ts';
import {isStarting, probe} from './probe.ts';

/** The deployment to search for, and where. */
export type SearchInput = {
  /** The kinds of platform that it may be, the usual one first. The answers decide which one it is. */
  readonly platforms: readonly Platform[];
  readonly baseDomain?: string;
  readonly addresses: GivenAddresses;
  readonly layout: Layout | 'auto';
  /**
   * How long an address may take that a quick probe found too slow, in milliseconds. By default ten seconds, and no
   * extra time for addresses on this machine, which need no network.
   */
  readonly probeTimeout?: number;
  /** The saved context to look at; by default the current one. */
  readonly context?: string;
};

/**
 * Finds the addresses of a deployment, its kind and its layout. Addresses from the person are used as they are;
 * otherwise those of a saved context; otherwise what the cluster of the current kube context says and what answers at
 * the local addresses, in parallel (platform access 1, "Addresses"). Then probes every candidate host at once. The
 * result comes at most 50 ms after the slowest probe that answers; it does not wait for a host that never answers if
 * the other layout's observer has answered. A slow address gets more time if no other address of the same service
 * answers; if a gateway answers in place of a service, the probe is repeated twice within three seconds.
 *
 * @throws SetupError `platform-not-found`, `platform-observer-missing`, or the error of the control plane's or the
 *   identity provider's probe
 */
export const findDeployment: Flow<SearchInput, FoundDeployment> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const addresses = normalized(input.addresses);
    const {layout, probeTimeout} = input;
    const search: Search = {layout, addresses, ...(probeTimeout === undefined ? {} : {probeTimeout}), ...run};
    const location = await namedLocation({...input, addresses}, ports, tell);
    if (location) return {deployment: reported(await lookAtPlatform(location, search), tell)};

    const locations = await guessedLocations(input.platforms, search);
    const [only, ...others] = locations;
    if (!only) throw nothingFound(input.platforms);
    if (others.length > 0) return {choices: locations.map(choiceOf)};
    return {deployment: reported(await lookAtPlatform(only, search), tell)};
  });

const reported = (deployment: Deployment, tell: Tell): Deployment => {
  const {baseDomain, layout, evidence} = deployment;
  tell({type: 'layout-decided', baseDomain, layout, evidence});
  return deployment;
};

/** Normalises the addresses that a person typed, so that they can be compared. */
const normalized = ({controlPlaneUrl, observerUrl, authUrl}: GivenAddresses): GivenAddresses => ({
  ...(controlPlaneUrl === undefined ? {} : {controlPlaneUrl: parseAddress(controlPlaneUrl, 'The control plane')}),
  ...(observerUrl === undefined
    ? {}
    : {observerUrl: observerUrl === 'none' ? 'none' : parseAddress(observerUrl, 'The observer')}),
  ...(authUrl === undefined ? {} : {authUrl: parseAddress(authUrl, 'The identity provider')}),
});

/** Returns where the person says that the platform is, or where it was the last time. */
const namedLocation = async (
  {platforms, baseDomain, addresses, context}: SearchInput,
  ports: Ports,
  tell: Tell,
): Promise<PlatformLocation | undefined> => {
  if (baseDomain !== undefined) return givenLocation(baseDomain, platforms, tell);
  const {controlPlaneUrl} = addresses;
  if (controlPlaneUrl !== undefined) {
    return {source: 'given', platforms, baseDomain: baseDomainOf(controlPlaneUrl, platforms)};
  }
  return savedLocation(platforms, context, ports, tell);
};

/**
 * Returns where the platform may be if neither the person nor a saved context says so: in the cluster, and at the local
 * addresses of every kind of platform. A local address is included only if it answers as that kind.
 */
const guessedLocations = async (
  platforms: readonly Platform[],
  search: Search,
): Promise<readonly PlatformLocation[]> => {
  const [inCluster, here] = await Promise.all([
    markHandled(locationsInCluster(platforms, search)),
    Promise.all(platforms.map(platform => markHandled(localLead(platform, platforms, search)))),
  ]);
  const answered = here.filter(location => location !== undefined);
  const local = answered.filter(({isReady}) => isReady).map(({location}) => location);
  // A platform that is not ready is better than none.
  if (inCluster.length + local.length === 0) return answered.slice(0, 1).map(({location}) => location);
  const seen = new Set<string | undefined>();
  return [...inCluster, ...local].filter(location => {
    const url = controlPlaneOf(location);
    const isNew = !seen.has(url);
    seen.add(url);
    return isNew;
  });
};

const localLead = async (
  platform: Platform,
  platforms: readonly Platform[],
  search: Search,
): Promise<{readonly location: PlatformLocation; readonly isReady: boolean} | undefined> => {
  const baseDomain = {name: platform.localBaseDomain};
  const location: PlatformLocation = {source: 'local-address', platforms: [platform], baseDomain};
  const [candidate] = candidatesOf(platform, baseDomain, search.addresses, search.layout);
  if (!candidate) return undefined;
  const found = await probe(candidate, platform, search);
  if (isStarting(found)) return {location, isReady: false};
  if (!found.up && maySpeakTls(found.error)) {
    const served = await asServed(baseDomain, platform, search.addresses, search);
    // The kind of platform shows once the certificate is trusted.
    return served === baseDomain ? undefined : {location: {...location, baseDomain: served}, isReady: false};
  }
  if (!found.up || (recognise(platforms, found.self) ?? platform) !== platform) return undefined;
  return {location, isReady: true};
};

const controlPlaneOf = ({platforms, baseDomain, addresses}: PlatformLocation): string | undefined =>
  platforms[0] && candidatesOf(platforms[0], baseDomain, addresses)[0]?.url;

const choiceOf = (location: PlatformLocation): DeploymentChoice => ({
  source: location.source,
  name: location.platforms[0]?.name ?? '',
  controlPlaneUrl: controlPlaneOf(location) ?? location.baseDomain.name,
});

const nothingFound = (platforms: readonly Platform[]): SetupError => {
  const tried = platforms.map(platform => candidatesOf(platform, {name: platform.localBaseDomain})[0]?.url);
  const reason = `Neither your settings nor your cluster names one, and ${tried.join(' and ')} ${tried.length > 1 ? 'do' : 'does'} not answer.`;
  return new SetupError('platform-not-found', `No platform found yet. ${reason}`, {about: {reason}});
};
