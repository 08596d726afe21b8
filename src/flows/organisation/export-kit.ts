import type {Assistant} from '../../assistants/assistant.ts';
import {type Handling, jsonText} from '../../assistants/managed.ts';
import type {System} from '../../assistants/place.ts';
import {contextNameOf, type Deployment} from '../../domain/context.ts';
import {addressIn, entriesOf} from '../../domain/mcp-servers.ts';
import type {ToolLimit} from '../../domain/tool-sets.ts';
import {companyFileUrlOf} from '../../platform/addresses.ts';
import type {Company, CompanyDefaults} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import {findPlatform} from '../../platform/platforms.ts';
import {releaseOf, toolSetsOf} from '../../platform/recognise.ts';
import {cleanText} from '../../text.ts';
import {type CliClient, findCliClient} from '../deployment/cli-client.ts';
import {inBaseDomain, writeCompanyFile} from '../deployment/write-company-file.ts';
import type {Flow, Run} from '../flow.ts';
import {readVersion} from '../platform-tools/account-roles.ts';
import {stoppable} from '../stoppable.ts';
import {
  ansibleFiles,
  devContainerFiles,
  machineFiles,
  machinesOf,
  namespaceOf,
  registryDocuments,
} from './machine-files.ts';
import {COMPANY_FILE, type Group, type KitFile, platformFiles, prefixOn, providerFiles} from './platform-files.ts';

type About = {
  readonly deployment: Deployment;
  readonly platformName: string;
  readonly release?: string;
  readonly version: string;
  readonly hasRoles: boolean;
  /** The address at which the wizard looks for the company file. */
  readonly companyFileUrl: string;
  /** Whether policies name the address of the registry. */
  readonly isRegistryNamed: boolean;
  readonly files: readonly KitFile[];
};

/** Returns the file that says where to begin, what each file is for and how it was checked. As Markdown. */
export const readMe = ({
  deployment,
  platformName,
  release,
  version,
  hasRoles,
  companyFileUrl,
  isRegistryNamed,
  files,
}: About): KitFile => {
  const {baseDomain, controlPlaneUrl} = deployment;
  const of = release === undefined ? '' : `, release ${plain(release)}`;
  const roles = hasRoles
    ? 'Replace the group names in `platform/role-bindings.yaml` with those of your identity provider, then apply the file.'
    : 'This release of the platform has no roles, so there are no role bindings.';
  const named = isRegistryNamed ? '' : ', and export the kit again with `--registry-url`, so that policies name it';
  const text = `# Organisation kit for ${plain(platformName)}

Everything you need to connect your organisation’s machines to the platform at ${baseDomain}. It was written by platform-setup ${version} from ${controlPlaneUrl}${of}. It contains no secrets. Export it again after you upgrade the platform or platform-setup.

## What to do

1. **Identity provider.** Register the clients of \`identity-provider/clients.json\`; \`identity-provider/set-up.txt\` says where to click. Skip this if you use the identity provider that comes with the platform, unchanged.
2. **Platform.** Apply \`platform/helm-values.yaml\` if people sign in with a client of your own. ${roles}
3. **Company file.** Fill in the name and a contact in \`${COMPANY_FILE}\`, check it with \`npx platform-setup platform check ${COMPANY_FILE}\`, and publish it at <${companyFileUrl}>.
4. **Registry**, if you use one with VS Code or Copilot. Add the documents in \`registry/servers\` to it. Any web server can be a registry too: serve \`registry/PATH/index.json\` at \`PATH\`, as \`application/json\` and with \`Access-Control-Allow-Origin: *\`${named}.
5. **Package.** The machines install \`platform-setup@${version}\` and Node.js from npm. Make sure that they get this program: verify the release, or publish the package in your own registry.
6. **Machines.** Choose one of two ways. \`machines/servers\` gives Claude Code and Codex the servers on every machine; people cannot add others. \`machines/allow-list\` lets people connect these servers themselves; they cannot add others. VS Code and Copilot cannot be given servers by a file, so people always connect those themselves. Each way has a directory for each system, laid out as on the machine (\`vscode.reg\` and \`vscode.mobileconfig\` are imported instead). Install the files and the program with \`ansible/playbook.yml\` on Linux, and with your device management elsewhere. If you already manage one of these files, merge the two, because the kit’s file contains only what this platform needs. The playbook backs up every file that it replaces, and removes the files of the other way.
7. **People** run \`platform-setup --base-domain ${baseDomain}\` once and sign in. Until then, their assistants tell them to. To check a machine, run \`platform-setup doctor\`.

The entries start the program in \`${prefixOn('linux')}\` (Linux and macOS) or \`${prefixOn('win32')}\` (Windows), where \`npm install --global --prefix\` puts it, with the Node.js next to it. If you install it elsewhere, change these paths.

## What the lists do not prevent

Claude Code and Copilot recognise a program that an assistant starts by the name of its entry, because the program is in a different place for each person. Codex recognises it by its path, without its arguments. So people who can edit their own settings can start another program under the name of one of these servers. Servers at an address are recognised by the address.

## The files

| file | what it is for | how files of this kind were checked |
|---|---|---|
${files.flatMap(rowsOf).join('\n')}
`;
  return {path: 'README.md', text, does: 'Start here: what to do, and how files of each kind were checked.'};
};

const rowsOf = ({path, does, checked = ''}: KitFile): readonly string[] =>
  does === undefined ? [] : [`| ${[`\`${path}\``, does, checked].map(cell).join(' | ')} |`];

const cell = (text: string) => text.replaceAll('|', '\\|');

/** Escapes a text from elsewhere, so that nothing in it is Markdown. */
const plain = (text: string) => cleanText(text).replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, String.raw`\$&`);

export type KitInput = {
  readonly deployment: Deployment;
  readonly platform: Platform;
  /** The company file by which the deployment was found. */
  readonly company?: Company;
  /** The contact for questions about the platform. */
  readonly contact?: string;
  readonly assistants: readonly Assistant[];
  /** The version of this program. */
  readonly version: string;
  readonly groups: readonly Group[];
  /** The tools that assistants get; all of them if absent. */
  readonly tools?: ToolLimit;
  /** As whom the wizard suggests that assistants act: an account of their own, for a purpose. */
  readonly assistantsAs?: CompanyDefaults['assistantsAs'];
  /** Hosts that may be called without TLS, in the form of the flag. */
  readonly allowHttp?: string;
  /** The address at which the registry's documents will be served; policies then name it. */
  readonly registryUrl?: string;
  /** The URL to which the browser returns after a person's sign-in. */
  readonly redirectUri: string;
  /** Returns the steps at the identity provider for a client. */
  guide(client: CliClient): {readonly text: string; readonly isTried: boolean};
};

const systems: readonly System[] = ['linux', 'darwin', 'win32'];

/**
 * Returns everything that an administrator rolls out for a platform that answers, as files below one directory; the
 * first file says what the others are for.
 *
 * @throws SetupError `network-*`, `input-invalid`, `input-required` as `inBaseDomain` does
 */
export const exportKit: Flow<KitInput, readonly KitFile[]> = async (input, run) => {
  const {ports} = run;
  const {platform, assistants, version, groups, tools, assistantsAs, redirectUri, allowHttp, registryUrl} = input;
  const deployment = inBaseDomain(input.deployment);
  const {baseDomain} = deployment;
  const context = contextNameOf(baseDomain);
  const {company: foundBy, contact} = input;
  const {client, release} = await stoppable(run, run => lookAt(input, run));
  const known = {client, ...(foundBy ? {company: foundBy} : {}), ...(contact === undefined ? {} : {contact})};
  const kind = findPlatform(deployment.platform);
  const company = await writeCompanyFile({deployment, platform: kind, callbackUrl: redirectUri, ...known}, run);
  const defaults = {
    ...foundBy?.defaults,
    ...(tools ? {tools} : {}),
    ...(assistantsAs === undefined ? {} : {assistantsAs}),
  };
  const entries = entriesOf(context, deployment, platform, toolSetsOf(platform, release));
  const servers = [...new Set(entries.flatMap(entry => [entry.url, addressIn(entry, tools)]))];
  const chosen = {...(tools ? {tools} : {}), ...(allowHttp === undefined ? {} : {allowHttp})};
  const about = {entries, context, baseDomain, ...chosen};
  const registry = registryUrl === undefined ? {} : {registry: {url: registryUrl, namespace: namespaceOf(baseDomain)}};
  const machines = systems.flatMap(system => machineFiles({...about, ...registry, assistants, system}));
  const onLinux = (handling: Handling) => {
    const root = `${machinesOf(handling, 'linux')}/`;
    const found = machines.filter(({path}) => path.startsWith(root));
    return found.map(({path, text}) => ({path: path.slice(root.length), text}));
  };
  const pathsOf = (handling: Handling) => onLinux(handling).map(({path}) => path);
  const files: readonly KitFile[] = [
    {
      path: COMPANY_FILE,
      text: jsonText(Object.keys(defaults).length > 0 ? {...company, defaults} : company),
      does: 'Tells the wizard what is different about this platform (the company file).',
      checked: 'Written from what the platform answers. Check it with npx platform-setup platform check.',
    },
    ...providerFiles({assistants, servers, issuer: deployment.issuer, client, redirectUri, guide: input.guide(client)}),
    ...platformFiles({platform, client, groups, ...(release === undefined ? {} : {release})}),
    ...machines,
    ...registryDocuments({...about, version, now: ports.clock.now()}),
    ...ansibleFiles(version, {servers: pathsOf('servers'), 'allow-list': pathsOf('allow-list')}),
    ...devContainerFiles({
      ...{version, redirectUri, baseDomain},
      files: onLinux('servers'),
    }),
  ];
  const hasRoles = releaseOf(platform, release).roles !== undefined;
  const shared = {
    deployment,
    platformName: platform.name,
    version,
    hasRoles,
    companyFileUrl: companyFileUrlOf(input.platform, input.deployment.baseDomain).href,
    isRegistryNamed: registryUrl !== undefined,
    files,
  };
  return [readMe({...shared, ...(release === undefined ? {} : {release})}), ...files];
};

/** Asks the control plane for the client with which people sign in, and for its release if that is unknown. */
const lookAt = async ({deployment: {controlPlaneUrl, version}, platform}: KitInput, run: Run) => {
  const [client, release] = await Promise.all([
    findCliClient({platform, controlPlaneUrl}, run),
    version ?? readVersion({controlPlaneUrl, platform}, run),
  ]);
  return {client, release};
};
