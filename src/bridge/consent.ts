import {randomUUID} from 'node:crypto';
import type {ConsentAnswer} from '../domain/consent-request.ts';
import {parseAsWritten} from '../mcp/exact-json.ts';
import type {MessageOutput} from '../mcp/exchange.ts';
import {isObject, type JsonObject, readObject, resultAnswer, versionOf} from '../mcp/message.ts';
import type {Clock} from '../ports/ports.ts';
import {briefText} from '../text.ts';
import {createClientRequests} from './client-requests.ts';

export type ConsentOptions = {
  /** Answers the commands that ask, until the signal aborts. Each answer gets a signal that its command has gone. */
  readonly serve: (
    answer: (request: unknown, gone: AbortSignal) => Promise<ConsentAnswer>,
    signal: AbortSignal,
  ) => Promise<unknown>;
  /** Returns the name of the context if its assistants have an account of their own; undefined if they have none. */
  readonly context: () => string | undefined;
};

/** The most characters of a command that the person is asked about: they have to see all of it. */
const LONGEST = 1_000;

/** The most questions of the stateless era that wait at a time. */
const MOST = 16;

/** How long a question of the stateless era, and its answer, are kept for the command, in milliseconds. */
const KEPT = 10 * 60_000;

/** The key of the question in a result that asks the client for input (stateless era). */
const QUESTION = 'consent';

/** A question that waits for a call of the client, or for the command to come for the answer. */
type Kept = {readonly until: number; readonly state: string; isAsked: boolean; action?: ConsentAnswer['action']};

/**
 * Lets commands that an assistant runs ask the person, in the conversation, whether they may act as the person. It stands
 * where the assistant's messages come in, because the platform's server has no part in it.
 *
 * In a session the person is asked at once (MCP 2025-06-18, elicitation). In the stateless era a server can ask only in
 * the result of a request (MCP 2026-07-28, multi round-trip requests). So the next call of a tool is answered with the
 * question, and carried out when the client repeats it. The command is told to come again.
 *
 * @param options.opening the first lines of the assistant, which say what it can do
 */
export const createConsent = (
  {serve, context, opening}: ConsentOptions & {readonly opening: readonly Buffer[]},
  {output, clock}: {readonly output: MessageOutput; readonly clock: Clock},
  signal: AbortSignal,
) => {
  const requests = createClientRequests(output);
  /** Whether the client has a session, and whether it can show a form; undefined until it has said so. */
  let client: {readonly isStateless: boolean; readonly canAsk: boolean} | undefined;
  /** The previous question: in a session the person is asked one question at a time. */
  let before: Promise<unknown> = Promise.resolve();
  /** The questions of the stateless era, by command. */
  const kept = new Map<string, Kept>();

  const ask = async (request: unknown, gone: AbortSignal): Promise<ConsentAnswer> => {
    const name = context();
    if (name === undefined || !isObject(request) || request.context !== name) return {};
    const {command} = request;
    if (typeof command !== 'string' || command.length > LONGEST) return {};
    if (client?.isStateless) return takeAnswer(command);
    const asked = before.then(() => requests.elicit(randomUUID(), question(name, command), gone));
    before = asked.catch(() => {});
    return answerOf(await asked);
  };

  const forgetOld = () => {
    for (const [command, {until}] of kept) if (until < clock.now()) kept.delete(command);
  };

  /** Returns the person's answer, once; `later` if the next call has to ask for it. */
  const takeAnswer = (command: string): ConsentAnswer => {
    forgetOld();
    const action = kept.get(command)?.action;
    if (action === undefined) {
      if (kept.size >= MOST && !kept.has(command)) return {};
      const state = `platform-setup-${randomUUID()}`;
      if (!kept.has(command)) kept.set(command, {until: clock.now() + KEPT, state, isAsked: false});
      return {action: 'later'};
    }
    kept.delete(command);
    return {action};
  };

  /** Asks the question before a call is carried out, and takes the answer when the client makes the call again. */
  const takeCall = (line: Buffer): Buffer | undefined => {
    const message = parseAsWritten(line.toString('utf8'));
    if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return line;
    const {inputResponses, requestState, ...params} = message.params;
    const answered = [...kept.values()].find(({state}) => state === requestState);
    if (answered) {
      const response = isObject(inputResponses) ? inputResponses[QUESTION] : undefined;
      answered.action = answerOf(isObject(response) ? response.action : undefined).action ?? 'cancel';
      return Buffer.from(JSON.stringify({...message, params}));
    }
    forgetOld();
    const next = [...kept].find(([, {isAsked}]) => !isAsked);
    const name = context();
    if (!next || name === undefined || message.id === undefined || requestState !== undefined) return line;
    if (!canAsk(capabilitiesIn(params))) return line;
    const [command, waiting] = next;
    waiting.isAsked = true;
    const inputRequests = {
      [QUESTION]: {method: 'elicitation/create', params: {mode: 'form', ...question(name, command)}},
    };
    const result = {resultType: 'input_required', inputRequests, requestState: waiting.state};
    void output.write(resultAnswer(JSON.stringify(message.id), result));
    return undefined;
  };

  // An assistant that finds no stateless server begins a session. So the last opening message decides.
  for (const line of opening) {
    const {method, params} = readObject(line);
    if (!isObject(params)) continue;
    if (method === 'initialize') client = {isStateless: false, canAsk: canAsk(params.capabilities)};
    else if (versionOf({params}) !== undefined) client = {isStateless: true, canAsk: canAsk(capabilitiesIn(params))};
  }

  return {
    /** Returns the line to pass on; undefined if it was answered with a question, or is the answer to one. */
    take: (line: Buffer): Buffer | undefined => {
      if (kept.size > 0 && line.includes('"tools/call"')) return takeCall(line);
      return requests.hears(line) ? undefined : line;
    },
    /** Listens for commands if the client can ask the person. */
    listen: async (): Promise<void> => {
      if (signal.aborted || !client?.canAsk) return;
      // Without a socket nobody is asked, and such commands are refused.
      await serve(ask, signal).catch(() => {});
    },
  };
};

export type Consent = ReturnType<typeof createConsent>;

const question = (context: string, command: string) => ({
  message: `Allow a command to act as you on ${context}, with all your permissions? The command: ${briefText(command, LONGEST)}`,
  requestedSchema: {type: 'object', properties: {}},
});

const answerOf = (action: unknown): ConsentAnswer =>
  action === 'accept' || action === 'decline' || action === 'cancel' ? {action} : {};

const capabilitiesIn = ({_meta}: JsonObject): unknown =>
  isObject(_meta) ? _meta['io.modelcontextprotocol/clientCapabilities'] : undefined;

/** Whether a client can show a form. One that names no mode can (MCP 2025-11-25, elicitation, capabilities). */
const canAsk = (capabilities: unknown): boolean => {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined;
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
};
