import {expect, test, vi} from 'vitest';
import {holdDialogue} from '../../src/dialogue/dialogue.ts';
import {LeftError, type LineReader} from '../../src/dialogue/line-reader.ts';
import type {WizardState} from '../../src/state/model.ts';
import {contextAt} from '../support/context.ts';
import {standing} from '../support/standing-wizard.ts';
import {at, having, settings, withToolSets} from '../support/states.ts';

/** Talks to a wizard that runs no flow: the person types these lines and then leaves. */
const talk = async (initial: WizardState, ...typed: readonly string[]) => talkTo({wizard: standing(initial)}, ...typed);

type Talk = {
  readonly wizard: ReturnType<typeof standing>;
  /** True while a flow runs: lines that are typed meanwhile answer nothing. */
  readonly isBusy?: () => boolean;
};

const talkTo = async ({wizard, isBusy = () => false}: Talk, ...typed: readonly string[]) => {
  const {dispatch} = wizard;
  const said: string[] = [];
  const lines = [...typed];
  const secrets: string[] = [];
  const reader: LineReader = {
    ask: async (prompt, {secret, signal}) => {
      if (isBusy()) return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      said.push(prompt);
      const line = lines.shift();
      if (line === undefined) throw new LeftError();
      if (secret) secrets.push(line);
      return line;
    },
    close: () => {},
  };
  const send = vi.fn();
  const ending = await holdDialogue({
    wizard,
    reader,
    say: line => said.push(line),
    send,
    now: () => 0,
    signal: new AbortController().signal,
  });
  return {
    ending,
    text: said.join('\n'),
    dispatched: dispatch.mock.calls.map(([event]) => event),
    send,
    secrets,
  };
};

const accepted = {type: 'answered', answers: {deploymentAccepted: true}};

test('a question says where it stands, what is known, and numbers what can be done', async () => {
  const {text, ending} = await talk(at.deployment);
  expect(text).toContain('Step 1 of 5: Deployment');
  expect(text).toContain('Found your platform at acme.localhost');
  expect(text).toContain('Control plane 0.14.0: http://api.acme.localhost:8080');
  expect(text).toMatch(/^ {2}1\. Use this deployment\. You sign in to it next\.$/m);
  expect(text).toMatch(/^ {2}3\. Another base domain$/m);
  expect(text).toContain('press Enter for 1');
  expect(ending).toBe('cancelled');
});

test.each([
  ['its number', '1'],
  ['Enter, where it stands first', ''],
  ['the beginning of its label', 'use this'],
])('an offer is taken by %s', async (_how, typed) => {
  expect((await talk(at.deployment, typed)).dispatched).toEqual([accepted]);
});

test.each(['9', '0', 'no', 'e e', '-1'])('“%s” is none of the choices, and is said to be none', async typed => {
  const {text, dispatched} = await talk(at.deployment, typed, '1');
  expect(text).toContain(`“${typed}” is none of these`);
  expect(dispatched).toEqual([accepted]);
});

test('? is answered with the choices and words, and the question stays', async () => {
  const {text, dispatched} = await talk(at.deployment, '?', '1');
  expect(text).not.toContain('is none of these');
  expect(text).toContain('Type the number of a choice, or the beginning of its text');
  expect(text.match(/^ {2}1\. Use this deployment\. You sign in to it next\.$/gm)).toHaveLength(2);
  expect(text).toMatch(/Or .*q to quit, \? for help\.$/m);
  expect(dispatched).toEqual([accepted]);
});

test('? is no name of a client, and may be its secret', async () => {
  const {text, dispatched, secrets} = await talk(at.client, '?', 'ci', '?');
  expect(text).toMatch(/^Type the answer to “.*”, then press Enter\./m);
  expect(dispatched[0]).toMatchObject({answers: {clientId: 'ci'}});
  expect(secrets).toEqual(['?']);
});

test('? at the assistants says how they are chosen, and chooses none', async () => {
  const {text, dispatched} = await talk(at.assistants, '?', '');
  expect(text).not.toContain('is none of these');
  expect(text).toContain('Type one or more numbers');
  expect(text).toContain('? for help');
  expect(dispatched).toHaveLength(1);
});

test('an address is changed by way of which, and Enter keeps what stands there', async () => {
  const {dispatched} = await talk(at.deployment, '2', '2', 'http://other.acme.localhost:9');
  expect(dispatched[0]).toMatchObject({
    answers: {baseDomain: 'acme.localhost', addresses: {observerUrl: 'http://other.acme.localhost:9'}},
  });
  const kept = await talk(at.deployment, '3', '');
  expect(kept.dispatched[0]).toMatchObject({answers: {baseDomain: 'acme.localhost'}});
});

test('b leads from which address back to the deployment, and from the sign-in to the deployment', async () => {
  const which = await talk(at.deployment, '2', 'b', '1');
  expect(which.dispatched).toEqual([accepted]);
  const signIn = await talk(at['sign-in'], 'b');
  expect(signIn.dispatched).toEqual([{type: 'went-back', to: 'deployment'}]);
});

test('a name and a secret are asked for, and the secret shows itself to nobody', async () => {
  const {dispatched, secrets, text} = await talk(at.client, 'ci', '', 'hunter2-hunter2');
  expect(text).toContain('Type something first.');
  expect(secrets).toEqual(['', 'hunter2-hunter2']);
  const [event] = dispatched;
  const answers = event?.type === 'answered' ? event.answers : {};
  expect(answers).toMatchObject({clientId: 'ci', clientEntered: true});
  expect(answers.clientSecret?.reveal()).toBe('hunter2-hunter2');
  expect(JSON.stringify(dispatched)).not.toContain('hunter2');
});

test('the review names every file, and Enter shows the changes before it writes them', async () => {
  const {text, dispatched} = await talk(at.review, '', '');
  expect(text).toContain('~/project/.mcp.json, new: 2 entries set');
  expect(text).toContain('+  "mcpServers": {');
  expect(dispatched).toEqual([{type: 'answered', answers: {changesAccepted: true}}]);
});

test('a failure says what happened, whose turn it is, and the ways on', async () => {
  const failure = {
    step: 'obtain-token',
    code: 'auth-client-refused',
    message: 'http://idp.acme.localhost:8080 refused the client.',
    remedy: 'Check the client ID.',
    whose: 'you',
    headline: 'The identity provider does not accept the client ID and its secret',
  } as const;
  const {text, dispatched, ending} = await talk({...at['obtain-token'], failure}, '1');
  expect(text).toContain('The identity provider does not accept the client ID and its secret');
  expect(text).toContain('What to do: Check the client ID.');
  expect(text).toContain('1. Enter the client again');
  expect(dispatched).toEqual([{type: 'went-back', to: 'client'}]);
  expect(ending).toBe('cancelled');
  expect((await talk({...at['obtain-token'], failure}, 'q')).ending).toBe('failed');
});

test('who signs in a second time reads why', async () => {
  const observer = 'http://observer.acme.localhost:11080/mcp';
  const again = having(
    {
      ...at.check,
      answers: {...at.check.answers, signIn: 'browser'},
      facts: {...at.check.facts, ownResources: {observability: observer}},
    },
    {
      type: 'sign-in-waiting',
      url: 'http://idp.acme.localhost:8080/oauth2/authorize',
      redirectUri: 'http://127.0.0.1:55152/auth-callback',
      until: 300_000,
      listening: true,
      device: true,
    },
  );
  const {text} = await talk(again, 'q');
  expect(text).toContain(`You need to sign in a second time: ${observer} accepts only tokens issued for it`);
});

test('while the browser is waited for, the address stands alone on its line, and the answer can be pasted', async () => {
  const url = 'http://idp.acme.localhost:8080/oauth2/authorize?response_type=code';
  const waiting = having(
    {...at['obtain-token'], answers: {...at['obtain-token'].answers, signIn: 'browser'}},
    {
      type: 'sign-in-waiting',
      url,
      redirectUri: 'http://127.0.0.1:55152/auth-callback',
      until: 300_000,
      listening: true,
      device: true,
    },
  );
  const {text, send} = await talk(waiting, '1', 'http://127.0.0.1:55152/auth-callback?code=x');
  expect(text.split('\n')).toContain(url);
  expect(text).toContain('You have 5 min.');
  expect(send).toHaveBeenCalledExactlyOnceWith({type: 'pasted', text: 'http://127.0.0.1:55152/auth-callback?code=x'});
});

test('the end says what answered, and leaves by itself', async () => {
  const {text, ending} = await talk(at.done);
  expect(text).toContain('MCP JSON: control plane 25 tools, observability 6 tools, through ~/project/.mcp.json');
  expect(text).toContain('npx setup undo');
  expect(ending).toBe('done');
});

const savedAcme = contextAt('http://idp.acme.localhost:8080');
const again = {signIn: 'browser', deploymentAccepted: true} as const;

test('a saved deployment begins at home', async () => {
  const home: WizardState = {
    ...at['find-deployment'],
    settings: {...settings, saved: savedAcme, again},
    facts: {
      inspectedSignIn: {
        state: 'ended',
        message: 'You are signed out of acme: it was refused.',
        reason: 'It was refused.',
      },
    },
  };
  const {text, dispatched} = await talk(home, '');
  expect(text).toContain('You are signed out of acme\nIt was refused.');
  expect(dispatched).toEqual([{type: 'answered', answers: {...again, resume: 'sign-in'}}]);
});

test('home waits for the deployment, because it cannot add what that answers', async () => {
  const facts = {
    inspectedSignIn: {state: 'alive', token: {fingerprint: 'abc', renewable: true, account: 'ann'}},
  } as const;
  const initial: WizardState = {...at['find-deployment'], settings: {...settings, saved: savedAcme, again}, facts};
  const wizard = standing(initial);
  const busy = () => wizard.state().facts.connection === undefined;
  setImmediate(() => wizard.dispatch({type: 'learned', step: 'home', facts: {connection: {state: 'connected'}}}));
  const {text} = await talkTo({wizard, isBusy: busy}, 'q');
  expect(text).toMatch(/Signed in as ann.* Asking your platform…\n[\s\S]*Connected as ann/);
  expect(text.match(/1\. Check the connection/g)).toHaveLength(1);
});

test('t leads through the presets of tools, each with what it takes once that is known', async () => {
  const wizard = standing(withToolSets);
  const {dispatch} = wizard;
  const asked: string[] = [];
  const known = () => Object.keys(wizard.state().facts.toolCosts ?? {}).length;
  const answering = {
    ...wizard,
    dispatch: Object.assign((event: Parameters<typeof dispatch>[0]) => {
      dispatch(event);
      if (event.type !== 'tools-looked-at') return;
      asked.push(event.tools);
      const {toolCosts} = wizard.state().facts;
      const learned = {toolCosts: {...toolCosts, [event.tools]: {tools: 10, tokens: 2000}}};
      setImmediate(() => dispatch({type: 'learned', step: 'assistants', facts: learned}));
    }, dispatch),
  };
  const {text, dispatched} = await talkTo(
    {wizard: answering, isBusy: () => asked.length > known()},
    't',
    't',
    't',
    't',
    't',
    's',
    '',
  );
  const told = text.match(/^Tools: .*$/gm);
  const [all, build, run, look] = [
    'Tools: all 31, about 7,600 tokens.',
    'Tools: I build services: 16 of 31, about 3,500 tokens.',
    'Tools: I run the platform: 16 of 31, about 3,500 tokens.',
    'Tools: only look: 21 of 31, about 4,500 tokens.',
  ];
  expect(told?.slice(0, 7)).toEqual([all, build, run, look, all, build, build]);
  expect(text).toContain('t for other tools');
  expect(asked).toEqual(['build', 'run']);
  expect(dispatched.at(-1)).toMatchObject({answers: {connect: {scope: 'project', tools: 'build'}}});
});

test('t leads from all tools to those that only look, and back, where the release has no sets of tools', async () => {
  const {text} = await talk(at.assistants, 't', 't');
  const [all, look] = ['Tools: all 31, about 7,600 tokens.', 'Tools: only look: 21 of 31, about 4,500 tokens.'];
  expect(text.match(/^Tools: .*$/gm)?.slice(0, 3)).toEqual([all, look, all]);
});

/** A state in which Claude Code is installed and forty other assistants are not. */
const manyAbsent = (): WizardState => {
  const absent = Array.from({length: 40}, (_, index) => ({
    ...{id: `absent-${index}`, name: `Absent ${index}`, installed: false, methods: ['bridge'] as const},
    paths: {user: `/home/ann/.absent-${index}.json`},
  }));
  return {...at.assistants, facts: {...at.assistants.facts, found: [...(at.assistants.facts.found ?? []), ...absent]}};
};

test('assistants that are not here are read out only to who asks for them', async () => {
  const {text, dispatched} = await talk(manyAbsent(), '1', '1', '');
  expect(text).toMatch(/^ {2}1\. Yes: Claude Code/m);
  expect(text).not.toContain('Absent');
  expect(text).not.toContain('Cursor');
  expect(text).toMatch(/Not found here: \d+ more\./);
  expect(text).toContain('o to hear all assistants');
  // An assistant that was unticked stays in the list, so that it can be ticked again.
  expect(text).toMatch(/^ {2}1\. No: Claude Code/m);
  expect(dispatched.at(-1)).toMatchObject({answers: {connect: {assistants: ['claude-code']}}});
});

test('all of them are there once they are asked for, and one can be chosen', async () => {
  const {text, dispatched} = await talk(manyAbsent(), 'o', '43', '');
  expect(text).toContain('No: Absent 39');
  expect(text).toMatch(/Yes: Absent 39/);
  expect(text.split('o to hear all assistants')).toHaveLength(2);
  expect(dispatched.at(-1)).toMatchObject({answers: {connect: {assistants: expect.arrayContaining(['absent-39'])}}});
});

test('where none was found all are read out at once', async () => {
  const found = manyAbsent().facts.found?.map(one => ({...one, installed: false})) ?? [];
  const {text} = await talk({...manyAbsent(), facts: {...at.assistants.facts, found}});
  expect(text).toContain('Absent 39');
  expect(text).not.toContain('o to hear all');
});

test('< leads back from every line that is typed: from a secret to the name, and from that to the question before', async () => {
  const {dispatched, text} = await talk(at.client, 'nobody', '<', '<');
  expect(text).toContain('Client ID (< to go back): ');
  expect(text).toMatch(/\(not shown while you type, < to go back\)/);
  expect(text).toContain('Client ID (Enter for nobody, < to go back): ');
  expect(dispatched).toEqual([{type: 'went-back', to: 'sign-in'}]);
  const address = await talk(at.deployment, '3', '<');
  expect(address.dispatched).toEqual([]);
  expect(address.text.split('Use this deployment')).toHaveLength(3);
});
