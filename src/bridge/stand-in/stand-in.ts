import {type SetupError, toSetupError} from '../../errors/errors.ts';
import type {Output} from '../../mcp/exchange.ts';
import {cancelledId, type Message, notification, resultAnswer, unknownMethodAnswer} from '../../mcp/message.ts';
import type {StandIn} from '../../mcp/post.ts';
import type {Session} from '../../mcp/session.ts';
import type {Clock} from '../../ports/ports.ts';
import type {Product} from './answers.ts';
import {isSignInOver} from './sign-in-over.ts';
import type {SignIn, SignInTool} from './sign-in-tool.ts';
import {SIGN_IN} from './tool-name.ts';

export type StandInOptions = {
  /** What this program calls itself to assistants. */
  readonly product: Product;
  /** Changes when another program may have signed in, or set up a deployment. */
  readonly changes: () => string;
  /** The same failure, with commands in its remedy that work as they stand. */
  readonly explain: (failure: SetupError) => Promise<SetupError>;
  readonly signIn: SignIn;
};

export type StandInPorts = {
  readonly output: Output;
  readonly clock: Clock;
  /** Finds a good token, and makes the handshake with the server where none has been made. @throws SetupError */
  readonly reach: () => Promise<void>;
  /** What the assistant began its session by. */
  readonly initialize: () => Buffer | undefined;
  /** What failures are told with, where a check of ours listens. */
  readonly seal?: string | undefined;
};

/** In milliseconds. Codex gives up a program that has not answered its handshake and its first list within 10 s. */
const PATIENCE = {handshake: 6_000, request: 2_000};

/** How long a client may take to ask for the new list of tools before it is told that there is one, in milliseconds. */
const LISTING = 1_000;

/**
 * Answers an assistant as long as the platform cannot: its handshake, so that there is a session at all, and the list of
 * tools, with one by which the person can sign in. It watches for what changes that, and tells the assistant when the
 * platform's tools are there. Its parts are loaded when something fails, which is seldom.
 */
export const createStandIn = (
  {product, changes, explain, signIn}: StandInOptions,
  {output, clock, reach, initialize, seal}: StandInPorts,
  signal: AbortSignal,
): StandIn => {
  /** Why the platform's tools are not there; undefined while they are. */
  let absence: SetupError | undefined;
  let isOffered = false;
  let watching: AbortController | undefined;
  let tool: SignInTool | undefined;
  let listing = Promise.withResolvers<void>();
  const calls = new Map<string, AbortController>();

  const announce = async (...lists: readonly string[]) => {
    for (const list of lists) await output.write(notification(`notifications/${list}/list_changed`));
  };

  const present = (...lists: readonly string[]) => {
    absence = undefined;
    listing = Promise.withResolvers();
    watching?.abort();
    watching = undefined;
    if (initialize() !== undefined) void announce(...lists);
  };

  const attempt = async (): Promise<SetupError | undefined> => {
    try {
      await reach();
      if (absence) present('tools');
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
    // It rejects when it is no longer wanted.
    await watch({changes, waits, attempt}, clock, over).catch(() => {});
  };

  /** A client that goes on with its model before it has the new list offers that the old one once more. */
  const waitForListing = async () => {
    const over = new AbortController();
    await Promise.race([listing.promise, clock.sleep(LISTING, AbortSignal.any([signal, over.signal])).catch(() => {})]);
    over.abort();
  };

  const loadTool = async (): Promise<SignInTool> => {
    const {createSignInTool} = await import('./sign-in-tool.ts');
    const own = {signIn, output, clock, attempt, waitForListing, initialize, absence: () => absence, explain};
    tool ??= createSignInTool(own, signal);
    return tool;
  };

  const runTool = async (message: Message, id: string) => {
    const controller = new AbortController();
    calls.set(id, controller);
    const {textResult} = await import('./answers.ts');
    const {text, isError} = await (await loadTool()).call(message, controller.signal);
    calls.delete(id);
    if (!controller.signal.aborted) await output.write(resultAnswer(id, textResult(message, text, isError)));
  };

  return {
    patience: PATIENCE,
    explain,
    takes: message => {
      const [question] = message.questions;
      if (message.method === undefined && question === undefined) return tool?.hears(message) ?? false;
      if (isOffered && question && message.method === 'tools/call' && message.params?.name === SIGN_IN) {
        void runTool(message, question.id);
        return true;
      }
      const call = calls.get(cancelledId(message) ?? '');
      call?.abort();
      return call !== undefined;
    },
    answer: async ({id, method}, message, failure, session: Session) => {
      if (method === 'server/discover') return unknownMethodAnswer(id, method);
      const isBeginning = method === 'initialize';
      const isAway = isBeginning || session.isAway;
      if (!isAway && !isSignInOver(failure)) return undefined;
      const isNew = absence === undefined;
      absence = failure;
      isOffered = true;
      const {awayAnswer, initializeResult, toolsResult} = await import('./answers.ts');
      if (isBeginning) {
        session.putOff();
        return resultAnswer(id, initializeResult(message, failure, {product, seal}));
      }
      if (isAway) return awayAnswer(id, method, message, failure);
      if (isNew) {
        void startWatching(true);
        if (initialize() !== undefined && method !== 'tools/list') void announce('tools');
      }
      return method === 'tools/list' ? resultAnswer(id, toolsResult(message)) : undefined;
    },
    begun: () => void startWatching(false),
    listed: () => listing.resolve(),
    taken: ({method}) => {
      if (!absence) return;
      if (method === 'initialize') present();
      else present('tools');
    },
    arrived: () => present('tools', 'prompts', 'resources'),
  };
};
