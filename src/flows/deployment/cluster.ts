import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import type {HttpRoute} from '../../platform/cluster-addresses.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports, ProcessResult} from '../../ports/ports.ts';
import type {ProgramName} from '../../ports/processes/programs.ts';
import {cleanText} from '../../text.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {TOOL_TIMEOUT} from '../time-limits.ts';

/**
 * The answer of a cluster tool: the value, or why there is none. `absent`: the tool is not installed, or found nothing.
 * `failed`: it failed, with its reason.
 */
export type ClusterReading<Value> = {readonly found: Value} | {readonly absent: string} | {readonly failed: string};

/**
 * Reads the HTTPRoutes in the cluster of the current kube context: all of them at once, or if that is forbidden, those
 * in the platforms' own namespaces.
 *
 * @throws the signal's reason
 */
export const readRoutes = async (
  platforms: readonly Platform[],
  ports: Ports,
  signal: AbortSignal,
): Promise<ClusterReading<readonly HttpRoute[]>> => {
  const list = async (where: string): Promise<ClusterReading<readonly HttpRoute[]>> => {
    const args = ['get', 'httproutes.gateway.networking.k8s.io', where, '--output=json'];
    const answer = await askTool('kubectl', args, ports, signal);
    return 'found' in answer ? {found: routesIn(answer.found)} : answer;
  };
  const all = await list('--all-namespaces');
  if (!('failed' in all) || !/forbidden/i.test(all.failed)) return all;
  const parts = await Promise.all(namespacesOf(platforms).map(namespace => list(`--namespace=${namespace}`)));
  const found = parts.flatMap(part => ('found' in part ? part.found : []));
  // If no namespace may be read, the refusal is reported once.
  return parts.some(part => 'found' in part) ? {found} : all;
};

/** Reads the values of a platform's Helm release, including the defaults. @throws the signal's reason */
export const readValues = async (
  {cluster}: Platform,
  ports: Ports,
  signal: AbortSignal,
): Promise<ClusterReading<unknown>> => {
  const args = ['get', 'values', cluster.release, '--namespace', cluster.namespace, '--all', '--output', 'json'];
  const answer = await askTool('helm', args, ports, signal);
  if (!('found' in answer)) return answer;
  try {
    return {found: parseJson(answer.found)};
  } catch {
    return {failed: 'helm printed something that is not JSON'};
  }
};

/**
 * Reads the authority that signs the certificate of a platform's gateway, from a Secret in the cluster of the current
 * kube context.
 *
 * @throws SetupError `local-authority-missing`; the signal's reason
 */
export const readAuthority: Flow<{readonly namespace: string; readonly name: string}, {readonly pem: string}> = (
  {namespace, name},
  run,
) =>
  stoppable(run, async ({ports, signal}) => {
    const args = ['get', 'secret', name, `--namespace=${namespace}`, '--output=json'];
    const answer = await askTool('kubectl', args, ports, signal);
    const pem = 'found' in answer ? certificateIn(answer.found) : undefined;
    if (pem !== undefined) return {pem};
    const reason = 'found' in answer ? 'it holds no certificate' : 'absent' in answer ? answer.absent : answer.failed;
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

/**
 * Runs a program in the environment of the person's shell, so that the plugins that sign in to a cluster there work
 * here too.
 *
 * @param input the standard input of the program; absent for none
 * @throws the signal's reason
 */
export const askTool = async (
  program: ProgramName,
  args: readonly string[],
  {processes}: Ports,
  signal: AbortSignal,
  input?: string,
): Promise<ClusterReading<string>> => {
  // Without a context, the program would ask any server that listens on this machine, and leave a cache behind.
  if ((await processes.hasKubeContext?.()) === false) return {absent: 'there is no current kube context'};
  const options = {
    timeout: TOOL_TIMEOUT,
    signal,
    environment: 'shell',
    ...(input === undefined ? {} : {input}),
  } as const;
  return outputOf(program, await processes.run(program, args, options));
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

/**
 * Whether a line gives no reason: client-go's log (I, W, E or F, then month and day) and Helm's warnings about file
 * modes.
 */
const isNoise = (line: string) => /^[IWEF]\d{4} |^WARNING: /.test(line);

/**
 * Returns why a cluster tool failed, in its own words. The reason comes first, and advice follows it. If there are only
 * log lines, the last one has the reason.
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

const routesIn = (json: string): readonly HttpRoute[] => {
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
