import {SetupError} from '../../errors.ts';
import {type BaseDomain, parseBaseDomain} from '../../platform/base-domain.ts';
import type {GivenAddresses} from '../../platform/candidates.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports, ProcessResult} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Source} from '../flow.ts';
import {leavable, reporting, type Tell} from '../reporting.ts';
import {TOOL_TIMEOUT} from '../time-limits.ts';

export type FoundBaseDomain = {
  readonly source: Source;
  readonly baseDomain: BaseDomain;
  /** What a saved context knows besides: addresses that the base domain may not give. */
  readonly addresses?: GivenAddresses;
};

type Input = {
  readonly platform: Platform;
  readonly given?: string;
  /** The saved context to look at; by default the current one. */
  readonly context?: string;
};

/** What one source knows: a base domain as text, or why there is none. */
type Finding =
  | {readonly found: string; readonly addresses?: GivenAddresses}
  | {readonly absent: string}
  | {readonly failed: string};

/**
 * Finds the base domain where the platform keeps it (platform access 1, "Addresses"). What the person gave is taken at
 * its word; else all sources are asked side by side and the first in order that knows it wins: saved context, Helm
 * release, gateway route, and the local address, which is only a guess.
 *
 * @throws SetupError `input-invalid` when the given one is none.
 */
export const findBaseDomain: Flow<Input, FoundBaseDomain> = (input, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const {platform, given, context} = input;
    if (given !== undefined) {
      const baseDomain = parseBaseDomain(given, platform);
      tell({type: 'source-answered', source: 'given', outcome: 'found', detail: baseDomain.name, ms: 0});
      return {source: 'given', baseDomain};
    }

    const sources = [
      ask('saved-context', () => fromSavedContext(context, ports), platform, ports, tell),
      ask('helm-release', () => fromHelm(platform, ports, signal), platform, ports, tell),
      ask('gateway-route', () => fromGatewayRoute(platform, ports, signal), platform, ports, tell),
    ].map(leavable);
    for (const source of sources) {
      const found = await source;
      if (found) return found;
    }
    return {source: 'local-address', baseDomain: {name: platform.localBaseDomain}};
  });

const ask = async (source: Source, find: () => Promise<Finding>, platform: Platform, {clock}: Ports, tell: Tell) => {
  tell({type: 'source-started', source});
  const started = clock.monotonic();
  const answer = (outcome: 'found' | 'absent' | 'failed', detail: string) =>
    tell({type: 'source-answered', source, outcome, detail, ms: Math.round(clock.monotonic() - started)});
  try {
    const finding = await find();
    if (!('found' in finding)) {
      if ('absent' in finding) answer('absent', finding.absent);
      else answer('failed', finding.failed);
      return undefined;
    }
    const baseDomain = parseBaseDomain(finding.found, platform);
    answer('found', baseDomain.name);
    const addresses = finding.addresses ? {addresses: finding.addresses} : {};
    return {source, baseDomain, ...addresses} satisfies FoundBaseDomain;
  } catch (error) {
    // A source that is broken is an event, not the end: the others may know.
    if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
    answer('failed', cleanText(error.message));
    return undefined;
  }
};

const fromSavedContext = async (wanted: string | undefined, {config}: Ports): Promise<Finding> => {
  const {contexts, currentContext} = await config.read();
  const context = contexts.find(({name}) => name === (wanted ?? currentContext));
  if (!context) return {absent: wanted === undefined ? 'none yet' : `none called ${wanted}`};
  const {baseDomain, controlPlaneUrl, observerUrl = 'none', authUrl} = context;
  return {found: baseDomain, addresses: {controlPlaneUrl, observerUrl, authUrl}};
};

const fromHelm = async ({cluster}: Platform, {processes}: Ports, signal: AbortSignal): Promise<Finding> => {
  const args = ['get', 'values', cluster.release, '--namespace', cluster.namespace, '--all', '--output', 'json'];
  const output = readOutput('helm', await processes.run('helm', args, {timeout: TOOL_TIMEOUT, signal}));
  if (typeof output !== 'string') return output;
  const domain = baseDomainIn(output);
  return domain ? {found: domain} : {absent: 'global.baseDomain is not set'};
};

const fromGatewayRoute = async ({cluster}: Platform, {processes}: Ports, signal: AbortSignal): Promise<Finding> => {
  const path = '--output=jsonpath={.spec.hostnames[0]}';
  const args = ['get', 'httproute', cluster.identityProviderRoute, '--namespace', cluster.namespace, path];
  const output = readOutput('kubectl', await processes.run('kubectl', args, {timeout: TOOL_TIMEOUT, signal}));
  if (typeof output !== 'string') return output;
  const [, ...rest] = output.trim().split('.');
  return rest.length > 0 ? {found: rest.join('.')} : {absent: 'the route has no hostname'};
};

/** The program's output, or the finding that there is none. */
const readOutput = (program: string, result: ProcessResult): string | Finding => {
  if (result.outcome === 'missing') return {absent: `${program} is not installed`};
  if (result.outcome === 'timed-out') return {failed: `${program} did not answer within ${TOOL_TIMEOUT / 1000} s`};
  if (result.code === 0) return result.stdout;
  // The last line that is no log line (I, W, E or F, then month and day) says what it ended with.
  const lines = result.stderr.trim().split('\n');
  const words = cleanText(lines.findLast(line => !/^[IWEF]\d{4} /.test(line)) ?? '');
  return {failed: words === '' ? `${program} ended with ${result.code}` : words};
};

const baseDomainIn = (json: string): string | undefined => {
  try {
    const domain: unknown = JSON.parse(json)?.global?.baseDomain;
    return typeof domain === 'string' && domain !== '' ? domain : undefined;
  } catch {
    return undefined;
  }
};
