import {type Registered, registryFiles} from '../../assistants/mcp-registry.ts';
import {addressIn, type McpEntry, type McpServer} from '../../domain/mcp-servers.ts';
import type {ToolPreset} from '../../domain/tool-sets.ts';
import type {KitFile} from './platform-files.ts';

type About = {
  readonly baseDomain: string;
  readonly entries: readonly McpEntry[];
  readonly tools?: ToolPreset;
  /** The name of people's contexts. */
  readonly context: string;
  /** The version of this program. */
  readonly version: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
};

const titles: Readonly<Record<McpServer, string>> = {'control-plane': 'Control plane', observability: 'Observability'};

const descriptions: Readonly<Record<McpServer, string>> = {
  'control-plane': 'Projects, components, environments and deployments of the platform.',
  observability: 'Logs, metrics, traces and alerts of the platform.',
};

/** Returns the beginning of the names in an organisation's registry: its domain backwards. */
export const namespaceOf = (baseDomain: string): string => baseDomain.split('.').toReversed().join('.');

/** Returns a registry of the two MCP servers as files, for clients that look servers up in a registry. */
export const registryDocuments = ({baseDomain, entries, tools, context, version, now}: About): readonly KitFile[] => {
  const servers = entries.map((entry): Registered => {
    const {server, label, toolSets} = entry;
    const narrowing = tools && toolSets ? ['--tools', tools] : [];
    return {
      name: label,
      title: `${titles[server]} of ${baseDomain}`.slice(0, 100),
      description: descriptions[server],
      url: addressIn(entry, tools),
      args: ['mcp', 'serve', server, '--context', context, '--base-domain', baseDomain, ...narrowing],
    };
  });
  const files = registryFiles(servers, {
    package: {name: 'platform-setup', version},
    namespace: namespaceOf(baseDomain),
    // The day alone, so that kits of one day are the same.
    at: `${new Date(now).toISOString().slice(0, 10)}T00:00:00Z`,
  });
  const about: Pick<KitFile, 'does' | 'checked'> = {
    does: 'Lists the servers in an MCP registry. The answers to its API are below `v0.1/`, and `servers/` holds a `server.json` for each server. Each server can also be looked up by the name of its entry.',
    checked:
      'Tried with code-server 4.139: it started the listed server and no other. Each `server.json` conforms to the schema of 2025-12-11.',
  };
  return files.map(({path, text}, index) => ({path: `registry/${path}`, text, ...(index === 0 ? about : {})}));
};
