import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import type {Route} from '../../platform/cluster-addresses.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports, ProcessResult} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {TOOL_TIMEOUT} from '../time-limits.ts';

/** What a program told, or why it told nothing: it is not there, it found nothing, or it failed with a reason. */
export type ClusterReading<Value> = {readonly found: Value} | {readonly absent: string} | {readonly failed: string};

/**
 * The HTTPRoutes that the cluster of the current kube context has: all of them at once, and where that is not allowed
 * those of the platforms' own namespaces.
 *
 * @throws what the signal aborts with
 */
export const readRoutes = async (
  platforms: readonly Platform[],
  ports: Ports,
  signal: AbortSignal,
): Promise<ClusterReading<readonly Route[]>> => {
  const list = async (where: string): Promise<ClusterReading<readonly Route[]>> => {
    const args = ['get', 'httproutes.gateway.networking.k8s.io', where, '--output=json'];
    const told = await ask('kubectl', args, ports, signal);
    return 'found' in told ? {found: routesIn(told.found)} : told;
  };
  const all = await list('--all-namespaces');
  if (!('failed' in all) || !/forbidden/i.test(all.failed)) return all;
  const parts = await Promise.all(namespacesOf(platforms).map(namespace => list(`--namespace=${namespace}`)));
  const found = parts.flatMap(part => ('found' in part ? part.found : []));
  // Who may look nowhere is told so once.
  return parts.some(part => 'found' in part) ? {found} : all;
};

/** The values of a platform's Helm release, defaults included. @throws what the signal aborts with */
export const readValues = async (
  {cluster}: Platform,
  ports: Ports,
  signal: AbortSignal,
): Promise<ClusterReading<unknown>> => {
  const args = ['get', 'values', cluster.release, '--namespace', cluster.namespace, '--all', '--output', 'json'];
  const told = await ask('helm', args, ports, signal);
  if (!('found' in told)) return told;
  try {
    return {found: parseJson(told.found)};
  } catch {
    return {failed: 'helm printed something that is not JSON'};
  }
};

/**
 * The authority that signs what a platform's gateway shows, from the Secret of the cluster of the current kube context.
 *
 * @throws SetupError `local-authority-missing`; what the signal aborts with
 */
export const readAuthority: Flow<{readonly namespace: string; readonly name: string}, {readonly pem: string}> = (
  {namespace, name},
  run,
) =>
  stoppable(run, async ({ports, signal}) => {
    const args = ['get', 'secret', name, `--namespace=${namespace}`, '--output=json'];
    const told = await ask('kubectl', args, ports, signal);
    const pem = 'found' in told ? certificateIn(told.found) : undefined;
    if (pem !== undefined) return {pem};
    const reason = 'found' in told ? 'it holds no certificate' : 'absent' in told ? told.absent : told.failed;
    throw new SetupError(
      'local-authority-missing',
      `The authority could not be read from the cluster (${namespace}/${name}): ${reason}.`,
    );
  });

const certificateIn = (json: string): string | undefined => {
  try {
    const {data = {}} = parseJson(json) as {data?: Readonly<Record<string, string>>};
    const texts = ['ca.crt', 'tls.crt'].map(key => Buffer.from(data[key] ?? '', 'base64').toString('utf8'));
    return texts.find(text => text.includes('BEGIN CERTIFICATE'));
  } catch {
    return undefined;
  }
};

/** As in the person's shell: whoever signs in to a cluster there, by whatever plugin, can do so here. */
const ask = async (
  program: string,
  args: readonly string[],
  {processes}: Ports,
  signal: AbortSignal,
): Promise<ClusterReading<string>> => {
  // Without a context it would ask this machine, whoever listens there, and leave a cache behind.
  if ((await processes.hasKubeContext?.()) === false) return {absent: 'there is no current kube context'};
  return outputOf(program, await processes.run(program, args, {timeout: TOOL_TIMEOUT, signal, environment: 'shell'}));
};

const namespacesOf = (platforms: readonly Platform[]): readonly string[] => [
  ...new Set(platforms.flatMap(({cluster}) => Object.values(cluster.routes).flat()).map(({namespace}) => namespace)),
];

const outputOf = (program: string, result: ProcessResult): ClusterReading<string> => {
  if (result.outcome === 'missing') return {absent: `${program} is not installed`};
  if (result.outcome === 'timed-out') return {failed: `${program} did not answer within ${TOOL_TIMEOUT / 1000} s`};
  if (result.code === 0) return {found: result.stdout};
  const reason = reasonIn(result.stderr);
  if (/release: not found|^no resources found/i.test(reason)) return {absent: reason};
  return {failed: reason === '' ? `${program} exited with code ${result.code}` : reason};
};

/** Lines that are no reason: client-go's log (I, W, E or F, then month and day) and Helm's warnings about file modes. */
const isNoise = (line: string) => /^[IWEF]\d{4} |^WARNING: /.test(line);

/**
 * Why a cluster tool failed, in its own words. The reason comes first; what follows it is advice. Where there are only
 * log lines, the last one has it.
 */
const reasonIn = (stderr: string): string => {
  const lines = stderr
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  const reason = lines.find(line => !isNoise(line)) ?? lines.at(-1)?.replace(/^[IWEF]\d{4} .*?\] /, '');
  return cleanText(reason ?? '');
};

type Item = {
  readonly metadata?: {readonly name?: unknown; readonly namespace?: unknown};
  readonly spec?: {readonly hostnames?: unknown};
};

const routesIn = (json: string): readonly Route[] => {
  try {
    const {items} = parseJson(json) as {items?: readonly Item[]};
    return (items ?? []).map(({metadata, spec}) => ({
      name: String(metadata?.name),
      namespace: String(metadata?.namespace),
      hostnames: Array.isArray(spec?.hostnames) ? spec.hostnames.filter(host => typeof host === 'string') : [],
    }));
  } catch {
    return [];
  }
};
