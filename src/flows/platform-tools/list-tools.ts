import {randomUUID} from 'node:crypto';
import type {Connection} from '../../assistants/connection.ts';
import type {AccountContent} from '../../domain/account-content.ts';
import {addressIn, type McpEntry} from '../../domain/mcp-servers.ts';
import {readingAmong} from '../../domain/reading-tools.ts';
import {type RunTokens, tokenFor} from '../../domain/tokens.ts';
import {costOf, type ToolCost, type ToolPreset} from '../../domain/tool-sets.ts';
import {findSetupError, SetupError} from '../../errors/errors.ts';
import {beginSession, converseOverHttp, type McpClient, SEAL, type Tool} from '../../mcp/client.ts';
import type {Conversation, Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {LIST_TIMEOUT} from '../time-limits.ts';
import {missingScope} from './refused-token.ts';

export type McpServerAddress = {
  readonly url: string;
  /** Sent with every request, as an assistant would send them. */
  readonly headers: Readonly<Record<string, string>>;
};

type Options = {
  /** The time limit for everything together, in milliseconds. */
  readonly timeout?: number;
};

/**
 * Runs one session with an MCP server over Streamable HTTP, as an assistant does: `initialize`, the work, and the end
 * of the session.
 *
 * @throws SetupError `auth-token-refused`, `auth-permission-missing`, `auth-scope-missing`, or of the `platform-` and
 *   `network-` families; what `work` throws as a SetupError itself
 */
export const withMcpServer = async <Result>(
  {url, headers}: McpServerAddress,
  {ports, signal, tell}: Run,
  work: (client: McpClient) => Promise<Result>,
  {timeout = LIST_TIMEOUT}: Options = {},
): Promise<Result> => {
  const begin = (deadline: AbortSignal) =>
    converseOverHttp(
      {url: new URL(url), headers},
      (request, signal) => ports.http.open(request, {signal, report: tell}),
      ports.clock,
      deadline,
    );
  const explain = (reason: string, cause: unknown) =>
    new SetupError('platform-mcp-failed', `${url} did not answer as an MCP server: ${reason}.`, {cause, about: {url}});
  try {
    return await withConversation(begin, work, {who: url, explain, timeout}, signal);
  } catch (error) {
    throw missingScope(error, bearerOf(headers)) ?? error;
  }
};

const bearerOf = (headers: McpServerAddress['headers']): string =>
  /^Bearer +(\S+)$/i.exec(headers.Authorization ?? '')?.[1] ?? '';

type Talk = {
  /** The name of the other side, for the person. */
  readonly who: string;
  /** Returns the error for a reply that is not a valid answer. */
  readonly explain: (reason: string, cause: unknown) => SetupError;
  /** The time limit for everything together, in milliseconds. */
  readonly timeout: number;
  /** The seal with which our own bridge was started, which identifies its own messages. */
  readonly seal?: string;
};

/**
 * Runs one session over a conversation of any kind, from its beginning to its end.
 *
 * @throws SetupError from `explain`, `network-timeout`, or what the conversation or `work` fails with
 */
export const withConversation = async <Result>(
  begin: (deadline: AbortSignal) => Promise<Conversation>,
  work: (client: McpClient) => Promise<Result>,
  {who, explain, timeout, seal}: Talk,
  signal: AbortSignal,
): Promise<Result> => {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const conversation = await begin(deadline);
  try {
    return await work(await beginSession(conversation, {seal}));
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      throw new SetupError('network-timeout', `${who} did not answer within ${timeout / 1000} s.`, {cause: error});
    const reason = cleanText(error instanceof Error ? error.message : String(error));
    throw findSetupError(error) ?? explain(reason, error);
  } finally {
    await conversation.close();
  }
};

/** The tools that a server offers, and about how many tokens of a conversation they take. */
export type ToolList = {
  readonly names: readonly string[];
  readonly tokens: number;
  /** Those of the tools that only read. */
  readonly reading: ToolCost;
  readonly ms: number;
  /** What the account sees there, if that was asked for and could be read. */
  readonly content?: AccountContent;
};

export type ListOptions = {
  /** The tools that only read although neither their names nor their server say so. */
  readonly reading?: readonly string[];
  /** Reads what the account sees there, in the same session. */
  readonly readContent?: (client: McpClient, tools: readonly Tool[]) => Promise<AccountContent | undefined>;
};

/**
 * Lists the tools of an MCP server as an assistant does: `initialize`, then every page of `tools/list`.
 *
 * @throws SetupError as `withMcpServer` does
 */
export const listTools = (server: McpServerAddress, run: Run, options?: ListOptions): Promise<ToolList> =>
  withMcpServer(server, run, listing(run.ports, options));

/**
 * Lists the tools through the program that an entry names, over its standard input and output.
 *
 * @throws SetupError `local-entry-failed` with the output of the program, `network-timeout`, and the errors of our own
 *   bridge
 */
export const listToolsByCommand = (
  {command, args, env}: Extract<Connection, {kind: 'command'}>,
  ports: Ports,
  signal: AbortSignal,
  options?: ListOptions,
): Promise<ToolList> => {
  const who = [command, ...args].join(' ');
  const explain = (reason: string, cause: unknown) =>
    new SetupError('local-entry-failed', `${who} failed: ${reason}`, {cause});
  const seal = randomUUID();
  // The person reads the remedies of our own bridge here, so they name this program as this run does.
  const ours = {[SEAL]: seal, SETUP_COMMAND: SETUP};
  const begin = (deadline: AbortSignal) =>
    ports.processes.open(command, args, {env: {...env, ...ours}, signal: deadline}).catch(error => {
      throw error instanceof SetupError ? error : explain(error.message, error);
    });
  return withConversation(begin, listing(ports, options), {who, explain, timeout: LIST_TIMEOUT, seal}, signal);
};

/** Returns the work of a session that lists the tools. Its time is measured from this call on, without the content. */
const listing = ({clock}: Pick<Ports, 'clock'>, {readContent, reading = []}: ListOptions = {}) => {
  const started = clock.monotonic();
  return async (client: McpClient): Promise<ToolList> => {
    const tools = await client.listTools();
    const ms = Math.round(clock.monotonic() - started);
    const looking = costOf(readingAmong(tools, reading));
    const list = {names: tools.map(({name}) => name), tokens: costOf(tools).tokens, reading: looking, ms};
    const content = await readContent?.(client, tools);
    return {...list, ...(content ? {content} : {})};
  };
};

type Input = {readonly entry: McpEntry; readonly tools: ToolPreset; readonly tokens: RunTokens};

/**
 * Returns how many tools of a server a preset has, and how much of a conversation they take. Undefined if that cannot
 * be found out: nothing depends on it, and a later step reports the fault.
 */
export const toolCost: Flow<Input, ToolCost | undefined> = ({entry, tools, tokens}, run) =>
  stoppable(run, async run => {
    const headers = {Authorization: `Bearer ${tokenFor(entry.server, tokens).reveal()}`};
    try {
      const found = await listTools({url: addressIn(entry, tools), headers}, run);
      return {tools: found.names.length, tokens: found.tokens};
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      return undefined;
    }
  });
