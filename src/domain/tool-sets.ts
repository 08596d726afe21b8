import type {Release} from '../platform/platform.ts';

/** The kind of person for whom tools are chosen: one who builds services, or one who runs the platform. */
export type ToolPreset = 'build' | 'run';

/** What an entry is limited to: the tools of a preset, which the server lists, or those that only read. */
export type ToolLimit = ToolPreset | 'look';

/** The tools of a server that an entry has. */
export type ToolChoice = 'all' | ToolLimit;

/** Returns the preset of a choice; undefined for all tools, and for those that only read. */
export const presetIn = (choice: ToolChoice | undefined): ToolPreset | undefined =>
  choice === 'all' || choice === 'look' ? undefined : choice;

/** The choices in the order in which they are offered. */
export const toolChoices: readonly ToolChoice[] = ['all', 'build', 'run', 'look'];

/** The sets of tools that a server can be asked for, by preset. */
export type ToolSets = NonNullable<Release['toolSets']>;

/** The URL parameter that asks a control plane's MCP server for certain sets. */
const PARAMETER = 'toolsets';

/**
 * Returns the address at which a server lists the chosen tools; unchanged if the server has no sets. No server has a
 * set of the tools that only read: the bridge filters them.
 */
export const narrowedTo = (choice: ToolChoice, url: string, sets: Partial<ToolSets> | undefined): string => {
  const preset = presetIn(choice);
  const wanted = preset === undefined ? undefined : sets?.[preset];
  return wanted === undefined ? url : `${url}?${PARAMETER}=${wanted.join(',')}`;
};

/**
 * Returns the address of the server alone. Whatever sets are asked for, it is the same server and the same resource.
 */
export const withoutToolSets = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  if (!address.searchParams.has(PARAMETER)) return url;
  address.searchParams.delete(PARAMETER);
  return address.href;
};

/** The number of tools, and roughly how many tokens they cost in each conversation. */
export type ToolCost = {readonly tools: number; readonly tokens: number};

/** The parts of a tool that a client gives to a model. */
type Described = {readonly name: string; readonly description?: string; readonly inputSchema: unknown};

/** Characters of English and JSON per token, on average over current models. */
const CHARACTERS = 4;

/**
 * Estimates how many tokens these tools cost in each conversation: a client gives a model the name, the description
 * and the schema of each tool. It is an estimate because each model counts tokens in its own way.
 */
export const costOf = (tools: readonly Described[]): ToolCost => {
  const definitions = tools.map(({name, description, inputSchema}) => JSON.stringify({name, description, inputSchema}));
  const characters = definitions.reduce((sum, {length}) => sum + length, 0);
  return {tools: tools.length, tokens: Math.ceil(characters / CHARACTERS)};
};

/** Adds up the costs of several servers. */
export const sumOf = (costs: readonly ToolCost[]): ToolCost => ({
  tools: costs.reduce((sum, {tools}) => sum + tools, 0),
  tokens: costs.reduce((sum, {tokens}) => sum + tokens, 0),
});

/** Puts an estimate into words, without false precision: “about 6,100 tokens”. */
export const aboutTokens = (tokens: number): string => {
  const unit = tokens < 1000 ? 10 : 100;
  return `about ${(Math.round(tokens / unit) * unit).toLocaleString('en')} tokens`;
};

/** Puts a cost into words: “25 tools, about 6,100 tokens”. */
export const describeCost = ({tools, tokens}: ToolCost): string =>
  `${tools} ${tools === 1 ? 'tool' : 'tools'}, ${aboutTokens(tokens)}`;
