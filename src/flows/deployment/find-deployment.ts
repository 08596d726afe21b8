import {SetupError} from '../../errors.ts';
import {parseAddress} from '../../platform/address.ts';
import {baseDomainOf} from '../../platform/base-domain.ts';
import {type Candidate, candidatesOf, type GivenAddresses} from '../../platform/candidates.ts';
import type {Layout, Platform, Service} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {leavable, reporting, type Tell} from '../reporting.ts';
import {type FoundBaseDomain, findBaseDomain} from './find-base-domain.ts';
import {type Probe, probe} from './probe.ts';

/** How long an observer that answered waits for the other layout's to answer too, in milliseconds. */
const GRACE = 40;

/** A deployment whose services answered. URLs have no trailing slash. */
export type Deployment = {
  readonly baseDomain: string;
  readonly layout: Layout | 'unknown';
  /** The sentence that says how the layout is known. */
  readonly evidence: string;
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /** The control plane's release, where it tells. */
  readonly version?: string;
};

type Input = {
  readonly platform: Platform;
  readonly baseDomain?: string;
  readonly addresses: GivenAddresses;
  readonly layout: Layout | 'auto';
  /** The saved context to look at; by default the current one. */
  readonly context?: string;
};

/**
 * Finds the addresses of a deployment and decides its layout: the base domain first, then every candidate host at once.
 * The verdict comes 50 ms at the latest after the slowest probe that answers; a host that never does is not waited for
 * when the other layout's observer has answered.
 *
 * @throws SetupError `platform-not-found`, `platform-observer-missing`, or what the control plane's or the identity
 *   provider's probe failed with
 */
export const findDeployment: Flow<Input, Deployment> = async function* (input, ports, signal) {
  const {platform, baseDomain: given, context} = input;
  const addresses = normalized(input.addresses);
  const {controlPlaneUrl} = addresses;
  const found: FoundBaseDomain =
    given === undefined && controlPlaneUrl !== undefined
      ? {source: 'given', baseDomain: baseDomainOf(controlPlaneUrl, platform)}
      : yield* findBaseDomain(
          {platform, ...(given === undefined ? {} : {given}), ...(context === undefined ? {} : {context})},
          ports,
          signal,
        );
  return yield* reporting(signal, async (tell, signal) => {
    const known = {...input, addresses: {...found.addresses, ...addresses}};
    const deployment = await probeAll(known, found, ports, signal, tell);
    const {baseDomain, layout, evidence} = deployment;
    tell({type: 'layout-decided', baseDomain, layout, evidence});
    return deployment;
  });
};

/** Addresses that a person typed, in the form in which they are compared. */
const normalized = ({controlPlaneUrl, observerUrl, authUrl}: GivenAddresses): GivenAddresses => ({
  ...(controlPlaneUrl === undefined ? {} : {controlPlaneUrl: parseAddress(controlPlaneUrl, 'The control plane')}),
  ...(observerUrl === undefined
    ? {}
    : {observerUrl: observerUrl === 'none' ? 'none' : parseAddress(observerUrl, 'The observer')}),
  ...(authUrl === undefined ? {} : {authUrl: parseAddress(authUrl, 'The identity provider')}),
});

const probeAll = async (input: Input, found: FoundBaseDomain, ports: Ports, signal: AbortSignal, tell: Tell) => {
  const {platform, addresses, layout} = input;
  const {name} = found.baseDomain;
  const candidates = candidatesOf(platform, found.baseDomain, addresses, layout);
  const look = (candidate: Candidate) => leavable(probe(candidate, platform, ports, signal, tell));
  const probes = new Map(candidates.map(candidate => [candidate, look(candidate)]));
  const of = (service: Service) =>
    [...probes].filter(([candidate]) => candidate.service === service).map(([, result]) => result);

  const [controlPlane] = await Promise.all(of('control-plane'));
  if (!controlPlane?.up) throw notFound(found, controlPlane);

  const derived = candidates.find(({service}) => service === 'identity-provider');
  const identityProvider = await trustedIdentityProvider(controlPlane, derived, addresses, candidate => {
    return probes.get(candidate) ?? look(candidate);
  });
  const {observer, evidence} = await decideLayout(of('observer'), ports, signal);
  if (!observer && addresses.observerUrl !== 'none') throw await observerMissing(of('observer'));
  if (observer?.authUrl !== undefined && observer.authUrl !== identityProvider.candidate.url) {
    const {url} = observer.candidate;
    tell({
      type: 'warning',
      message: `${url} trusts another identity provider, ${observer.authUrl}. Is it another platform’s?`,
    });
  }

  return {
    baseDomain: name,
    layout: observer?.candidate.layout ?? 'unknown',
    evidence,
    controlPlaneUrl: controlPlane.candidate.url,
    ...(observer ? {observerUrl: observer.candidate.url} : {}),
    authUrl: identityProvider.candidate.url,
    issuer: identityProvider.issuer ?? identityProvider.candidate.url,
    ...(controlPlane.version ? {version: controlPlane.version} : {}),
  } satisfies Deployment;
};

type Up = Extract<Probe, {up: true}>;

const notFound = (found: FoundBaseDomain, controlPlane: Extract<Probe, {up: false}> | undefined): SetupError => {
  const cause = controlPlane?.error;
  if (cause && found.source !== 'local-address') return cause;
  const tried = controlPlane?.candidate.url ?? found.baseDomain.name;
  return new SetupError(
    'platform-not-found',
    `No deployment was found: nothing names one, and ${tried} does not answer.`,
    {cause},
  );
};

/**
 * The provider that the control plane says it trusts comes before the one that the base domain would give, which is then
 * not waited for.
 */
const trustedIdentityProvider = async (
  {authUrl}: Up,
  derived: Candidate | undefined,
  {authUrl: given}: GivenAddresses,
  look: (candidate: Candidate) => Promise<Probe>,
): Promise<Up> => {
  const isNamed = given === undefined && authUrl !== undefined && authUrl !== derived?.url;
  const candidate = isNamed ? ({service: 'identity-provider', url: authUrl} as const) : derived;
  if (!candidate) throw new SetupError('platform-not-found', 'Nothing names the identity provider: --auth-url.');
  const result = await look(candidate);
  if (result.up) return result;
  throw result.error;
};

/** Single- or multi-cluster, by which observer answers. */
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
  // An observer answered: the other one gets a moment, so that two that both live are both seen.
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
  return {observer: undefined, evidence: 'No observer answers.'};
};

const IN_A_PLANE = 'The observer answers in a cluster of its own, and not next to the control plane.';
const NEXT_TO_IT = 'The observer answers next to the control plane, in the same cluster.';

const observerMissing = async (observers: readonly Promise<Probe>[]): Promise<SetupError> => {
  const tried = (await Promise.all(observers)).map(({candidate}) => candidate.url);
  const where = tried.length > 0 ? `No observer answers at ${tried.join(' or ')}.` : 'Nothing names the observer.';
  return new SetupError('platform-observer-missing', where);
};
