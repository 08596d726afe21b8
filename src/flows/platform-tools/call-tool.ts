import type {McpServer} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import type {McpClient, Tool} from '../../mcp/client.ts';
import {SETUP} from '../../setup-command.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {type ControlPlane, missingRole} from './access.ts';
import {type McpServerAddress, withMcpServer} from './list-tools.ts';
import {meantBy} from './meant-by.ts';

/** Arguments as a person gives them: words of the form `key=value`, beside an object that came from a file. */
export type ToolArguments = {readonly words: readonly string[]; readonly object?: Readonly<Record<string, unknown>>};

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/**
 * The arguments of a tool, each word read as its schema wants it, and all of them checked against that.
 *
 * @param server whose tool it is, for the remedy
 * @throws SetupError `input-invalid` naming the argument
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
      remedy: `It takes ${Object.keys(properties).join(', ')}.`,
    });
  }
  const remedy = `See ${SETUP} mcp tools ${server} ${name}.`;
  const missing = required.filter(key => !(key in args));
  if (missing.length > 0) {
    const what = `${missing.length === 1 ? 'the argument' : 'the arguments'} ${missing.join(' and ')}`;
    throw new SetupError('input-required', cleanText(`${name} needs ${what}.`), {remedy});
  }
  const {CfWorkerJsonSchemaValidator} = await import('@modelcontextprotocol/client/validators/cf-worker');
  // What came over the wire as JSON has no key that is there and undefined.
  const schema = inputSchema as Parameters<InstanceType<typeof CfWorkerJsonSchemaValidator>['getValidator']>[0];
  const result = new CfWorkerJsonSchemaValidator().getValidator(schema)(args);
  if (result.valid) return args;
  throw new SetupError('input-invalid', cleanText(refusal(name, result.errorMessage)), {remedy});
};

/**
 * The validator's complaint as a sentence. It tells of every level from the root down, as `#/where: what` with semicolons
 * between; the last one is the one that says something.
 */
const refusal = (tool: string, complaint: string): string => {
  const last = complaint.slice(Math.max(complaint.lastIndexOf('; #') + 2, 0)).slice(0, LONGEST);
  const [, where = '', what = last] = /^#(\/[^:]*)?: ([\s\S]*)$/.exec(last) ?? [];
  if (where === '') return `${tool} does not take these arguments: ${what}`;
  const argument = `the argument ${where.slice(1).replaceAll('/', '.')}`;
  const [given = '', types] = what.startsWith(TYPE) ? what.slice(TYPE.length, -'".'.length).split(EXPECTED, 2) : [];
  if (types !== undefined) return `${tool} takes ${argument} as ${types.replaceAll('", "', ' or ')}, not as ${given}.`;
  const [, values] = /^Instance does not match (?:any of )?\[?(.*?)\]?\.$/.exec(what) ?? [];
  if (values !== undefined && /^["\d]/.test(values)) {
    return `${tool} takes ${argument} only as one of ${values.replaceAll(',', ', ')}.`;
  }
  return `${tool} does not take ${argument}: ${what}`;
};

/** How the validator complains about the type of a value. */
const [TYPE, EXPECTED] = ['Instance type "', '" is invalid. Expected "'] as const;

/** More than a complaint that says something is long, in characters: it repeats the values, and the server's schema. */
const LONGEST = 2_000;

/** A word as the value that its schema wants: texts as they are, everything else as JSON. */
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

/** What a tool answered: its texts, and the value behind them where it gives one. */
export type ToolAnswer = {readonly texts: readonly string[]; readonly value?: unknown; readonly raw: unknown};

/** How long a tool may take, in milliseconds. */
const CALL_TOOL_TIMEOUT = 120_000;

/** A server as it is asked for its tools, and the control plane that knows what the account may do. */
export type ToolServer = McpServerAddress & {
  readonly name: McpServer;
  readonly controlPlane: ControlPlane;
  /** The one that the control plane takes. */
  readonly token: string;
};

/**
 * Every tool of a server, with what it takes.
 *
 * @throws SetupError `auth-no-role` where there are none because the account has no role; as `withMcpServer`
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
  readonly given: ToolArguments;
};

/**
 * Calls a tool, with arguments that were checked against its schema before.
 *
 * @throws SetupError `input-invalid`, `input-required` for a tool or arguments that the server does not know,
 *   `auth-no-role` and `auth-permission-missing` for one that the account may not call, `platform-tool-cut-off` for one
 *   whose server reaches nothing, `platform-tool-failed` with what the tool said; as `withMcpServer`
 */
export const callTool: Flow<Input, ToolAnswer> = ({server, tool: name, given}, run) =>
  stoppable(run, async run => {
    const converse = async (client: McpClient): Promise<ToolAnswer> => {
      const tools = await client.listTools();
      const tool = tools.find(one => one.name === name);
      if (!tool) throw (await whyRefused(server, run)) ?? (await unknownTool(name, tools, server));
      const args = await readArguments(tool, given, server.name);
      const raw = await client.callTool(name, args).catch(error => {
        // A failure of the way to the server is told as what it is.
        if (error instanceof SetupError) throw error;
        throw refusalOf(name, String(error?.message), server) ?? error;
      });
      const texts = raw.content.map(({type, text}) => (type === 'text' ? String(text) : `(${type})`));
      const said = cleanText(texts.join(' '));
      if (raw.isError) {
        throw (
          refusalOf(name, said, server) ?? new SetupError('platform-tool-failed', `${name} failed: ${asSentence(said)}`)
        );
      }
      const found = valueIn(raw.structuredContent, texts);
      // Some releases show an account without a role everything, and in it nothing.
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

/** What a tool's own words say of a call that no change of the arguments helps; undefined for any other failure. */
const refusalOf = (tool: string, words: string, {url}: ToolServer): SetupError | undefined => {
  if (isPermission(words)) return notPermitted(tool, words);
  if (!isCutOff(words)) return undefined;
  const message = `${url} answers, but could not reach what ${tool} needs: ${asSentence(cleanText(words))}`;
  return new SetupError('platform-tool-cut-off', message, {about: {url}});
};

/** As programs in Go and Node report a connection of their own that failed: the tool's answer has nothing but this text. */
const isCutOff = (text: string): boolean =>
  /\bdial (?:tcp|udp|unix)\b|\bconnection re(?:fused|set by peer)\b|\bno such host\b|\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|HOSTUNREACH)\b/.test(
    text.slice(0, LONGEST_WORDS),
  );

/** As much of a tool's words as is looked at, in characters. */
const LONGEST_WORDS = 4_000;

/** The words in which the platform's releases refuse for want of a permission; no change of the arguments helps then. */
const isPermission = (text: string): boolean =>
  /\bnot authorized\b|\bmissing permission\b|insufficient permissions?/i.test(text);

const notPermitted = (tool: string, words: string) =>
  new SetupError('auth-permission-missing', `You may not call ${tool}: ${cleanText(words)}`);

/** Whether a value is a list with nothing in it, by itself or as what an object holds. */
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
    remedy: meant ? `Did you mean ${meant}?` : `See ${SETUP} mcp tools ${server.name}.`,
  });
};

/** The structured answer; a single text that is JSON is as good. */
const valueIn = (structured: unknown, texts: readonly string[]): {value?: unknown} => {
  if (structured !== undefined) return {value: structured};
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0) return {};
  try {
    return {value: parseJson(text)};
  } catch {
    return {};
  }
};

/** What a tool said, ended so that another sentence can follow. */
const asSentence = (said: string): string => (/[.!?…]$/.test(said) ? said : `${said}.`);
