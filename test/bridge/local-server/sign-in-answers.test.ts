import {beforeEach, describe, expect, test} from 'vitest';
import type {SignInAttempt, SignInResult} from '../../../src/bridge/local-server/sign-in-attempt.ts';
import {createSignInTool, type Said, type SignInToolPorts} from '../../../src/bridge/local-server/sign-in-tool.ts';
import type {Context} from '../../../src/domain/context.ts';
import {inWords, remedyText} from '../../../src/errors/describe-error.ts';
import {SetupError, wordedError} from '../../../src/errors/errors.ts';
import {requestFlags} from '../../../src/errors/remedy.ts';
import {type Message, parseMessage} from '../../../src/mcp/message.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';

/** Sets up a sign-in whose addresses and end the test controls. */
const attemptOf = () => {
  const addresses: string[] = [];
  let second: string | undefined;
  let outcome: SignInResult | undefined;
  let isAnswered = false;
  let moved = Promise.withResolvers<void>();
  const {promise: ended, resolve: end} = Promise.withResolvers<SignInResult>();
  const move = () => {
    moved.resolve();
    moved = Promise.withResolvers();
  };
  const finish = (found: SignInResult) => {
    outcome = found;
    end(found);
    move();
  };
  const attempt: SignInAttempt = {
    nextAddress: async known => {
      while (addresses.length <= known && !outcome) await moved.promise;
      return addresses[known];
    },
    settled: async () => {
      while (isAnswered && !outcome) await moved.promise;
    },
    get address() {
      return addresses.at(-1);
    },
    get second() {
      return second;
    },
    get outcome() {
      return outcome;
    },
    ended,
    endAs: finish,
    cancel: () => finish({failure: new SetupError('cancelled', 'Stopped.')}),
  };
  return {
    attempt,
    finish,
    /** The person's answer has arrived, and is being handled. */
    answer: () => {
      isAnswered = true;
    },
    /** @param resource the server that needs a second sign-in, if the address is for that */
    offer: (address: string, resource?: string) => {
      second = resource;
      addresses.push(address);
      move();
    },
  };
};

const begun: ReturnType<typeof attemptOf>[] = [];
/** Called as soon as a sign-in begins. */
let atOnce: (one: ReturnType<typeof attemptOf>) => void = () => {};

/** The contexts for which sign-ins were begun. */
const contexts: Context[] = [];

const begin = (context: Context) => {
  contexts.push(context);
  const one = attemptOf();
  begun.push(one);
  atOnce(one);
  return one.attempt;
};

beforeEach(() => {
  begun.length = 0;
  contexts.length = 0;
  atOnce = one => one.offer(`https://idp.example/authorize?n=${begun.length}`);
});

const signedOut = new SetupError('auth-sign-in-required', 'You are not signed in.', {remedy: 'Sign in.'});
const initializeOf = (capabilities: object) => () => Buffer.from(JSON.stringify({params: {capabilities}}));
const messageOf = (value: object) => parseMessage(Buffer.from(JSON.stringify(value))) as Message;
const callOf = (meta?: object) =>
  messageOf({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'sign_in', ...(meta ? {_meta: meta} : {})}});

type Situation = Partial<Pick<SignInToolPorts, 'initialize' | 'absence' | 'clock'>> & {
  /** The reasons why the platform cannot be reached, one try after the other. The last one is repeated. */
  readonly failures?: readonly (SetupError | undefined)[];
  readonly context?: Partial<Context>;
  readonly account?: string;
  readonly findContext?: () => Promise<Context>;
};

const toolIn = (situation: Situation = {}) => {
  const {failures = [signedOut], context = {}, account} = situation;
  const counts = {tries: 0, listings: 0};
  const written: Record<string, unknown>[] = [];
  /** Ends each pause that the tool has begun. */
  const sleeps: (() => void)[] = [];
  const credentials = {get: async () => (account === undefined ? undefined : {account})};
  const tool = createSignInTool(
    {
      signIn: {
        ports: {credentials} as unknown as Ports,
        findContext: async own => ({
          context: await (situation.findContext?.() ?? {...contextAt('https://idp.example'), ...context}),
          ports: own,
        }),
        command: async asks => `npx setup login --context acme ${requestFlags(asks)}`.trim(),
        begin,
      },
      output: {write: async (bytes: Buffer) => void written.push(JSON.parse(bytes.toString('utf8')))} as never,
      clock: situation.clock ?? ({sleep: () => new Promise<void>(resolve => sleeps.push(resolve))} as never),
      attempt: async () => {
        counts.tries += 1;
        const failed = failures[Math.min(counts.tries, failures.length) - 1];
        return failed && inWords(failed);
      },
      waitForListing: async () => {
        counts.listings += 1;
        return true;
      },
      absence: situation.absence ?? (() => undefined),
      explain: async failure =>
        wordedError(failure.code, failure.message, {remedy: `${remedyText(failure)} (explained)`}),
      initialize: situation.initialize ?? initializeOf({}),
    },
    noSignal,
  );
  const call = async (meta?: object, signal = noSignal): Promise<Said> => {
    const said = await tool.call(callOf(meta), signal);
    if ('url' in said) throw new Error('It asks to open an address.');
    return said;
  };
  return {tool, call, counts, written, sleeps};
};

describe('a call', () => {
  test.each([
    ['ann', 'Signed in to acme as ann. The platform’s tools are available now.'],
    [undefined, 'Signed in to acme. The platform’s tools are available now.'],
  ])('says that all is well where it is, once the client has the tools: %s', async (account, text) => {
    const {call, counts} = toolIn({failures: [undefined], ...(account === undefined ? {} : {account})});
    expect(await call()).toEqual({text, isError: false});
    expect(counts).toEqual({tries: 1, listings: 1});
    expect(begun).toEqual([]);
  });

  test('says what is wrong where signing in would not help', async () => {
    const {call} = toolIn({failures: [new SetupError('platform-error', 'It answered 503.', {remedy: 'Wait.'})]});
    expect(await call()).toEqual({text: 'It answered 503. Wait. (explained)', isError: true});
    expect(begun).toEqual([]);
  });

  test('begins the sign-in that the server demands', async () => {
    const about = {level: {acrValues: 'gold', maxAge: 300}};
    const stepUp = new SetupError('auth-interaction-required', 'It wants another sign-in.', {about});
    const {call} = toolIn({failures: [stepUp], context: {asks: {scopes: ['profile']}}});
    const {text} = await call();
    expect(contexts).toMatchObject([{asks: {scopes: ['profile'], acrValues: 'gold', maxAge: 300}}]);
    expect(text).toContain('they run `npx setup login --context acme --acr-values "gold" --max-age 300`.');
  });

  test('begins a sign-in for the scope that the token lacks', async () => {
    const about = {toRequest: ['openid', 'tools:call']};
    const {call} = toolIn({failures: [new SetupError('auth-scope-missing', 'It lacks a scope.', {about})]});
    await call();
    expect(contexts).toMatchObject([{asks: {scopes: ['openid', 'tools:call']}}]);
  });

  test.each(['auth-audience-wrong', 'auth-token-opaque', 'auth-permission-missing'] as const)(
    'begins none where the next would be refused as well: %s',
    async code => {
      const {call} = toolIn({failures: [new SetupError(code, 'No.', {remedy: 'Ask the operators.'})]});
      expect(await call()).toEqual({text: 'No. Ask the operators. (explained)', isError: true});
      expect(begun).toEqual([]);
    },
  );

  test('says what keeps it from looking', async () => {
    const {call} = toolIn({
      findContext: () => Promise.reject(new SetupError('input-invalid', 'There is none.', {remedy: 'Set up.'})),
    });
    expect(await call()).toEqual({text: 'There is none. Set up. (explained)', isError: true});
  });

  test('begins nothing for a client with a secret, and says who renews that', async () => {
    const {call} = toolIn({context: {signIn: 'service-account', clientId: 'ci'}});
    expect(await call()).toEqual({
      text:
        'You are not signed in. acme uses the secret of the client ci, not a sign-in in a browser. ' +
        'To enter a new secret, run `npx setup login --context acme` in a terminal.',
      isError: true,
    });
    expect(begun).toEqual([]);
  });

  test.each(['auth-scope-missing', 'auth-token-refused', 'auth-interaction-required'] as const)(
    'asks for no new secret where the token is what is refused: %s',
    async code => {
      const about = {toRequest: ['platform:mcp']};
      const refused = new SetupError(code, 'It needs more.', {about, remedy: 'Run login --scopes.'});
      const {call} = toolIn({failures: [refused], context: {signIn: 'service-account', clientId: 'ci'}});
      expect(await call()).toEqual({text: 'It needs more. Run login --scopes. (explained)', isError: true});
      expect(begun).toEqual([]);
    },
  );

  test('does not try a token again that a server has refused', async () => {
    const refused = new SetupError('auth-token-refused', 'It refuses the token.');
    const {call, counts} = toolIn({absence: () => refused, failures: [undefined]});
    expect((await call()).text).toContain('https://idp.example/authorize?n=1');
    expect(counts.tries).toBe(0);
    const other = toolIn({absence: () => signedOut, failures: [undefined]});
    expect((await other.call()).text).toMatch(/^Signed in/);
  });
});

describe('a client that shows text', () => {
  test('is given the address, and the same one until somebody has signed in', async () => {
    const {call, counts} = toolIn({failures: [signedOut, undefined]});
    const first = await call();
    expect(first.isError).toBe(false);
    expect(first.text).toMatch(
      /^Show the user this complete address\. .*:\n\nhttps:\/\/idp\.example\/authorize\?n=1\n\n/,
    );
    expect(first.text).toMatch(/To sign in from a terminal instead, they run `npx setup login --context acme`\.$/);
    expect(await call()).toEqual({text: `The sign-in is still waiting for the user. ${first.text}`, isError: false});
    begun[0]?.finish({account: 'ann'});
    expect(await call()).toEqual({
      text: 'Signed in to acme as ann. The platform’s tools are available now.',
      isError: false,
    });
    expect(begun).toHaveLength(1);
    // One try happens by itself, so that the tools appear without a call.
    await expect.poll(() => counts.tries).toBe(3);
  });

  test('is not shown the address again while the sign-in that has arrived is being finished', async () => {
    const {call, sleeps} = toolIn({failures: [signedOut, undefined]});
    await call();
    begun[0]?.answer();
    const during = call();
    await expect.poll(() => sleeps.length).toBe(1);
    begun[0]?.finish({account: 'ann'});
    expect((await during).text).toBe('Signed in to acme as ann. The platform’s tools are available now.');
  });

  test('is told to wait if finishing a sign-in takes long', async () => {
    const {call, sleeps} = toolIn();
    await call();
    begun[0]?.answer();
    const during = call();
    await expect.poll(() => sleeps.length).toBe(1);
    sleeps[0]?.();
    expect(await during).toEqual({
      text: 'The sign-in has arrived from the browser and is being finished. Call sign_in again in a moment.',
      isError: false,
    });
    begun[0]?.finish({account: 'ann'});
  });

  test('is told that it failed, and begins anew with the next call', async () => {
    const {call} = toolIn();
    await call();
    begun[0]?.finish({failure: new SetupError('auth-declined', 'It was declined.', {remedy: 'Ask.'})});
    expect(await call()).toEqual({
      text: 'It was declined. Ask. (explained) Call sign_in again for a new address.',
      isError: true,
    });
    expect((await call()).text).toContain('authorize?n=2');
  });

  test('is told that the platform is still not there', async () => {
    const down = new SetupError('platform-error', 'It answered 503.', {remedy: 'Wait.'});
    const {call, counts} = toolIn({failures: [signedOut, down]});
    await call();
    begun[0]?.finish({account: 'ann'});
    expect(await call()).toEqual({text: 'Signed in to acme as ann. It answered 503. Wait.', isError: true});
    expect(counts.listings).toBe(0);
  });

  test('is told that the server refuses the new sign-in as well, and can begin another', async () => {
    const refused = new SetupError('auth-token-refused', 'The server refuses the token.', {remedy: 'Sign in again.'});
    const {call} = toolIn({failures: [refused]});
    await call();
    begun[0]?.finish({account: 'ann'});
    expect(await call()).toEqual({
      text: expect.stringMatching(
        /^Signed in to acme as ann\. The server refuses the token\. Signing in again has not changed that: ask the platform’s operators/,
      ),
      isError: true,
    });
    expect((await call()).text).toContain('authorize?n=2');
  });

  test('is told that it was signed out again since', async () => {
    const {call} = toolIn();
    await call();
    begun[0]?.finish({account: 'ann'});
    expect((await call()).text).toContain('authorize?n=2');
  });

  test('is told what to do about a port that is taken, without a flag', async () => {
    const taken = new SetupError('local-port-taken', 'Port 1 is taken.', {remedy: 'Use --port.'});
    atOnce = one => one.finish({failure: taken});
    const {text, isError} = await toolIn().call();
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^Port 1 is taken\. Another sign-in, .*: `npx setup login --context acme`\. \(explained\) Call sign_in again after that\.$/,
    );
    expect(text).not.toContain('--port');
  });

  test('is given one address, however often it calls at once', async () => {
    const {call} = toolIn();
    const [one, other] = await Promise.all([call(), call()]);
    expect(begun).toHaveLength(1);
    for (const {text} of [one, other]) expect(text).toContain('authorize?n=1');
  });
});

describe('a client that can ask its person', () => {
  const able = {initialize: initializeOf({elicitation: {url: {}}})};
  type Question = {readonly id: string; readonly params: {readonly elicitationId: string; readonly url: string}};

  /** Calls the tool, and records the questions that it asks. */
  const asking = (more: Situation = {}, meta?: object, signal?: AbortSignal) => {
    const own = toolIn({...able, ...more});
    const said = own.call(meta, signal);
    const all = () => own.written.filter(({method}) => method === 'elicitation/create') as unknown as Question[];
    const question = async (index = 0) => {
      await expect.poll(() => all().length).toBeGreaterThan(index);
      return all()[index] ?? expect.fail();
    };
    const hear = (answer: object) => own.tool.hears(messageOf({jsonrpc: '2.0', ...answer}));
    const completed = () =>
      own.written.flatMap(({method, params}) => (method === 'notifications/elicitation/complete' ? [params] : []));
    return {...own, said, question, hear, completed};
  };

  test('leads them to one address after the other, and says when each is done', async () => {
    const {said, question, hear, completed, written} = asking({failures: [signedOut, undefined]});
    const first = await question();
    expect(first).toMatchObject({
      jsonrpc: '2.0',
      id: `platform-setup-${first.params.elicitationId}`,
      params: {
        ...{mode: 'url', url: 'https://idp.example/authorize?n=1'},
        message: 'Sign in to acme in your browser, so that the assistant can act for you.',
      },
    });
    expect(hear({id: 'another', result: {action: 'accept'}})).toBe(false);
    expect(hear({id: first.id, result: {action: 'accept'}})).toBe(true);
    await new Promise(setImmediate);
    expect(completed()).toEqual([]);
    begun[0]?.offer('https://idp.example/authorize?for=observer', 'urn:observer');
    const second = await question(1);
    expect(second.params).toMatchObject({
      url: 'https://idp.example/authorize?for=observer',
      message: 'Sign in to acme a second time: urn:observer accepts only tokens issued for it.',
    });
    expect(completed()).toEqual([{elicitationId: first.params.elicitationId}]);
    hear({id: second.id, result: {action: 'accept'}});
    begun[0]?.finish({account: 'ann'});
    expect(await said).toMatchObject({text: expect.stringMatching(/^Signed in to acme as ann\./), isError: false});
    expect(completed()).toHaveLength(2);
    // There was no third address for a question.
    expect(written.filter(({method}) => method === 'elicitation/create')).toHaveLength(2);
    expect(hear({id: second.id, result: {action: 'accept'}})).toBe(false);
  });

  test('is not told that an address is done where the sign-in failed there', async () => {
    const {said, question, hear, completed} = asking();
    hear({id: (await question()).id, result: {action: 'accept'}});
    begun[0]?.finish({failure: new SetupError('auth-declined', 'It was declined.', {remedy: ''})});
    expect((await said).text).toMatch(/^It was declined\..* Call sign_in again/);
    expect(completed()).toEqual([]);
  });

  test('is told the end of a sign-in also where nobody answers', async () => {
    const {said, question, completed} = asking({failures: [signedOut, undefined]});
    await question();
    begun[0]?.finish({account: 'ann'});
    expect((await said).text).toMatch(/^Signed in to acme as ann\./);
    expect(completed()).toEqual([]);
  });

  test.each(['decline', 'cancel'])('ends the sign-in where the person says %s, and can begin another', async action => {
    const {said, question, hear, call} = asking();
    hear({id: (await question()).id, result: {action}});
    expect(await said).toEqual({
      text:
        'The user chose not to open the address and is not signed in. ' +
        'To sign in from a terminal, they run `npx setup login --context acme`.',
      isError: true,
    });
    expect(begun[0]?.attempt.outcome).toMatchObject({failure: {code: 'cancelled'}});
    void call();
    await expect.poll(() => begun.length).toBe(2);
  });

  test.each([
    ['an error', {error: {code: -32602, message: 'no'}}],
    ['nothing that is known', {result: {action: 'later'}}],
    ['a result that is none', {result: 'accept'}],
  ])('is shown the address where it answers with %s', async (_what, answer) => {
    const {said, question, hear} = asking();
    hear({id: (await question()).id, ...answer});
    expect(await said).toMatchObject({text: expect.stringContaining('authorize?n=1'), isError: false});
    expect(begun[0]?.attempt.outcome).toBeUndefined();
  });

  test('is told of progress, where it wants to know, until the end', async () => {
    const ticks: number[] = [];
    const signals: AbortSignal[] = [];
    const sleep = async (ms: number, signal: AbortSignal) => {
      ticks.push(ms);
      signals.push(signal);
      if (ticks.length < 3) return;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const progressIn = (written: readonly Record<string, unknown>[]) =>
      written.flatMap(({method, params}) => (method === 'notifications/progress' ? [params] : []));
    const {said, question, hear, written} = asking({clock: {sleep} as never}, {progressToken: 'p'});
    const {id} = await question();
    await expect.poll(() => progressIn(written).length).toBe(3);
    const message = 'Waiting for the user to sign in.';
    expect(progressIn(written)).toEqual([1, 2, 3].map(progress => ({progressToken: 'p', progress, message})));
    expect(ticks).toEqual([10_000, 10_000, 10_000]);
    hear({id, result: {action: 'decline'}});
    await said;
    expect(signals.every(({aborted}) => aborted)).toBe(true);
    const other = asking({clock: {sleep} as never}, {});
    await other.question();
    expect(progressIn(other.written)).toEqual([]);
  });

  test('waits for nobody who has given the call up, while the sign-in goes on', async () => {
    const stop = new AbortController();
    const {question, hear, call, completed, written} = asking({}, undefined, stop.signal);
    hear({id: (await question()).id, result: {action: 'accept'}});
    await new Promise(setImmediate);
    stop.abort();
    expect((await call()).text).toMatch(/^The sign-in is still waiting for the user\./);
    expect(begun).toHaveLength(1);
    // That call was cancelled, so no question is asked for it.
    begun[0]?.offer('https://idp.example/authorize?for=observer');
    await new Promise(setImmediate);
    expect((await call()).text).toContain('authorize?for=observer');
    expect(written.filter(({method}) => method === 'elicitation/create')).toHaveLength(1);
    expect(completed()).toEqual([]);
  });
});

test('no answer is the tool’s where it has asked nothing', () => {
  const {tool} = toolIn();
  expect(tool.hears({...callOf(), raw: Buffer.from('not even JSON')})).toBe(false);
});
