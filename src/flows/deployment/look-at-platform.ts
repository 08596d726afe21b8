import {SetupError} from '../../errors.ts';
import {type Candidate, candidatesOf, type GivenAddresses, identityProviderBeside} from '../../platform/candidates.ts';
import type {Layout, Platform, Service} from '../../platform/platform.ts';
import {recognise, releaseOf} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import {leavable, type Tell} from '../reporting.ts';
import type {Deployment} from './deployment.ts';
import type {Lead} from './leads.ts';
import {type Probe, probe} from './probe.ts';

/** How long an observer that answered waits for the other layout's to answer too, in milliseconds. */
const GRACE = 40;

/** What is the same for every place that is looked at. */
export type Search = {
  readonly layout: Layout | 'auto';
  /** What the person gave comes before what any source says. */
  readonly addresses: GivenAddresses;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  readonly tell: Tell;
};

type Up = Extract<Probe, {up: true}>;

/**
 * Probes every address that a lead leads to, at once, and puts together what answers.
 *
 * @throws SetupError as `findDeployment`
 */
export const lookAtPlatform = async (lead: Lead, search: Search): Promise<Deployment> => {
  const {layout, ports, signal, tell} = search;
  const addresses = {...lead.addresses, ...search.addresses};
  const probes = new Map<string, Promise<Probe>>();
  const look = (candidate: Candidate): Promise<Probe> => {
    const key = `${candidate.service} ${candidate.url}`;
    const known = probes.get(key) ?? leavable(probe(candidate, lead.platforms[0] ?? fail(), ports, signal, tell));
    probes.set(key, known);
    return known;
  };
  const candidates = (platform: Platform) => candidatesOf(platform, lead.baseDomain, addresses, layout);
  const all = lead.platforms.flatMap(candidates);
  for (const candidate of all) look(candidate);
  const of = (service: Service, among: readonly Candidate[]) =>
    among.filter(candidate => candidate.service === service).map(look);

  const controlPlane = await firstUp(of('control-plane', all));
  const platform = recognise(lead.platforms, controlPlane.self) ?? lead.platforms[0] ?? fail();
  const identityProvider = await identityProviderOf(controlPlane, platform, lead, addresses, look);
  const {observer, ...decided} = await decideLayout(of('observer', candidates(platform)), ports, signal);
  if (!observer && addresses.observerUrl !== 'none') throw await observerMissing(of('observer', candidates(platform)));
  if (observer?.authUrl !== undefined && observer.authUrl !== identityProvider.candidate.url) {
    const {url} = observer.candidate;
    tell({
      type: 'warning',
      message: `${url} trusts another identity provider, ${observer.authUrl}. Is it another platform’s?`,
    });
  }

  const {version} = controlPlane;
  return {
    platform: platform.id,
    baseDomain: lead.baseDomain.name,
    ...layoutOf(observer, decided.evidence, platform, version),
    controlPlaneUrl: controlPlane.candidate.url,
    ...(observer ? {observerUrl: observer.candidate.url} : {}),
    authUrl: identityProvider.candidate.url,
    issuer: identityProvider.issuer ?? identityProvider.candidate.url,
    ...(version ? {version} : {}),
    ...(identityProvider.withoutRecipe ? {withoutRecipe: true} : {}),
    ...(identityProvider.device === undefined ? {} : {device: identityProvider.device}),
  };
};

const fail = (): never => {
  throw new Error('A lead names the kinds of platform that it may lead to.');
};

/** The first of several guesses that answers. @throws what the first one failed with, where none does */
const firstUp = async (guesses: readonly Promise<Probe>[]): Promise<Up> => {
  let first: SetupError | undefined;
  for (const guess of guesses) {
    const result = await guess;
    if (result.up) return result;
    first ??= result.error;
  }
  throw first ?? new SetupError('platform-not-found', 'Nothing names the control plane: --control-plane-url.');
};

/**
 * The provider that the control plane says it trusts comes before the one that the base domain would give, which is then
 * not waited for.
 */
const identityProviderOf = async (
  {authUrl: named, candidate: {url: controlPlaneUrl}}: Up,
  platform: Platform,
  {baseDomain}: Lead,
  {authUrl: given}: GivenAddresses,
  look: (candidate: Candidate) => Promise<Probe>,
): Promise<Up> => {
  const url = given ?? named ?? identityProviderBeside(platform, baseDomain, controlPlaneUrl);
  if (url === undefined) throw new SetupError('platform-not-found', 'Nothing names the identity provider: --auth-url.');
  const result = await look({service: 'identity-provider', url});
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

/** From some release on the observer has the same address in both layouts, so it tells neither. */
const layoutOf = (
  observer: Up | undefined,
  evidence: string,
  platform: Platform,
  version: string | undefined,
): Pick<Deployment, 'layout' | 'evidence'> => {
  const layout = observer?.candidate.layout ?? 'unknown';
  if (layout !== 'single' || releaseOf(platform, version).layoutInAddress) return {layout, evidence};
  const since = platform.releases.find(({layoutInAddress}) => !layoutInAddress)?.line;
  return {layout: 'unknown', evidence: `From release ${since} on the observer has the same address in both layouts.`};
};

const observerMissing = async (observers: readonly Promise<Probe>[]): Promise<SetupError> => {
  const tried = (await Promise.all(observers)).map(({candidate}) => candidate.url);
  const where = tried.length > 0 ? `No observer answers at ${tried.join(' or ')}.` : 'Nothing names the observer.';
  return new SetupError('platform-observer-missing', where);
};
