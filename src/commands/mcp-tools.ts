import {readFile} from 'node:fs/promises';
import {text as readAll} from 'node:stream/consumers';
import type {Invocation, Run} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import {finish} from '../command-line/output/finish.ts';
import {formatTable} from '../command-line/output/format-table.ts';
import {showValue} from '../command-line/output/show-value.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {type McpServer, serversOf} from '../domain/mcp-servers.ts';
import {contextFor} from '../domain/server-tokens.ts';
import {SetupError} from '../errors/errors.ts';
import type {FlowEvent} from '../flows/flow.ts';
import {callTool, describeTools, type ToolServer} from '../flows/platform-tools/entry.ts';
import {accessToken, renewing} from '../flows/sign-in/entry.ts';
import type {Tool} from '../mcp/client.ts';
import {findPlatform} from '../platform/platforms.ts';

const names: readonly McpServer[] = ['control-plane', 'observability'];

/** `setup mcp tools SERVER [TOOL]`: what a server offers, and what a tool takes. */
export const runMcpTools: Run = async invocation => {
  const {flags, args, terminal, signal} = invocation;
  const {ports, url, run} = await reach(invocation);
  const tools = await run(server => describeTools(server, ports, signal));
  const wanted = args[1];
  const shown = wanted === undefined ? tools : tools.filter(({name}) => name === wanted);
  if (wanted !== undefined && shown.length === 0) {
    throw new SetupError('input-invalid', `${url} has no tool ${wanted}.`, {
      remedy: `See npx setup mcp tools ${args[0]}.`,
    });
  }
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({url, tools: shown})}\n`);
  } else if (wanted !== undefined) {
    for (const tool of shown) terminal.stdout.write(describe(tool));
  } else {
    const rows = shown.map(({name, description = ''}) => [name, firstSentence(description)]);
    terminal.stdout.write(formatTable([['TOOL', 'WHAT IT DOES'], ...rows]));
  }
};

/** `setup mcp call SERVER TOOL [key=value …]`: one call of a tool, its answer as a table, as text, or as JSON. */
export const runMcpCall: Run = async invocation => {
  const {flags, args, terminal, signal} = invocation;
  const [name = '', tool, ...words] = args;
  if (tool === undefined) {
    throw new SetupError('input-required', 'The name of a tool is missing.', {
      remedy: `See npx setup mcp tools ${name || 'control-plane'}.`,
    });
  }
  const object = flags.input === undefined ? {} : {object: await readInput(flags.input, invocation)};
  const {ports, run} = await reach(invocation);
  const answer = await run(server => callTool({server, tool, given: {words, ...object}}, ports, signal));
  if (flags.json) terminal.stdout.write(`${JSON.stringify(answer.value ?? answer.raw)}\n`);
  else terminal.stdout.write(answer.value === undefined ? `${answer.texts.join('\n')}\n` : showValue(answer.value));
};

/** The server that the first word names, and how something is done there with a valid token. */
const reach = async (invocation: Invocation) => {
  const {args, signal} = invocation;
  const wanted = names.find(one => one === args[0]);
  if (!wanted) {
    const what = args[0] === undefined ? 'The name of a server is missing' : `There is no server ${args[0]}`;
    throw new SetupError(args[0] === undefined ? 'input-required' : 'input-invalid', `${what}.`, {
      remedy: `It is ${names.join(' or ')}.`,
    });
  }
  const ports = portsOf(invocation);
  const context = await currentContext(ports, invocation);
  const found = serversOf(context, findPlatform(context.platform)).find(({server}) => server === wanted);
  if (!found) throw new SetupError('platform-observer-missing', `${context.name} is set up without an observer.`);
  const {platform: id, controlPlaneUrl} = context;
  const controlPlane = {platform: findPlatform(id), controlPlaneUrl};
  const own = contextFor(context, wanted);
  /** The server with its token, and with the one by which the control plane is asked for the account's role. */
  const at = async function* (token: string): AsyncGenerator<FlowEvent, ToolServer, void> {
    const signIn = own === context ? token : (yield* accessToken(context, ports, signal)).accessToken;
    const headers = {Authorization: `Bearer ${token}`};
    return {name: wanted, url: found.url, headers, controlPlane, token: signIn};
  };
  const run = <Output>(work: (server: ToolServer) => AsyncGenerator<FlowEvent, Output, void>) => {
    const atServer = async function* (token: string) {
      return yield* work(yield* at(token));
    };
    return finish(renewing(own, atServer, ports, signal));
  };
  return {ports, url: found.url, run};
};

const readInput = async (file: string, {terminal}: Invocation): Promise<Record<string, unknown>> => {
  const text =
    file === '-'
      ? await readAll(terminal.stdin)
      : await readFile(file, 'utf8').catch(error => {
          throw new SetupError('local-read-failed', `${file} cannot be read (${error.code}).`, {cause: error});
        });
  const where = file === '-' ? 'Standard input' : file;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new SetupError('input-invalid', `${where} is not a JSON object.`);
};

const firstSentence = (text: string) => /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';

type Property = {readonly type?: unknown; readonly description?: string; readonly enum?: readonly unknown[]};

const describe = ({name, description = '', inputSchema}: Tool): string => {
  const {properties = {}, required = []} = inputSchema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([key, property]) => [
    `  ${key}`,
    property.enum ? property.enum.join('|') : [property.type].flat().join('|'),
    required.includes(key) ? 'required' : '',
    property.description ?? '',
  ]);
  return `${name}\n\n${description}\n\n${rows.length === 0 ? 'It takes no arguments.\n' : `Arguments\n${formatTable(rows)}`}`;
};
