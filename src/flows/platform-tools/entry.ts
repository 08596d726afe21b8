/** What a platform offers to who is signed in: its MCP servers and their tools, its components, and the account's role. */
import {lazyFunction} from '../lazy.ts';

export type {ToolServer} from './call-tool.ts';
export type {ConnectionReport} from './check-connection.ts';
export type {Component} from './component.ts';
export type {ToolList} from './list-tools.ts';
/** What a failure of an MCP server means whose service answers. */
export {inPlaceOfMcp} from './page-in-place.ts';

/** Whether everything answers, and takes the token. */
export const checkConnection = /* @__PURE__ */ lazyFunction(
  async () => (await import('./check-connection.ts')).checkConnection,
);

/** The tools of a server, with what they take. */
export const describeTools = /* @__PURE__ */ lazyFunction(async () => (await import('./call-tool.ts')).describeTools);

/** Calls one tool of a server. */
export const callTool = /* @__PURE__ */ lazyFunction(async () => (await import('./call-tool.ts')).callTool);

/** Whether a server refuses a token, by one call. */
export const isTokenRefused = /* @__PURE__ */ lazyFunction(
  async () => (await import('./is-token-refused.ts')).isTokenRefused,
);

/** What a call of an assistant failed for, as the checks would say it. */
export const mcpFailureCause = /* @__PURE__ */ lazyFunction(
  async () => (await import('./mcp-failure-cause.ts')).mcpFailureCause,
);

/** The components of a platform. */
export const listComponents = /* @__PURE__ */ lazyFunction(
  async () => (await import('./list-components.ts')).listComponents,
);

/** The names of the tools of a server at an address. */
export const listTools = /* @__PURE__ */ lazyFunction(async () => (await import('./list-tools.ts')).listTools);

/** The names of the tools of a server that a command starts. */
export const listToolsByCommand = /* @__PURE__ */ lazyFunction(
  async () => (await import('./list-tools.ts')).listToolsByCommand,
);

/** What the tools of a preset take. */
export const toolCost = /* @__PURE__ */ lazyFunction(async () => (await import('./tool-cost.ts')).toolCost);

/** What an account may do, in words; an error where it has no role. */
export const requireRole = /* @__PURE__ */ lazyFunction(async () => (await import('./access.ts')).requireRole);

/** The release of a control plane, where it tells. */
export const readVersion = /* @__PURE__ */ lazyFunction(async () => (await import('./access.ts')).readVersion);
