import {lstat, mkdtemp, readdir, rename, rm, rmdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import type {FlagValues} from '../command-line/flags.ts';
import {formatTable, widthOf} from '../command-line/output/format-table.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {isSearched, savedContext} from '../command-line/saved-context.ts';
import {toolsIn} from '../command-line/tools-flag.ts';
import {actsAsIn, readWizardInput, type WizardInput} from '../command-line/wizard/wizard-input.ts';
import {withoutSlash} from '../domain/address.ts';
import {type Deployment, deploymentIn} from '../domain/context.ts';
import {serversOf} from '../domain/mcp-servers.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {identifyProvider} from '../flows/check-provider.ts';
import {quietRun} from '../flows/flow.ts';
import {exportKit, type KitInput} from '../flows/organisation/export-kit.ts';
import type {Group, KitFile} from '../flows/organisation/platform-files.ts';
import {guideText} from '../identity-providers/guide.ts';
import {platformOfDeployment} from '../platform/platforms.ts';
import {codeOf} from '../ports/files/error-code.ts';
import {writeFailure} from '../ports/files/file-errors.ts';
import {directoryModes, makeDirectory} from '../ports/files/owner.ts';
import type {Ports} from '../ports/ports.ts';
import {guideFor} from '../state/derived/client-guide.ts';
import {kindsOf} from '../state/derived/wizard-deployment.ts';
import {version} from '../version.ts';

type How = {readonly signal: AbortSignal; readonly warn: (message: string) => void};

/**
 * Returns the platform that flags lead to, as it answers now, for a command that asks no questions.
 *
 * @throws SetupError `input-required` if there are several platforms; otherwise as `findDeployment` does
 */
export const liveDeployment = async (
  {settings, answers, ports}: WizardInput,
  {signal, warn}: How,
): Promise<Deployment> => {
  const {baseDomain, addresses = {}} = answers;
  const {layout} = settings;
  const company = settings.companyFile?.company.platform;
  const platforms = company ? [company] : kindsOf(settings);
  const input = {platforms, addresses, layout, ...(baseDomain === undefined ? {} : {baseDomain})};
  const {findDeployment} = await import('../flows/deployment/find-deployment.ts');
  const found = await findDeployment(input, quietRun(ports, signal, warn));
  if ('deployment' in found) return found.deployment;
  const named = found.choices.map(({controlPlaneUrl}) => `--base-domain ${controlPlaneUrl}`).join(' or ');
  throw new SetupError('input-required', 'More than one platform was found.', {
    remedy: `Choose one: ${named}.`,
    about: {flag: 'base-domain'},
  });
};

/**
 * Writes all files of a kit, or none, into a directory that does not exist yet or is empty.
 *
 * @throws SetupError `input-invalid` if the directory is not empty, `local-write-failed`
 */
export const writeKit = async (directory: string, files: readonly Pick<KitFile, 'path' | 'text'>[]): Promise<void> => {
  const target = resolve(directory);
  await refuseFull(target, directory);
  let partial: string | undefined;
  try {
    makeDirectory(dirname(target), directoryModes.shared);
    // In the parent directory of the target, so that both are on one file system and a rename works.
    partial = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    const kit = join(partial, 'kit');
    for (const {path, text} of files) {
      const file = join(kit, ...path.split('/'));
      makeDirectory(dirname(file), directoryModes.shared);
      await writeFile(file, text, {flag: 'wx', mode: 0o644});
    }
    await rmdir(target).catch(ignoreMissing);
    await rename(kit, target);
  } catch (cause) {
    throw writeFailure(directory, cause);
  } finally {
    if (partial !== undefined) await rm(partial, {recursive: true, force: true});
  }
};

const refuseFull = async (target: string, directory: string): Promise<void> => {
  const kind = await lstat(target).catch(() => undefined);
  if (!kind) return;
  if (kind.isDirectory() && (await readdir(target)).length === 0) return;
  const why = kind.isDirectory() ? 'is not empty' : 'is a file';
  throw new SetupError('input-invalid', `${directory} ${why}. Nothing was written.`, {
    remedy: 'Choose a directory that does not exist yet.',
    about: {path: directory},
  });
};

const ignoreMissing = (error: unknown): void => {
  if (codeOf(error) !== 'ENOENT') throw error;
};

/** `setup org export`: writes everything that an administrator needs to roll out a running platform, in a directory. */
export const runOrgExport: CommandHandler = async invocation => {
  const {flags, args, terminal, signal} = invocation;
  const [directory] = args;
  if (!directory) {
    throw new SetupError('input-required', 'No directory was named.', {
      remedy: phrase`Pass a new one: ${setup('org export', 'organisation-kit')}.`,
    });
  }
  const groups = groupsIn(flags.groups ?? 'developers');
  const tools = toolsIn(flags);
  const assistantsAs = actsAsIn(flags);
  const registry = registryIn(flags);
  const ports = portsOf(invocation);
  const warn = (message: string) => terminal.stderr.write(`${message}\n`);
  const {deployment, redirectUri: saved, ...terms} = await deploymentFor(invocation, ports, warn);
  const platform = platformOfDeployment(deployment);
  const {issuer} = deployment;
  const provider = await identifyProvider({issuer}, quietRun(ports, signal, warn));
  const redirectUri = saved ?? platform.callbackUrl;
  const servers = serversOf(deployment, platform).map(({url}) => url);
  const input: KitInput = {
    ...{deployment, platform, version, groups, redirectUri, ...terms},
    assistants: allAssistants,
    ...(tools === undefined || tools === 'all' ? {} : {tools}),
    ...(assistantsAs === undefined ? {} : {assistantsAs}),
    ...registry,
    ...(flags['allow-http'] === undefined ? {} : {allowHttp: flags['allow-http']}),
    guide: ({clientId, scopes, resource}) => {
      const wanted = {scopes, ...(resource === undefined ? {} : {resource})};
      const about = {platform, issuer, clientId, redirectUri, wanted, assistants: allAssistants, servers};
      return {text: guideText(guideFor(provider, about)), isTried: provider.evidence === 'run'};
    },
  };
  const files = await exportKit(input, quietRun(ports, signal, warn));
  await writeKit(directory, files);
  if (flags.json) {
    for (const {path, does, checked} of files) terminal.stdout.writeJson({type: 'file', path, does, checked});
    terminal.stdout.writeJson({type: 'done', directory, files: files.length});
  } else if (!flags.quiet) {
    const table = await formatTable(partsOf(files), widthOf(terminal));
    terminal.stdout.write(`The organisation kit is in ${directory}. Start with its README.md.\n\n${table}`);
  }
};

/** The top level of a kit. */
const parts: Readonly<Record<string, string>> = {
  'README.md': 'what to do, and how the files were checked',
  'platform-setup.json': 'the company file, to publish',
  'identity-provider': 'the clients to register, with instructions',
  platform: 'Helm values, and role bindings for groups',
  machines: 'entries and policies of assistants, for Linux, macOS and Windows',
  registry: 'an MCP registry for VS Code and Copilot',
  ansible: 'a playbook for Linux machines',
  'dev-container': 'a dev container with the program and the servers',
};

const partsOf = (files: readonly KitFile[]): readonly (readonly string[])[] => {
  const tops = new Set(files.map(({path}) => path.split('/')[0] ?? path));
  return [...tops].map(top => [`  ${top}`, parts[top] ?? '']);
};

type Found = Pick<KitInput, 'deployment' | 'company' | 'contact'> & {
  readonly redirectUri?: string;
};

/** Returns the saved deployment that the flags name; otherwise looks for one with them. */
const deploymentFor = async (invocation: Invocation, ports: Ports, warn: (message: string) => void): Promise<Found> => {
  const {flags, signal} = invocation;
  const context = isSearched(flags) ? undefined : savedContext(flags, await ports.config.read());
  const input = await readWizardInput(invocation, ports, context);
  const {redirectUri = context?.redirectUri, companyFile} = input.settings;
  const moved = redirectUri === undefined ? {} : {redirectUri};
  const contact = context?.contact === undefined ? {} : {contact: context.contact};
  if (context) return {deployment: deploymentIn(context), ...moved, ...contact};
  const deployment = await liveDeployment(input, {signal, warn});
  return {deployment, ...moved, ...(companyFile ? {company: companyFile.company} : {})};
};

/** @throws SetupError `input-invalid` */
const groupsIn = (text: string): readonly Group[] => {
  const groups = text.split(',').map((one): [string, Group] => {
    const [name = '', role, ...more] = one.split('=').map(part => part.trim());
    const isRole = role === undefined || (/^[a-z0-9][a-z0-9.-]*$/.test(role) && /[a-z0-9]$/.test(role));
    if (name !== '' && isRole && more.length === 0)
      return [`${name}=${role ?? ''}`, {name, ...(role === undefined ? {} : {role})}];
    throw new SetupError(
      'input-invalid',
      `--groups takes names of groups, each with an optional role; “${one}” is not one.`,
      {
        remedy: 'Write them like this: --groups developers,operators=admin.',
        about: {flag: 'groups'},
      },
    );
  });
  return [...new Map(groups).values()];
};

/** @throws SetupError `input-invalid` */
const registryIn = ({'registry-url': value}: FlagValues): {readonly registryUrl?: string} => {
  if (value === undefined) return {};
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.search === '' && url.hash === '';
  if (url && isPlain) return {registryUrl: withoutSlash(url.href)};
  throw new SetupError('input-invalid', '--registry-url takes an address with https that has only a host and a path.', {
    remedy: 'Pass the address at which you will serve the kit’s registry: https://mcp.acme.example.com.',
    about: {flag: 'registry-url'},
  });
};
