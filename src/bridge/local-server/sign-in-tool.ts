import {randomUUID} from 'node:crypto';
import type {Context} from '../../domain/context.ts';
import {takesOnlyItsOwn} from '../../domain/mcp-servers.ts';
import type {SaidRequest} from '../../domain/token-request.ts';
import {type ErrorCode, SetupError, toSetupError, type WordedError} from '../../errors/errors.ts';
import type {MessageOutput} from '../../mcp/exchange.ts';
import {isObject, type Message, notification} from '../../mcp/message.ts';
import {onAbort} from '../../on-abort.ts';
import type {Clock, Ports} from '../../ports/ports.ts';
import type {FindContext} from '../access.ts';
import {createClientRequests} from '../client-requests.ts';
import {canBeAsked, canBeSentTo, QUESTION, type SignInQuestion, sentences} from './answers.ts';
import {beginSignIn, type SignInAttempt} from './sign-in-attempt.ts';
import {isSignInOver} from './sign-in-over.ts';

export type SignInOptions = {
  readonly ports: Ports;
  /** Returns the context to sign in to. */
  readonly findContext: FindContext;
  /**
   * Returns the command that signs in from a terminal, in any directory. `asks` are the additional demands of a server.
   */
  readonly command: (asks: SaidRequest) => Promise<string>;
  /** Begins a sign-in in a browser. Tests replace it. */
  readonly begin?: typeof beginSignIn;
};

export type SignInToolPorts = {
  readonly signIn: SignInOptions;
  readonly output: MessageOutput;
  readonly clock: Clock;
  /** Tries to reach the platform; undefined if it is available. */
  readonly attempt: () => Promise<WordedError | undefined>;
  /** Resolves when the assistant has the platform's tools, or does not ask for them. False if there are none. */
  readonly waitForListing: () => Promise<boolean>;
  /** Returns why the platform's tools are not available, as far as known. */
  readonly absence: () => SetupError | undefined;
  readonly explain: (failure: SetupError) => Promise<WordedError>;
  readonly initialize: () => Buffer | undefined;
};

export type Said = {readonly text: string; readonly isError: boolean};

export type SignInTool = {
  /** Handles one call of the tool. Never rejects. */
  call(message: Message, signal: AbortSignal): Promise<Said | SignInQuestion>;
  /** Takes an answer to a question of this tool; false for any other answer. */
  hears(message: Message): boolean;
  /** Reacts to the platform's tools becoming available: the person may have signed in by other means. */
  present(): Promise<void>;
};

/** How often a client that wants progress is told that the person has not finished, in milliseconds. */
const TICK = 10_000;

/**
 * Creates the tool with which a person signs in from within a conversation. Nothing is opened without consent: if the
 * client can, it asks the person whether to open the address (MCP 2025-11-25, elicitation, URL mode). Otherwise the
 * assistant shows the address, and the conversation can go on while the person signs in.
 */
export const createSignInTool = (
  {signIn, output, clock, attempt, waitForListing, absence, explain, initialize}: SignInToolPorts,
  signal: AbortSignal,
): SignInTool => {
  const {ports, findContext, begin = beginSignIn} = signIn;
  const contextNow = async () => (await findContext(ports)).context;
  /** The demands of a server that the current sign-in fulfils. */
  let demanded: SaidRequest = {};
  const command = () => signIn.command(demanded);
  let going: SignInAttempt | undefined;
  /** True if the tools were unavailable when the sign-in began. */
  let wasAbsent = false;
  const requests = createClientRequests(output);

  const failed = async (failure: SetupError): Promise<Said> => ({
    text: sentences(await explain(await withoutPort(failure, command))),
    isError: true,
  });

  /** Describes the state after the person has signed in: the platform may still not be available. */
  const signedIn = async (account: string | undefined, failure: WordedError | undefined): Promise<Said> => {
    const {name} = await contextNow();
    const who = `Signed in to ${name}${account === undefined ? '' : ` as ${account}`}.`;
    if (failure && refused.has(failure.code))
      return {text: `${who} ${failure.message} ${REFUSED_AGAIN}`, isError: true};
    if (failure) return {text: `${who} ${sentences(failure)}`, isError: true};
    if (await waitForListing()) return {text: `${who} The platform’s tools are available now.`, isError: false};
    const without = new SetupError('auth-no-role', 'The platform offers this account no tools: it may have no role.');
    return {text: `${who} ${sentences(await explain(without))}`, isError: true};
  };

  const ended = async (one: SignInAttempt): Promise<Said> => {
    const outcome = await one.ended;
    if (going === one) going = undefined;
    if ('account' in outcome) return signedIn(outcome.account, await attempt());
    const {text} = await failed(outcome.failure);
    if (outcome.failure.about.isHandedOver) return {text, isError: true};
    const why = one.address === undefined ? 'after that' : 'for a new address';
    return {text: `${text} Call sign_in again ${why}.`, isError: true};
  };

  const bySecret = async ({name, clientId}: Context, {message}: SetupError): Promise<Said> => ({
    text:
      `${message} ${name} uses the secret of the client ${clientId}, not a sign-in in a browser. ` +
      `To enter a new secret, run \`${await command()}\` in a terminal.`,
    isError: true,
  });

  /** Shows the address that a sign-in waits for. @param isStill true if it was shown before */
  const show = async ({address, second}: SignInAttempt, isStill = false): Promise<Said> => {
    const {resources} = await contextNow();
    const next = second === undefined ? resources?.observability : undefined;
    const still = isStill ? 'The sign-in is still waiting for the user. ' : '';
    const before =
      second === undefined
        ? still
        : `The first sign-in is complete. The user has to sign in a second time: ${takesOnlyItsOwn(second)}. `;
    const after =
      next === undefined
        ? 'The platform’s tools appear by themselves after that; call sign_in again to check the sign-in.'
        : `Then call sign_in again: the user has to sign in a second time, because ${takesOnlyItsOwn(next)}.`;
    return {
      text:
        `${before}Show the user this complete address. They open it in a browser on the machine where this runs and ` +
        `sign in there:\n\n${address}\n\n${after} To sign in from a terminal instead, they run \`${await command()}\`.`,
      isError: false,
    };
  };

  /** Asks the person whether to open an address: `accept`, `decline` or `cancel`; undefined if the client cannot ask. */
  const ask = (url: string, elicitationId: string, message: string): Promise<unknown> =>
    requests.elicit(elicitationId, {mode: 'url', elicitationId, url, message});

  /** Guides the person to each address of a sign-in. Undefined if the sign-in ends or the call is cancelled. */
  const lead = async (one: SignInAttempt, name: string, cancelled: Promise<undefined>): Promise<Said | undefined> => {
    for (let known = 0; ; known += 1) {
      const url = await Promise.race([one.nextAddress(known), cancelled]);
      if (url === undefined) return undefined;
      const elicitationId = randomUUID();
      const asked = ask(url, elicitationId, questionFor(name, one));
      const action = await Promise.race([asked, one.ended.then(() => 'ended'), cancelled.then(() => 'ended')]);
      if (action === 'ended') return undefined;
      if (action === 'decline' || action === 'cancel') return declined(one);
      if (action !== 'accept') return show(one);
      const moved = await Promise.race([one.nextAddress(known + 1).then(() => 'moved'), cancelled]);
      if (moved === undefined) return undefined;
      if (!one.outcome || 'account' in one.outcome) await tell('notifications/elicitation/complete', {elicitationId});
    }
  };

  /** Ends a sign-in that the person has declined. */
  const declined = async (one: SignInAttempt): Promise<Said> => {
    one.cancel();
    await one.ended;
    if (going === one) going = undefined;
    return {
      text: `The user chose not to open the address and is not signed in. ${await inTerminal()}`,
      isError: true,
    };
  };

  /**
   * Returns the next address of a sign-in as a question that ends a call of the stateless era; undefined if none comes.
   */
  const askNext = async (one: SignInAttempt, known: number, name: string): Promise<SignInQuestion | undefined> => {
    const url = await one.nextAddress(known);
    return url === undefined ? undefined : {url, question: questionFor(name, one), state: String(known + 1)};
  };

  /** Continues a sign-in with the person's answer to its address. */
  const goOn = async (one: SignInAttempt, {action, known}: Answered, name: string): Promise<Said | SignInQuestion> => {
    if (action === 'decline' || action === 'cancel') return declined(one);
    if (action !== 'accept') return show(one);
    return (await askNext(one, known, name)) ?? ended(one);
  };

  const accountOf = async (context: Context) => (await ports.credentials.get(context))?.account;

  const inTerminal = async () => `To sign in from a terminal, they run \`${await command()}\`.`;

  const tell = async (method: string, params: object) => output.write(notification(method, params));

  const tellProgress = async (message: Message, over: AbortSignal) => {
    const meta = message.params?._meta;
    const progressToken = isObject(meta) ? meta.progressToken : undefined;
    if (progressToken === undefined) return;
    for (let progress = 1; !over.aborted; progress += 1) {
      const params = {progressToken, progress, message: 'Waiting for the user to sign in.'};
      await tell('notifications/progress', params);
      await clock.sleep(TICK, over);
    }
  };

  const run = async (message: Message, callSignal: AbortSignal): Promise<Said | SignInQuestion> => {
    const answered = answeredIn(message);
    if (going && answered) return goOn(going, answered, (await contextNow()).name);
    if (going?.outcome && 'account' in going.outcome) {
      const {account} = going.outcome;
      going = undefined;
      const failure = await attempt();
      if (!failure || !isSignInOver(failure) || refused.has(failure.code)) return signedIn(account, failure);
      // The attempt signed in, but that sign-in has ended since: go on with a new attempt.
    }
    if (going) {
      const waiting = going;
      await waiting.nextAddress(0);
      const over = new AbortController();
      const isSettled = await Promise.race([
        waiting.settled().then(() => true),
        clock.sleep(FINISHING, AbortSignal.any([over.signal, callSignal, signal])).then(
          () => false,
          () => false,
        ),
      ]);
      over.abort();
      if (!isSettled) return {text: ARRIVED, isError: false};
      if (waiting.outcome) return ended(waiting);
      // The kept sign-in may be noticed before the attempt has ended.
      if (wasAbsent && !absence()) return signedIn(await accountOf(await contextNow()), await attempt());
      return show(waiting, true);
    }
    const before = absence();
    // An attempt does not show that the server refuses a token: the token on the disk looks valid.
    const failure = before?.code === 'auth-token-refused' ? before : await attempt();
    const {context, ports: own} = await findContext(ports);
    if (!failure) return signedIn(await accountOf(context), failure);
    if (!isSignInOver(failure)) return failed(failure);
    // A new secret would only bring the same token, which the server refuses.
    if (context.signIn !== 'browser') return refused.has(failure.code) ? failed(failure) : bySecret(context, failure);
    if (going) return run(message, callSignal);
    // The refusal of the current sign-in says what the next one needs.
    const {level, toRequest: scopes} = failure.about;
    demanded = {...level, ...(scopes ? {scopes} : {})};
    const asks = {...context.asks, ...demanded};
    const begun = begin(Object.keys(asks).length > 0 ? {...context, asks} : context, own, signal);
    going = begun;
    wasAbsent = absence() !== undefined;
    begun.ended.then(outcome => ('account' in outcome ? attempt() : undefined));
    if ((await begun.nextAddress(0)) === undefined) return ended(begun);
    if (canBeAsked(message)) return (await askNext(begun, 0, context.name)) ?? ended(begun);
    if (!canBeSentTo(initialize())) return show(begun);
    const over = new AbortController();
    tellProgress(message, AbortSignal.any([over.signal, callSignal, signal])).catch(() => {});
    const cancelled = new Promise<undefined>(resolve => {
      onAbort(callSignal, () => resolve(undefined));
    });
    const result = await lead(begun, context.name, cancelled);
    over.abort();
    return result ?? ended(begun);
  };

  return {
    call: async (message, callSignal) => {
      try {
        return await run(message, callSignal);
      } catch (error) {
        return failed(toSetupError(error));
      }
    },
    present: async () => {
      if (!going || going.outcome) return;
      const account = await accountOf(await contextNow());
      if (account !== undefined) going?.endAs({account});
    },
    hears: ({raw}) => requests.hears(raw),
  };
};

/** The ways in which a server refuses an existing sign-in. */
const refused: ReadonlySet<ErrorCode> = new Set([
  'auth-token-refused',
  'auth-interaction-required',
  'auth-scope-missing',
]);

/** How long a call waits for a sign-in that has arrived from the browser, in milliseconds. */
const FINISHING = 10_000;

const ARRIVED = 'The sign-in has arrived from the browser and is being finished. Call sign_in again in a moment.';

const REFUSED_AGAIN =
  'Signing in again has not changed that: ask the platform’s operators to compare what this token contains (issuer, audience, scopes, level) with what their server expects.';

const questionFor = (name: string, {second}: Pick<SignInAttempt, 'second'>) =>
  second === undefined
    ? `Sign in to ${name} in your browser, so that the assistant can act for you.`
    : `Sign in to ${name} a second time: ${takesOnlyItsOwn(second)}.`;

/** The person's answer to an address, and how many addresses they have been asked to open. */
type Answered = {readonly action: unknown; readonly known: number};

const answeredIn = ({params}: Message): Answered | undefined => {
  const responses = params?.inputResponses;
  const answer = isObject(responses) ? responses[QUESTION] : undefined;
  const known = Number(params?.requestState);
  return isObject(answer) && Number.isSafeInteger(known) ? {action: answer.action, known} : undefined;
};

/**
 * Replaces the remedy for a port in use. Usually another sign-in uses the port, and a person in an assistant cannot
 * pass the flag that the usual remedy names.
 */
const withoutPort = async (failure: SetupError, command: () => Promise<string>): Promise<SetupError> => {
  if (failure.code !== 'local-port-taken') return failure;
  return new SetupError(failure.code, failure.message, {
    cause: failure,
    about: failure.about,
    remedy: failure.about.isHandedOver
      ? 'The platform’s tools appear by themselves when the other sign-in is finished.'
      : `Another sign-in, perhaps from another assistant, may be using the port: finish that one first. Or sign in from a terminal, where you can paste the address that the browser ended up at: \`${await command()}\`.`,
  });
};
