import {dirname, join} from 'node:path';
import {SetupError} from '../errors/errors.ts';
import type {Ports, ProcessResult} from '../ports/ports.ts';
import {cleanText} from '../text.ts';

/** The name of this program in npm's registry. */
const PACKAGE = 'platform-setup';

/** How long npm may take, in milliseconds: to look something up, and to fetch a package and run it. */
const TIME = {look: 60_000, run: 600_000};

/** `node` is the path of the running Node. */
type Input = {readonly node: string; readonly signal: AbortSignal};

/**
 * Returns the registry that npm fetches from, by the person's own configuration: npm runs in the home directory, so it
 * ignores the `.npmrc` of a project in the working directory.
 *
 * @returns its address, without credentials
 * @throws SetupError `local-npm-failed`
 */
export const findRegistry = async (input: Input, ports: Pick<Ports, 'files' | 'processes'>): Promise<string> => {
  const found = await runNpm(['config', 'get', 'registry'], {...input, timeout: TIME.look}, ports);
  const printed = found.outcome === 'exited' && found.code === 0 ? found.stdout.trim() : '';
  const address = /^https?:/.test(printed) && URL.canParse(printed) ? new URL(printed) : undefined;
  if (address !== undefined) return `${address.origin}${address.pathname}`;
  throw new SetupError('local-npm-failed', `npm does not say which registry it fetches from${reasonOf(found)}.`);
};

/**
 * Returns the version of this program that the registry names as its latest.
 *
 * @throws SetupError `local-npm-failed`
 */
export const findNewest = async (input: Input, ports: Pick<Ports, 'files' | 'processes'>): Promise<string> => {
  const args = ['view', `${PACKAGE}@latest`, 'version', '--json'];
  const found = await runNpm(args, {...input, timeout: TIME.look}, ports);
  const version = found.outcome === 'exited' && found.code === 0 ? versionIn(found.stdout) : undefined;
  if (version !== undefined) return version;
  throw new SetupError('local-npm-failed', `npm does not say which version is the newest${reasonOf(found)}.`);
};

/**
 * Fetches a version of this program, and runs a command of it to its end.
 *
 * @returns its exit code and what it printed
 * @throws SetupError `local-npm-failed`
 */
export const runVersion = async (
  version: string,
  words: readonly string[],
  input: Input,
  ports: Pick<Ports, 'files' | 'processes'>,
): Promise<Extract<ProcessResult, {outcome: 'exited'}>> => {
  const args = ['exec', '--yes', `--package=${PACKAGE}@${version}`, '--', PACKAGE, ...words];
  const ended = await runNpm(args, {...input, timeout: TIME.run}, ports);
  if (ended.outcome === 'exited') return ended;
  throw new SetupError('local-npm-failed', `npm did not run ${PACKAGE} ${version}${reasonOf(ended)}.`);
};

/**
 * Runs npm with this Node if npm is beside it, as the installers of Node place it; otherwise as a program of its own.
 * npm gets the variables of the person's shell, because a company's registry, proxy or authority may be among them.
 */
const runNpm = async (
  args: readonly string[],
  {node, signal, timeout}: Input & {readonly timeout: number},
  {files, processes}: Pick<Ports, 'files' | 'processes'>,
): Promise<ProcessResult> => {
  const options = {timeout, signal, environment: 'shell'} as const;
  for (const above of [[], ['..', 'lib']]) {
    const script = join(dirname(node), ...above, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (await files.exists(script)) return processes.run(node, [script, ...args], options);
  }
  const npm = await processes.find('npm');
  return npm === undefined ? {outcome: 'missing'} : processes.run(npm, args, options);
};

const versionIn = (printed: string): string | undefined => {
  try {
    const version: unknown = JSON.parse(printed);
    // The version becomes an argument of a command line.
    return typeof version === 'string' && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
};

const reasonOf = (ended: ProcessResult): string => {
  if (ended.outcome === 'missing') return ': it is not installed';
  if (ended.outcome === 'timed-out') return ': it did not answer in time';
  const [first = ''] = ended.stderr
    .split('\n')
    .filter(line => /error/i.test(line) && !/npm error A complete log/.test(line));
  const detail = cleanText(first).trim();
  return detail === '' ? '' : `: ${detail.replace(/\.$/, '')}`;
};
