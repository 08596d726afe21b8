import type {Platform} from '../platform/platform.ts';
import {addressOf} from './address.ts';
import type {Deployment} from './context.ts';
import {narrowedTo, type ToolChoice, type ToolSets} from './tool-sets.ts';

/** Says why a resource refuses the token of another server, without a full stop. */
export const takesOnlyItsOwn = (resource: string): string => `${resource} accepts only tokens issued for it`;

/** One of the two MCP servers. */
export type McpServer = 'control-plane' | 'observability';

/** An MCP server as entered in an assistant: its label and its address. */
export type McpEntry = {
  readonly server: McpServer;
  readonly label: string;
  readonly url: string;
  /** The sets of tools that the server can be asked for, if it has any. */
  readonly toolSets?: ToolSets;
};

/**
 * Returns the entries of a context, labelled so that two deployments can be entered side by side.
 *
 * @param toolSets the tool sets of the control plane's release
 */
export const entriesOf = (
  context: string,
  deployment: Pick<Deployment, 'controlPlaneUrl' | 'observerUrl'>,
  platform: Platform,
  toolSets: ToolSets | undefined,
): readonly McpEntry[] =>
  serversOf(deployment, platform).map(({server, url}) => ({
    server,
    label: `${context}-${labelOf(server, platform)}`,
    url,
    ...(toolSets && server === 'control-plane' ? {toolSets} : {}),
  }));

/** Returns the address at which a server lists the chosen tools. */
export const addressIn = ({url, toolSets}: McpEntry, tools: ToolChoice = 'all'): string =>
  narrowedTo(tools, url, toolSets);

const labelOf = (server: McpServer, {mcpServers}: Platform) =>
  server === 'control-plane' ? mcpServers.controlPlane : mcpServers.observability;

/** Returns the MCP servers of a deployment and their addresses (platform access 4.2). */
export const serversOf = (
  {controlPlaneUrl, observerUrl}: Pick<Deployment, 'controlPlaneUrl' | 'observerUrl'>,
  {paths}: Platform,
) => {
  const controlPlane = {server: 'control-plane', url: addressOf(controlPlaneUrl, paths.mcp).href} as const;
  if (observerUrl === undefined) return [controlPlane];
  return [controlPlane, {server: 'observability', url: addressOf(observerUrl, paths.mcp).href} as const];
};
