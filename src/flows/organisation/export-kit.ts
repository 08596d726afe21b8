import type {Assistant} from '../../assistants/assistant.ts';
import {type Handling, jsonText} from '../../assistants/managed.ts';
import type {System} from '../../assistants/place.ts';
import type {Deployment} from '../../domain/context.ts';
import {contextNameOf} from '../../domain/context.ts';
import {addressIn, entriesOf} from '../../domain/mcp-servers.ts';
import type {ToolPreset} from '../../domain/tool-sets.ts';
import {companyFileUrlsOf, parseBaseDomain} from '../../platform/addresses.ts';
import type {Company} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import {findPlatform} from '../../platform/platforms.ts';
import {releaseOf, toolSetsOf} from '../../platform/recognise.ts';
import {writeCompanyFile} from '../company-file/write-company-file.ts';
import {type CliClient, findCliClient} from '../deployment/find-cli-client.ts';
import type {Flow, Run} from '../flow.ts';
import {readVersion} from '../platform-tools/access.ts';
import {stoppable} from '../stoppable.ts';
import {ansibleFiles} from './ansible.ts';
import {devContainerFiles} from './dev-container.ts';
import {COMPANY_FILE, type KitFile} from './kit-file.ts';
import {machineFiles, machinesOf} from './machine-files.ts';
import {type Group, platformFiles} from './platform-files.ts';
import {providerFiles} from './provider-files.ts';
import {readMe} from './read-me.ts';
import {namespaceOf, registryDocuments} from './registry-documents.ts';

export type KitInput = {
  readonly deployment: Deployment;
  readonly platform: Platform;
  /** The company file that the deployment was found by. */
  readonly company?: Company;
  /** Whom to ask about the platform. */
  readonly contact?: string;
  readonly assistants: readonly Assistant[];
  /** Of this program. */
  readonly version: string;
  readonly groups: readonly Group[];
  /** The tools that assistants get; all of them without. */
  readonly tools?: ToolPreset;
  /** Hosts that may be called without TLS, as the flag has them. */
  readonly allowHttp?: string;
  /** Where the registry's documents will be served; policies name it then. */
  readonly registryUrl?: string;
  /** Where the browser returns to after a person's sign-in. */
  readonly redirectUri: string;
  /** What to click and type at the identity provider for a client. */
  guide(client: CliClient): {readonly text: string; readonly isTried: boolean};
};

const systems: readonly System[] = ['linux', 'darwin', 'win32'];

/**
 * Everything that an administrator rolls out for a platform that answers, as files below one directory; the first says
 * what the others are for.
 *
 * @throws SetupError `network-*`, `input-invalid`
 */
export const exportKit: Flow<KitInput, readonly KitFile[]> = async (input, run) => {
  const {ports} = run;
  const {deployment, platform, assistants, version, groups, tools, redirectUri, allowHttp, registryUrl} = input;
  const {baseDomain} = deployment;
  const context = contextNameOf(baseDomain);
  const {company: foundBy, contact} = input;
  const {client, release} = await stoppable(run, run => lookAt(input, run));
  const said = {client, ...(foundBy ? {company: foundBy} : {}), ...(contact === undefined ? {} : {contact})};
  const kind = findPlatform(deployment.platform);
  const company = await writeCompanyFile({deployment, platform: kind, callbackUrl: redirectUri, ...said}, run);
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
      text: jsonText(tools ? {...company, defaults: {...foundBy?.defaults, tools}} : company),
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
  const told = {
    deployment,
    platformName: platform.name,
    version,
    hasRoles,
    companyFileUrl: publishedAt(input),
    isRegistryNamed: registryUrl !== undefined,
    files,
  };
  return [readMe({...told, ...(release === undefined ? {} : {release})}), ...files];
};

/** Where the wizard looks for the company file. */
const publishedAt = ({deployment: {baseDomain}, platform}: KitInput): string => {
  const [url] = companyFileUrlsOf([platform], parseBaseDomain(baseDomain, [platform]));
  if (!url) throw new Error('Every platform has a place for its company file.');
  return url.href;
};

/** What the control plane tells besides where it is. */
const lookAt = async ({deployment: {controlPlaneUrl, version}, platform}: KitInput, run: Run) => {
  const [client, release] = await Promise.all([
    findCliClient({platform, controlPlaneUrl}, run),
    version ?? readVersion({controlPlaneUrl, platform}, run),
  ]);
  return {client, release};
};
