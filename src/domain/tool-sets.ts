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

/** What the tools of an MCP server take of a conversation: how many there are, and about how many tokens. */
export type ToolCost = {readonly tools: number; readonly tokens: number};

/** A tool as far as a client gives it to a model. */
type Described = {readonly name: string; readonly description?: string; readonly inputSchema: unknown};

/** Characters of English and JSON that make a token, on the average of the models that there are. */
const CHARACTERS = 4;

/**
 * What these tools take of each conversation: a client gives a model the name, the description and the schema of every
 * one. An estimate, since each model counts its own tokens.
 */
export const costOf = (tools: readonly Described[]): ToolCost => {
  const given = tools.map(({name, description, inputSchema}) => JSON.stringify({name, description, inputSchema}));
  const characters = given.reduce((sum, {length}) => sum + length, 0);
  return {tools: tools.length, tokens: Math.ceil(characters / CHARACTERS)};
};

/** What several servers take together. */
export const sumOf = (costs: readonly ToolCost[]): ToolCost => ({
  tools: costs.reduce((sum, {tools}) => sum + tools, 0),
  tokens: costs.reduce((sum, {tokens}) => sum + tokens, 0),
});

/** An estimate in words, no more exact than it is: “about 6,100 tokens”. */
export const aboutTokens = (tokens: number): string => {
  const unit = tokens < 1000 ? 10 : 100;
  return `about ${(Math.round(tokens / unit) * unit).toLocaleString('en')} tokens`;
};

/** Both in words: “25 tools, about 6,100 tokens”. */
export const describeCost = ({tools, tokens}: ToolCost): string =>
  `${tools} ${tools === 1 ? 'tool' : 'tools'}, ${aboutTokens(tokens)}`;
