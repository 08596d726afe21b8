import {addressIn, type McpServer} from '../domain/mcp-servers.ts';
import {contextFor} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import type {Run} from '../flows/flow.ts';
import {quietRun} from '../flows/flow.ts';
import type {ToolServer} from '../flows/platform-tools/call-tool.ts';
import {savedEntriesOf} from '../flows/saved-entries.ts';
import {renewing} from '../flows/sign-in/fresh-token.ts';
import {platformOfDeployment} from '../platform/platforms.ts';
import {readingToolsOf} from '../platform/recognise.ts';
import {actingAs} from './acting-as.ts';
import type {Invocation} from './command.ts';
import {currentContext} from './current-context.ts';
import {portsOf} from './ports-of.ts';
import {toolsIn} from './tools-flag.ts';

const names: readonly McpServer[] = ['control-plane', 'observability'];

/** Returns the server of that name. @throws SetupError `input-usage`, `input-invalid` */
export const serverNamed = (name: string | undefined): McpServer => {
  const found = names.find(one => one === name);
  if (found) return found;
  const what = name === undefined ? 'The name of a server is missing' : `There is no server ${name}`;
  throw new SetupError(name === undefined ? 'input-usage' : 'input-invalid', `${what}.`, {
    remedy: `Choose ${names.join(' or ')}.`,
  });
};

/**
 * Returns the ports, the address of the server that the first argument names, a function that does work there with a
 * token, and the tools that only read although their names do not say so.
 */
export const reachServer = async (invocation: Invocation) => {
  const {args, flags, signal} = invocation;
  const wanted = serverNamed(args[0]);
  const {context: saved, ports} = await currentContext(portsOf(invocation), invocation);
  const context = await actingAs(saved, invocation);
  const platform = platformOfDeployment(context);
  const entries = savedEntriesOf(context, platform);
  const found = entries.find(({server}) => server === wanted);
  if (!found) throw new SetupError('platform-observer-missing', `${context.name} is set up without an observer.`);
  const url = addressIn(found, toolsIn(flags));
  const {controlPlaneUrl} = context;
  const {contact, release} = context;
  const controlPlane = {
    ...{platform, controlPlaneUrl},
    ...(contact === undefined ? {} : {contact}),
    ...(release === undefined ? {} : {version: release}),
  };
  const own = contextFor(context, wanted);
  const quiet = quietRun(ports, signal);
  /** The token that was used last, for the analysis of an error. */
  let used: string | undefined;
  const at = async (token: string): Promise<ToolServer> => {
    used = token;
    const {accessToken} = await import('../flows/sign-in/access-token.ts');
    const signIn = own === context ? token : (await accessToken(context, quiet)).accessToken;
    const headers = {Authorization: `Bearer ${token}`};
    return {name: wanted, url, headers, controlPlane, token: signIn};
  };
  const run = <Output>(work: (server: ToolServer, run: Run) => Promise<Output>) => {
    const atServer = async (token: string) => work(await at(token), quiet);
    return renewing(own, atServer, quiet).catch(async error => {
      if (!(error instanceof SetupError)) throw error;
      const {mcpFailureCause} = await import('../flows/platform-tools/mcp-failure-cause.ts');
      throw await mcpFailureCause(error, {context, server: wanted, token: used}, ports, signal).catch(() => error);
    });
  };
  return {ports, url, run, reading: readingToolsOf(platform)};
};
