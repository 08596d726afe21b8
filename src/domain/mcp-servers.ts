import type {Platform} from '../platform/platform.ts';
import {addressOf} from './address.ts';
import type {Deployment} from './deployment.ts';

/** One of the two MCP servers. */
export type McpServer = 'control-plane' | 'observability';

/** One server as it is entered in an assistant: under which label, at which address. */
export type McpEntry = {readonly server: McpServer; readonly label: string; readonly url: string};

/** The entries of a context, labelled so that two deployments can stand side by side. */
export const entriesOf = (context: string, deployment: Deployment, platform: Platform): readonly McpEntry[] =>
  serversOf(deployment, platform).map(({server, url}) => ({
    server,
    label: `${context}-${labelOf(server, platform)}`,
    url,
  }));

const labelOf = (server: McpServer, {mcpServers}: Platform) =>
  server === 'control-plane' ? mcpServers.controlPlane : mcpServers.observability;

/** The MCP servers of a deployment and their addresses (platform access 4.2). */
export const serversOf = (
  {controlPlaneUrl, observerUrl}: Pick<Deployment, 'controlPlaneUrl' | 'observerUrl'>,
  {paths}: Platform,
) => {
  const controlPlane = {server: 'control-plane', url: addressOf(controlPlaneUrl, paths.mcp).href} as const;
  if (observerUrl === undefined) return [controlPlane];
  return [controlPlane, {server: 'observability', url: addressOf(observerUrl, paths.mcp).href} as const];
};
