import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {payloadOf} from '../../../src/domain/tokens.ts';
import type {Json} from '../../bridge/support/mcp-server.ts';
import {clientOf} from '../../support/platform.ts';
import {startBridge} from '../support/bridge.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';

const underAssistant = {CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'a'};
const clientInfo = {name: 'test', version: '1'};

/** Sets up a person, an account of their assistants, and a bridge of an assistant with these capabilities. */
const machine = async (capabilities: object) => {
  const platform = await platformForTest();
  const surroundings = surroundingsForTest();
  const [me, theirs] = [
    clientOf(platform.ready, 'client_secret_basic'),
    clientOf(platform.ready, 'client_secret_post'),
  ];
  const signIn = (args: readonly string[], {clientId, secret}: {clientId: string; secret: string}) =>
    runSetup(['login', ...args, '--client-id', clientId, '--client-secret-stdin'], {surroundings, stdin: secret});
  expect(await signIn([...platform.flags, '--client-credentials'], me)).toMatchObject({code: 0});
  expect(await signIn(['--as', 'assistants'], theirs)).toMatchObject({code: 0});
  const env = {...surroundings.env, ...underAssistant};
  const bridge = startBridge(['control-plane'], surroundings);
  const start = (...args: readonly string[]) => startSetup(args, {surroundings, env});
  const run = (...args: readonly string[]) => start(...args).ended;
  await bridge.request('initialize', {protocolVersion: '2025-11-25', capabilities, clientInfo});
  bridge.notify('notifications/initialized');
  await bridge.request('tools/list');
  const sockets = () => {
    const directory = join(surroundings.setupHome, 'bridges');
    return existsSync(directory) ? readdirSync(directory) : [];
  };
  const listening = async () => expect.poll(sockets).toEqual([`${bridge.pid}.sock`]);
  const asked = (fits: (message: Json) => boolean = () => true) =>
    bridge.until(message => message.method === 'elicitation/create' && fits(message));
  const answer = ({id}: Json, action: string) => bridge.send({jsonrpc: '2.0', id, result: {action, content: {}}});
  return {
    bridge,
    start,
    run,
    listening,
    asked,
    answer,
    sockets,
    setupHome: surroundings.setupHome,
    me: me.clientId,
    theirs: theirs.clientId,
  };
};

const clientIn = (text: string) => payloadOf(text.trim())?.client_id;

describe('a command of an assistant that asks to act as the person', () => {
  test('does so once if the person allows it in the conversation', async () => {
    const {listening, run, asked, answer, bridge, me, theirs} = await machine({elicitation: {}});
    await listening();
    const printed = run('token', '--as', 'me');
    const question = await asked();
    expect(question.params).toEqual({
      message: 'Allow a command to act as you on platform, with all your permissions? The command: setup token --as me',
      requestedSchema: {type: 'object', properties: {}},
    });
    answer(question, 'accept');
    const {stdout, stderr, code} = await printed;
    expect({code, stderr, client: clientIn(stdout)}).toEqual({code: 0, stderr: '', client: me});
    expect(clientIn((await run('token')).stdout)).toBe(theirs);
    // The bridge goes on as before, and the server has heard nothing of the answer.
    expect(await bridge.request('tools/list')).toHaveProperty('result.tools');
    const again = run('mcp', 'call', 'control-plane', 'list_organizations', 'x=a b', '--as', 'me');
    const second = await asked(({id}) => id !== question.id);
    expect(second.params.message).toMatch(/: setup mcp call control-plane list_organizations 'x=a b' --as me$/);
    answer(second, 'decline');
    expect(await again).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Nobody allowed this in the conversation.'),
    });
  });

  test('is refused if the person could not see all of it', async () => {
    const {listening, run, bridge, setupHome} = await machine({elicitation: {}});
    await listening();
    const call = ['mcp', 'call', 'control-plane', 'list_organizations', '--as', 'me'];
    for (const more of [['--input', join(setupHome, 'config.json')], [`x=${'y'.repeat(1_000)}`]]) {
      expect(await run(...call, ...more)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('This is only for a person at a terminal.'),
      });
    }
    expect(bridge.messages().some(({method}) => method === 'elicitation/create')).toBe(false);
  });

  test('is asked about one at a time, and withdrawn when the command ends', async () => {
    const {listening, start, asked, answer, bridge, me} = await machine({elicitation: {form: {}}});
    await listening();
    const [first, second] = [start('token', '--as', 'me'), start('token', '--header', '--as', 'me')];
    const question = await asked();
    const isFirst = !question.params.message.includes('--header');
    (isFirst ? first : second).kill('SIGTERM');
    await bridge.until(({method, params}) => method === 'notifications/cancelled' && params.requestId === question.id);
    const next = await asked(({id}) => id !== question.id);
    answer(next, 'accept');
    const {stdout} = await (isFirst ? second : first).ended;
    expect(clientIn(stdout.replace('Authorization: Bearer ', ''))).toBe(me);
    answer(question, 'accept');
    expect(await bridge.request('ping')).toHaveProperty('result');
  });

  test.each([
    ['no elicitation', {}],
    ['only addresses', {elicitation: {url: {}}}],
  ])('is refused at a client with %s', async (_, capabilities) => {
    const {run, sockets, bridge} = await machine(capabilities);
    expect(await run('token', '--as', 'me')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This is only for a person at a terminal.'),
    });
    expect(sockets()).toEqual([]);
    expect(bridge.messages().some(({method}) => method === 'elicitation/create')).toBe(false);
  });

  test('is refused if the client cannot ask after all, and after the bridge was killed', async () => {
    const {listening, run, asked, bridge, sockets, setupHome} = await machine({elicitation: {}});
    await listening();
    const printed = run('token', '--as', 'me');
    const {id} = await asked();
    bridge.send({jsonrpc: '2.0', id, error: {code: -32601, message: 'Method not found'}});
    expect(await printed).toMatchObject({code: 2, stderr: expect.stringContaining('only for a person at a terminal')});
    bridge.kill('SIGKILL');
    await bridge.ended;
    expect(sockets()).toHaveLength(1);
    expect(await run('token', '--as', 'me')).toMatchObject({code: 2, stdout: ''});
    expect(await run('uninstall', '--yes')).toMatchObject({code: 0});
    expect(existsSync(setupHome)).toBe(false);
  });

  test('leaves no socket when the bridge ends', async () => {
    const {listening, bridge, sockets} = await machine({elicitation: {}});
    await listening();
    bridge.stdin.end();
    expect(await bridge.ended).toMatchObject({code: 0});
    expect(sockets()).toEqual([]);
  });
});
