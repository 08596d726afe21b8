import {type SetupError, toSetupError, type WordedError} from '../../errors/errors.ts';
import type {MessageOutput} from '../../mcp/exchange.ts';
import {
  cancelledId,
  failureAnswer,
  isObject,
  type Message,
  notification,
  readObject,
  resultAnswer,
  unknownMethodAnswer,
  versionOf,
} from '../../mcp/message.ts';
import type {LocalServer} from '../../mcp/post.ts';
import type {Session} from '../../mcp/session.ts';
import type {Clock} from '../../ports/ports.ts';
import {clientIn, fallsBack} from '../eras/falls-back.ts';
import type {Product} from './answers.ts';
import {isSignInOver} from './sign-in-over.ts';
import type {SignInOptions, SignInTool} from './sign-in-tool.ts';
import {createSubscriptions} from './subscriptions.ts';
import {SIGN_IN} from './tool-name.ts';

export type LocalServerOptions = {
  /** The name and version of this program as assistants see it. */
  readonly product: Product;
  /** Returns a text that changes when another program may have signed in, or set up a deployment. */
  readonly changes: () => string;
  /** Returns the same failure, with commands in its remedy that work as they stand. */
  readonly explain: (failure: SetupError) => Promise<WordedError>;
  readonly signIn: SignInOptions;
};

export type LocalServerPorts = {
  readonly output: MessageOutput;
  readonly clock: Clock;
  /**
   * Finds a valid token, and makes the handshake with the server if there was none.
   *
   * @param isUnknown true if the local server answered an assistant of the stateless era before the era of the
   *   platform's server was known
   * @throws SetupError
   */
  readonly reach: (isUnknown: boolean) => Promise<void>;
  /** True if the assistant receives notifications without a subscription, as in the eras with a session. */
  readonly hearsNews: () => boolean;
  /** Passes a message to the subscriber, which may not be the assistant itself. */
  readonly tellSubscriber: (message: Buffer) => Promise<void> | undefined;
  /** Gives the server a message that was held for it. The assistant has already had the answer. */
  readonly hand: (line: Buffer) => void;
  /** Returns the assistant's `initialize` message. */
  readonly initialize: () => Buffer | undefined;
  /** The text by which a check recognises the failures of the bridge that it started. */
  readonly seal?: string | undefined;
};

/** In milliseconds. Codex gives up on a program that has not answered its handshake and its first list within 10 s. */
const TIMEOUTS = {handshake: 6_000, request: 2_000};

/** A `subscriptions/listen` of this size or more is passed on without being kept. In bytes. */
const SMALL = 64 * 1024;

/** How long to wait until a client has requested the new list of tools, in milliseconds. */
const LISTING = 1_000;

/**
 * Answers an assistant while the platform cannot: its handshake, so that there is a session at all, and the list of
 * tools, with one tool to sign in. It watches for changes, and tells the assistant when the platform's tools are
 * available. Its parts are loaded when something fails, which is rare.
 */
export const createLocalServer = (
  {product, changes, explain, signIn}: LocalServerOptions,
  {output, clock, reach, initialize, hearsNews, tellSubscriber, hand, seal}: LocalServerPorts,
  signal: AbortSignal,
): LocalServer => {
  /** Why the platform's tools are not available; undefined while they are. */
  let absence: SetupError | undefined;
  let isOffered = false;
  /** True from the local server's answer to the assistant's `server/discover` until the platform's server is reached. */
  let hasDiscovered = false;
  const subscriptions = createSubscriptions();
  let watching: AbortController | undefined;
  let tool: SignInTool | undefined;
  let listing = Promise.withResolvers<void>();
  /** True if the server's latest list had no tools at all. */
  let isEmpty = false;
  const calls = new Map<string, AbortController>();

  const announce = async (...lists: readonly string[]) => {
    const notifications = hearsNews() ? lists.map(list => notification(`notifications/${list}/list_changed`)) : [];
    for (const news of notifications) await output.write(news);
    for (const news of subscriptions.news(lists)) await tellSubscriber(news);
  };

  const present = (...lists: readonly string[]) => {
    absence = undefined;
    listing = Promise.withResolvers();
    isEmpty = false;
    watching?.abort();
    watching = undefined;
    hasDiscovered = false;
    tool?.present().catch(() => {});
    void announce(...lists);
    for (const line of subscriptions.release()) hand(line);
  };

  const attempt = async (): Promise<WordedError | undefined> => {
    try {
      const isBegun = hasDiscovered;
      await reach(isBegun);
      if (absence) present(...(isBegun ? (['tools', 'prompts', 'resources'] as const) : (['tools'] as const)));
      return undefined;
    } catch (error) {
      const failure = await explain(toSetupError(error));
      if (absence) absence = failure;
      return failure;
    }
  };

  const startWatching = async (waits: boolean) => {
    if (watching) return;
    watching = new AbortController();
    const over = AbortSignal.any([signal, watching.signal]);
    const {watch} = await import('./watch.ts');
    // It rejects when it is no longer needed.
    await watch({changes, waits, attempt}, clock, over).catch(() => {});
  };

  /**
   * Waits until the client has the new list. Otherwise it would offer its model the old one once more. False if the
   * list has no tools.
   */
  const waitForListing = async (): Promise<boolean> => {
    const over = new AbortController();
    await Promise.race([listing.promise, clock.sleep(LISTING, AbortSignal.any([signal, over.signal])).catch(() => {})]);
    over.abort();
    return !isEmpty;
  };

  const loadTool = async (): Promise<SignInTool> => {
    const {createSignInTool} = await import('./sign-in-tool.ts');
    const own = {signIn, output, clock, attempt, waitForListing, initialize, absence: () => absence, explain};
    tool ??= createSignInTool(own, signal);
    return tool;
  };

  /** Runs the tool that signs in. Returns its answer; undefined if the call was cancelled. */
  const toolAnswer = async (message: Message, id: string): Promise<Buffer | undefined> => {
    const controller = new AbortController();
    calls.set(id, controller);
    const {askingResult, textResult} = await import('./answers.ts');
    const reply = await (await loadTool()).call(message, controller.signal);
    calls.delete(id);
    if (controller.signal.aborted) return undefined;
    return resultAnswer(id, 'url' in reply ? askingResult(reply) : textResult(message, reply.text, reply.isError));
  };

  const runTool = async (message: Message, id: string) => {
    const answer = await toolAnswer(message, id);
    if (answer) await output.write(answer);
  };

  return {
    timeouts: TIMEOUTS,
    explain,
    takes: message => {
      const [question] = message.questions;
      if (message.method === undefined && question === undefined) return tool?.hears(message) ?? false;
      if (isOffered && question && message.method === 'tools/call' && message.params?.name === SIGN_IN) {
        void runTool(message, question.id);
        return true;
      }
      // Noted although the server gets it, because the local server announces changes to every subscriber.
      if (message.method === 'subscriptions/listen' && message.raw.length < SMALL) subscriptions.note(message);
      const ended = cancelledId(message);
      if (ended !== undefined && subscriptions.ends(message.params?.requestId)) return true;
      const call = calls.get(ended ?? '');
      call?.abort();
      return call !== undefined;
    },
    answer: async ({id, method}, message, failure, session: Session) => {
      const isModern = versionOf(message) !== undefined;
      const isDiscovery = method === 'server/discover';
      // Such a client then begins with a handshake, and so shares an era with most servers.
      if (isDiscovery && (!isModern || fallsBack(clientIn(message)))) return unknownMethodAnswer(id, method);
      const isBeginning = method === 'initialize';
      const isAway = isBeginning || isDiscovery || (isModern ? hasDiscovered : session.isAway);
      if (!isAway && !isSignInOver(failure)) return undefined;
      const isNew = absence === undefined;
      absence = failure;
      isOffered = true;
      const {awayAnswer, discoverResult, initializeResult, namingTool, toolsResult} = await import('./answers.ts');
      if (isDiscovery) {
        hasDiscovered = true;
        void startWatching(false);
        return resultAnswer(id, discoverResult(failure, {product, seal}));
      }
      if (method === 'subscriptions/listen') {
        void startWatching(!hasDiscovered);
        return subscriptions.hold(message);
      }
      if (isBeginning) {
        session.putOff();
        return resultAnswer(id, initializeResult(message, failure, {product, seal}));
      }
      // A model may know the tool from an earlier session, and call it before it has come into the list.
      if (method === 'tools/call' && message.params?.name === SIGN_IN) return toolAnswer(message, id);
      if (isAway) return awayAnswer(id, method, message, failure);
      if (isNew) {
        void startWatching(true);
        if (method !== 'tools/list') void announce('tools');
      }
      if (method === 'tools/list') return resultAnswer(id, toolsResult(message));
      // A check shows the failure to a person, who has no tools.
      return method === 'tools/call' && seal === undefined ? failureAnswer(id, namingTool(failure)) : undefined;
    },
    begun: () => void startWatching(false),
    listed: answer => {
      const {result} = readObject(answer);
      isEmpty = isObject(result) && Array.isArray(result.tools) && result.tools.length === 0 && !result.nextCursor;
      listing.resolve();
    },
    taken: ({method}) => {
      if (!absence) return;
      // The handshake of a translation is part of reaching the server, which announces the tools itself.
      if (method === 'initialize' && hasDiscovered) return;
      if (method === 'initialize') present();
      else if (hasDiscovered) present('tools', 'prompts', 'resources');
      else present('tools');
    },
    arrived: () => present('tools', 'prompts', 'resources'),
    toolsChanged: () => void announce('tools'),
  };
};
