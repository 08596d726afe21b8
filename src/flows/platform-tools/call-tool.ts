import type {McpServer} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {parseJson} from '../../json.ts';
import type {McpClient, Tool} from '../../mcp/client.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {type ControlPlane, missingRole} from './account-roles.ts';
import {type McpServerAddress, withMcpServer} from './list-tools.ts';

/** The most letters by which a name may differ from the intended one; for a short name, half of its letters. */
const MOST_SLIPS = 4;

/** Returns the existing name that a person probably meant by another one; undefined if none is similar. */
export const meantBy = async (written: string, names: readonly string[]): Promise<string | undefined> => {
  const {closestMatch} = await import('leven');
  const maxDistance = Math.min(MOST_SLIPS, Math.floor(written.length / 2));
  const alike = names.filter(name => Math.abs(name.length - written.length) <= maxDistance);
  return closestMatch(written, alike, {maxDistance});
};

/** Arguments as a person gives them: words of the form `key=value`, and an object from a file. */
export type ToolArguments = {readonly words: readonly string[]; readonly object?: Readonly<Record<string, unknown>>};

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/**
 * Returns the arguments of a tool: reads each word as the tool's schema wants it, and checks all of them against the
 * schema.
 *
 * @param server the server of the tool, for the remedy
 * @throws SetupError `input-invalid`, `input-required`, which name the argument
 */
export const readArguments = async (
  {name, inputSchema}: Tool,
  {words, object = {}}: ToolArguments,
  server: McpServer,
): Promise<Record<string, unknown>> => {
  const {properties = {}, required = []} = inputSchema as Schema;
  const typed = words.map(word => {
    const at = word.indexOf('=');
    if (at < 1) throw new SetupError('input-invalid', `“${word}” is not an argument. Write it as key=value.`);
    const key = word.slice(0, at);
    return [key, readValue(word.slice(at + 1), properties[key], key)] as const;
  });
  const args = {...object, ...Object.fromEntries(typed)};
  const stranger = Object.keys(args).find(key => !(key in properties));
  if (stranger !== undefined && Object.keys(properties).length > 0) {
    throw new SetupError('input-invalid', `${name} has no argument ${stranger}.`, {
      remedy: `Use its arguments: ${Object.keys(properties).join(', ')}.`,
    });
  }
  const remedy = phrase`See ${setup('mcp tools', `${server} ${name}`)}.`;
  const missing = required.filter(key => !(key in args));
  if (missing.length > 0) {
    const what = `${missing.length === 1 ? 'the argument' : 'the arguments'} ${missing.join(' and ')}`;
    throw new SetupError('input-required', cleanText(`${name} needs ${what}.`), {remedy});
  }
  const {CfWorkerJsonSchemaValidator} = await import('@modelcontextprotocol/client/validators/cf-worker');
  // JSON that was received has no key with the value undefined.
  const schema = inputSchema as Parameters<InstanceType<typeof CfWorkerJsonSchemaValidator>['getValidator']>[0];
  const result = new CfWorkerJsonSchemaValidator().getValidator(schema)(args);
  if (result.valid) return args;
  throw new SetupError('input-invalid', cleanText(refusal(name, result.errorMessage)), {remedy});
};

/**
 * Turns the validator's complaint into a sentence. The complaint lists every level from the root down, with semicolons
 * between them, in the form `#/where: what`. Only the last level says what is wrong.
 */
const refusal = (tool: string, complaint: string): string => {
  const last = complaint.slice(Math.max(complaint.lastIndexOf('; #') + 2, 0)).slice(0, LONGEST);
  const [, where = '', what = last] = /^#(\/[^:]*)?: ([\s\S]*)$/.exec(last) ?? [];
  if (where === '') return `${tool} does not accept these arguments: ${what}`;
  const argument = `the argument ${where.slice(1).replaceAll('/', '.')}`;
  const [actual = '', types] = what.startsWith(TYPE) ? what.slice(TYPE.length, -'".'.length).split(EXPECTED, 2) : [];
  if (types !== undefined)
    return `${tool} expects ${argument} as ${types.replaceAll('", "', ' or ')}, not as ${actual}.`;
  const [, values] = /^Instance does not match (?:any of )?\[?(.*?)\]?\.$/.exec(what) ?? [];
  if (values !== undefined && /^["\d]/.test(values)) {
    return `${tool} accepts only ${values.replaceAll(',', ', ')} for ${argument}.`;
  }
  return `${tool} does not accept ${argument}: ${what}`;
};

/** The words with which the validator complains about the type of a value. */
const [TYPE, EXPECTED] = ['Instance type "', '" is invalid. Expected "'] as const;

/**
 * The longest part of a complaint that is used, in characters: a complaint repeats the values, and the server's schema.
 */
const LONGEST = 2_000;

/** Reads a word as the value that its schema wants: a string as it is, everything else as JSON. */
const readValue = (text: string, schema: Schema | undefined, key: string): unknown => {
  const types = [schema?.type].flat();
  if (schema === undefined || types.includes('string')) return text;
  try {
    return parseJson(text);
  } catch {
    if (types[0] === undefined) return text;
    throw new SetupError('input-invalid', `${key}=${text} is not of type ${types.join(' or ')}.`);
  }
};

/** The answer of a tool: its texts, and the value behind them if it returned one. */
export type ToolAnswer = {readonly texts: readonly string[]; readonly value?: unknown; readonly raw: unknown};

/** How long a tool may take, in milliseconds. */
const CALL_TOOL_TIMEOUT = 120_000;

/** A server whose tools are requested, and the control plane that knows the permissions of the account. */
export type ToolServer = McpServerAddress & {
  readonly name: McpServer;
  readonly controlPlane: ControlPlane;
  /** The token that the control plane accepts. */
  readonly token: string;
};

/**
 * Returns every tool of a server, with its arguments.
 *
 * @throws SetupError `auth-no-role` if there are none because the account has no role; as `withMcpServer`
 */
export const describeTools: Flow<ToolServer, readonly Tool[]> = (server, run) =>
  stoppable(run, async run => {
    const tools = await withMcpServer(server, run, client => client.listTools());
    const refused = tools.length === 0 ? await whyRefused(server, run) : undefined;
    if (refused) throw refused;
    return tools;
  });

const whyRefused = ({controlPlane, token}: ToolServer, run: Run) => missingRole({...controlPlane, token}, run);

type Input = {
  readonly server: ToolServer;
  readonly tool: string;
  readonly toolArguments: ToolArguments;
};

/**
 * Calls a tool, after checking the arguments against its schema.
 *
 * @throws SetupError `input-invalid` and `input-required` if there is no such tool or the arguments do not fit its
 *   schema, `auth-no-role` and `auth-permission-missing` if the account may not call it, `platform-tool-cut-off` if its
 *   server cannot reach something that it needs, `platform-tool-failed` with what the tool said; as `withMcpServer`
 */
export const callTool: Flow<Input, ToolAnswer> = ({server, tool: name, toolArguments}, run) =>
  stoppable(run, async run => {
    const converse = async (client: McpClient): Promise<ToolAnswer> => {
      const tools = await client.listTools();
      const tool = tools.find(one => one.name === name);
      if (!tool) throw (await whyRefused(server, run)) ?? (await unknownTool(name, tools, server));
      const args = await readArguments(tool, toolArguments, server.name);
      const raw = await client.callTool(name, args).catch(error => {
        // A failure on the way to the server is reported as it is.
        if (error instanceof SetupError) throw error;
        throw refusalOf(name, String(error?.message), server) ?? error;
      });
      const texts = raw.content.map(({type, text}) => (type === 'text' ? String(text) : `(${type})`));
      const text = cleanText(texts.join(' '));
      if (raw.isError) {
        throw (
          refusalOf(name, text, server) ?? new SetupError('platform-tool-failed', `${name} failed: ${asSentence(text)}`)
        );
      }
      const found = valueIn(raw.structuredContent, texts);
      // Some releases show every list to an account without a role, but empty.
      const refused = isEmptyList(found.value) ? await whyRefused(server, run) : undefined;
      if (refused) throw refused;
      return {texts, raw, ...found};
    };
    try {
      return await withMcpServer(server, run, converse, {timeout: CALL_TOOL_TIMEOUT});
    } catch (error) {
      if (!(error instanceof SetupError) || error.code !== 'auth-permission-missing') throw error;
      throw (await whyRefused(server, run)) ?? error;
    }
  });

/**
 * Returns the error if a tool's own words say that no change of the arguments would help; undefined for any other
 * failure.
 */
const refusalOf = (tool: string, words: string, {url}: ToolServer): SetupError | undefined => {
  if (isPermission(words)) return notPermitted(tool, words);
  if (!isCutOff(words)) return undefined;
  const message = `${url} answers, but could not reach something that ${tool} needs: ${asSentence(cleanText(words))}`;
  return new SetupError('platform-tool-cut-off', message, {about: {url}});
};

/**
 * Whether a text reports a failed connection of the server, in the words of programs in Go and Node: the tool's answer
 * has nothing but this text.
 */
const isCutOff = (text: string): boolean =>
  /\bdial (?:tcp|udp|unix)\b|\bconnection re(?:fused|set by peer)\b|\bno such host\b|\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|HOSTUNREACH)\b/.test(
    text.slice(0, LONGEST_WORDS),
  );

/** How much of a tool's words is examined, in characters. */
const LONGEST_WORDS = 4_000;

/**
 * Whether a text says that a permission is missing, in the words of the platform's releases; no change of the arguments
 * helps then.
 */
const isPermission = (text: string): boolean =>
  /\bnot authorized\b|\bmissing permission\b|insufficient permissions?/i.test(text);

const notPermitted = (tool: string, words: string) =>
  new SetupError('auth-permission-missing', `You may not call ${tool}: ${cleanText(words)}`);

/** Whether a value is an empty list, or an object whose lists are all empty. */
const isEmptyList = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object' || value === null) return false;
  const lists = Object.values(value).filter(member => Array.isArray(member));
  return lists.length > 0 && lists.every(list => list.length === 0);
};

const unknownTool = async (name: string, tools: readonly Tool[], server: Input['server']) => {
  const meant = await meantBy(
    name,
    tools.map(tool => tool.name),
  );
  return new SetupError('input-invalid', `${server.url} has no tool ${name}.`, {
    about: {url: server.url},
    remedy: meant ? `Did you mean ${meant}?` : phrase`See ${setup('mcp tools', server.name)}.`,
  });
};

/** Returns the structured answer of a tool, or the value of a single text that is JSON; empty if there is neither. */
export const valueIn = (structured: unknown, texts: readonly string[]): {value?: unknown} => {
  if (structured !== undefined) return {value: structured};
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0) return {};
  try {
    return {value: parseJson(text)};
  } catch {
    return {};
  }
};

/** Ends a tool's words so that another sentence can follow. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
