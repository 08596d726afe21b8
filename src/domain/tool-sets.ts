import type {Release} from '../platform/platform.ts';

/** For whom tools are chosen: who builds services, or who runs the platform. */
export type ToolPreset = 'build' | 'run';

/** Which tools of a server an entry has: those of a preset, or all. */
export type ToolChoice = 'all' | ToolPreset;

/** The choices in the order in which they are offered. */
export const toolChoices: readonly ToolChoice[] = ['all', 'build', 'run'];

/** The sets of tools that a server can be asked for, by who wants them. */
export type ToolSets = NonNullable<Release['toolSets']>;

/** The parameter of its address by which a control plane's MCP server is asked for some sets. */
const PARAMETER = 'toolsets';

/** The address of a server at which it lists the tools of a choice; as it is where the server has no sets. */
export const narrowedTo = (choice: ToolChoice, url: string, sets: Partial<ToolSets> | undefined): string => {
  const wanted = choice === 'all' ? undefined : sets?.[choice];
  return wanted === undefined ? url : `${url}?${PARAMETER}=${wanted.join(',')}`;
};

/** The address of the server alone: whatever sets are asked for there, it is the same server and the same resource. */
export const withoutToolSets = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  if (!address.searchParams.has(PARAMETER)) return url;
  address.searchParams.delete(PARAMETER);
  return address.href;
};
