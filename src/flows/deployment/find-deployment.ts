import {parseAddress} from '../../domain/address.ts';
import type {Deployment, DeploymentChoice, FoundDeployment} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {baseDomainOf, candidatesOf, type GivenAddresses} from '../../platform/addresses.ts';
import type {Layout, Platform} from '../../platform/platform.ts';
import {recognise} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow, Tell} from '../flow.ts';
import {markHandled, stoppable} from '../stoppable.ts';
import {clusterLeads, givenLead, type Lead, savedLead} from './leads.ts';
import {lookAtPlatform, type Search} from './look-at-platform.ts';
import {isStarting, probe} from './probe.ts';
import {asServed, maySpeakTls} from './served-over-tls.ts';

/** What is looked for, and where. */
export type SearchInput = {
  /** The kinds of platform that it may be, the usual one first. What answers decides. */
  readonly platforms: readonly Platform[];
  readonly baseDomain?: string;
  readonly addresses: GivenAddresses;
  readonly layout: Layout | 'auto';
  /**
   * How long an address is given that a quick look found too slow, in milliseconds; by default ten seconds, and none on
   * this machine, to which no network leads.
   */
  readonly patience?: number;
  /** The saved context to look at; by default the current one. */
  readonly context?: string;
};

/**
 * Finds the addresses of a deployment, its kind and its layout. What the person gave is taken at its word; else a saved
 * context; else what the cluster of the current kube context says and what answers at the local addresses, side by side
 * (platform access 1, "Addresses"). Then every candidate host is probed at once. The verdict comes 50 ms at the latest
 * after the slowest probe that answers; a host that never does is not waited for when the other layout's observer has
 * answered. An address that is only slow gets more time where it is the one that is meant, and no other answers; a gateway
 * that answers in place of a service is asked again for three seconds.
 *
 * @throws SetupError `platform-not-found`, `platform-observer-missing`, or what the control plane's or the identity
 *   provider's probe failed with
 */
export const findDeployment: Flow<SearchInput, FoundDeployment> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const addresses = normalized(input.addresses);
    const {layout, patience} = input;
    const search: Search = {layout, addresses, ...(patience === undefined ? {} : {patience}), ...run};
    const lead = await namedLead({...input, addresses}, ports, tell);
    if (lead) return {deployment: told(await lookAtPlatform(lead, search), tell)};

    const leads = await guessedLeads(input.platforms, search);
    const [only, ...others] = leads;
    if (!only) throw nothingFound(input.platforms);
    if (others.length > 0) return {choices: leads.map(choiceOf)};
    return {deployment: told(await lookAtPlatform(only, search), tell)};
  });

const told = (deployment: Deployment, tell: Tell): Deployment => {
  const {baseDomain, layout, evidence} = deployment;
  tell({type: 'layout-decided', baseDomain, layout, evidence});
  return deployment;
};

/** Addresses that a person typed, in the form in which they are compared. */
const normalized = ({controlPlaneUrl, observerUrl, authUrl}: GivenAddresses): GivenAddresses => ({
  ...(controlPlaneUrl === undefined ? {} : {controlPlaneUrl: parseAddress(controlPlaneUrl, 'The control plane')}),
  ...(observerUrl === undefined
    ? {}
    : {observerUrl: observerUrl === 'none' ? 'none' : parseAddress(observerUrl, 'The observer')}),
  ...(authUrl === undefined ? {} : {authUrl: parseAddress(authUrl, 'The identity provider')}),
});

/** Where the person says that it is, or where it was the last time. */
const namedLead = async (
  {platforms, baseDomain, addresses, context}: SearchInput,
  ports: Ports,
  tell: Tell,
): Promise<Lead | undefined> => {
  if (baseDomain !== undefined) return givenLead(baseDomain, platforms, tell);
  const {controlPlaneUrl} = addresses;
  if (controlPlaneUrl !== undefined) {
    return {source: 'given', platforms, baseDomain: baseDomainOf(controlPlaneUrl, platforms)};
  }
  return savedLead(platforms, context, ports, tell);
};

/**
 * Where it may be when nobody says: in the cluster, and at the local addresses of every kind of platform, of which only
 * those count that answer as that kind.
 */
const guessedLeads = async (platforms: readonly Platform[], search: Search): Promise<readonly Lead[]> => {
  const [inCluster, here] = await Promise.all([
    markHandled(clusterLeads(platforms, search)),
    Promise.all(platforms.map(platform => markHandled(localLead(platform, platforms, search)))),
  ]);
  const answered = here.filter(lead => lead !== undefined);
  const local = answered.filter(({isReady}) => isReady).map(({lead}) => lead);
  // One that is not ready is better than none.
  if (inCluster.length + local.length === 0) return answered.slice(0, 1).map(({lead}) => lead);
  const seen = new Set<string | undefined>();
  return [...inCluster, ...local].filter(lead => {
    const url = controlPlaneOf(lead);
    const isNew = !seen.has(url);
    seen.add(url);
    return isNew;
  });
};

const localLead = async (
  platform: Platform,
  platforms: readonly Platform[],
  search: Search,
): Promise<{readonly lead: Lead; readonly isReady: boolean} | undefined> => {
  const baseDomain = {name: platform.localBaseDomain};
  const lead: Lead = {source: 'local-address', platforms: [platform], baseDomain};
  const [candidate] = candidatesOf(platform, baseDomain, search.addresses, search.layout);
  if (!candidate) return undefined;
  const found = await probe(candidate, platform, search);
  if (isStarting(found)) return {lead, isReady: false};
  if (!found.up && maySpeakTls(found.error)) {
    const served = await asServed(baseDomain, platform, search.addresses, search);
    // What it is shows once its certificate is trusted.
    return served === baseDomain ? undefined : {lead: {...lead, baseDomain: served}, isReady: false};
  }
  if (!found.up || (recognise(platforms, found.self) ?? platform) !== platform) return undefined;
  return {lead, isReady: true};
};

const controlPlaneOf = ({platforms, baseDomain, addresses}: Lead): string | undefined =>
  platforms[0] && candidatesOf(platforms[0], baseDomain, addresses)[0]?.url;

const choiceOf = (lead: Lead): DeploymentChoice => ({
  source: lead.source,
  name: lead.platforms[0]?.name ?? '',
  controlPlaneUrl: controlPlaneOf(lead) ?? lead.baseDomain.name,
});

const nothingFound = (platforms: readonly Platform[]): SetupError => {
  const tried = platforms.map(platform => candidatesOf(platform, {name: platform.localBaseDomain})[0]?.url);
  const reason = `Nothing here names one, and ${tried.join(' and ')} ${tried.length > 1 ? 'do' : 'does'} not answer.`;
  return new SetupError('platform-not-found', `No platform found yet. ${reason}`, {about: {reason}});
};
