import type {Client} from '@modelcontextprotocol/client';
import {describe, expect, test, vi} from 'vitest';
import {askLocally, localServersIn, serveLocally} from '../../../src/ports/processes/local-socket.ts';
import {temporaryDirectory} from '../../support/place.ts';
import {bridgeTo} from '../support/bridge.ts';
import {clientThat, serverThat, speaks} from './support.ts';

const pairs = speaks.flatMap(client => speaks.map(server => [client, server] as const));

const toolNames = async (client: Client) => (await client.listTools()).tools.map(({name}) => name);

/** Listens for the tools, as a client of its era does. Resolves once per change. */
const listenForTools = async (client: Client) => {
  let changed = Promise.withResolvers<void>();
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
  if (client.getNegotiatedProtocolVersion() === '2026-07-28') await client.listen({toolsListChanged: true});
  return async () => {
    await changed.promise;
    changed = Promise.withResolvers();
  };
};

describe.each(pairs)('a %s client at a %s server', (how, server) => {
  const connect = async (options: Parameters<typeof bridgeTo>[1] = {}) => {
    const running = await serverThat(server);
    const bridge = await bridgeTo(running.origin, options);
    const capabilities = {elicitation: {form: {}, url: {}}, roots: {}, sampling: {}};
    const {client, transport, lines} = await clientThat(how, bridge, {capabilities});
    await client.connect(transport);
    return {client, lines, bridge, ...running};
  };
  test('lists and calls its tools, and reads what else it has', async () => {
    const {client, lines} = await connect();
    expect(client.getInstructions()).toBe('Ask me.');
    expect(client.getServerVersion()).toMatchObject({name: 'eras', version: '1'});
    expect(await toolNames(client)).toEqual(expect.arrayContaining(['echo', 'slow', 'ask']));
    const era = server === 'dual' ? (how === 'legacy' ? 'legacy' : 'modern') : server;
    expect(await client.callTool({name: 'echo', arguments: {}})).toMatchObject({
      content: [{type: 'text', text: era}],
      structuredContent: {era},
    });
    expect((await client.listPrompts()).prompts).toMatchObject([{name: 'greet'}]);
    expect((await client.getPrompt({name: 'greet'})).messages).toMatchObject([{content: {text: 'hello'}}]);
    expect((await client.listResources()).resources).toMatchObject([{uri: 'note://one'}]);
    expect((await client.readResource({uri: 'note://one'})).contents).toMatchObject([{text: 'one'}]);
    // No result has a member that only the other era knows.
    const isModern = client.getNegotiatedProtocolVersion() === '2026-07-28';
    expect(isModern).toBe(how === 'modern' || how === 'dual');
    const results = lines.map(line => JSON.parse(line)).flatMap(({result}) => result ?? []);
    for (const result of results) expect('resultType' in result).toBe(isModern);
  });

  test('has only the tools that read where it may only look', async () => {
    const {client} = await connect({filter: {isOn: () => true, reading: () => []}});
    expect(await toolNames(client)).toEqual(['peek', 'get_note']);
    for (const name of ['peek', 'get_note']) expect((await client.callTool({name, arguments: {}})).isError).toBeFalsy();
    const refused = {code: -32_602, message: expect.stringContaining('This connection may only look.')};
    await expect(client.callTool({name: 'echo', arguments: {}})).rejects.toMatchObject(refused);
    expect((await client.listPrompts()).prompts).toMatchObject([{name: 'greet'}]);
  });

  test('asks its person whether a command may act as the person', async () => {
    const directory = await temporaryDirectory();
    const {client} = await connect({
      consent: {serve: (answer, over) => serveLocally(directory, answer, over), context: () => 'acme'},
    });
    client.setRequestHandler('elicitation/create', ({params}) => ({
      action: params.message.endsWith(': setup token --as me') ? 'accept' : 'decline',
    }));
    await client.callTool({name: 'echo', arguments: {}});
    const asked = (context: string, command: string) =>
      askLocally(directory, process.pid, {context, command}, new AbortController().signal);
    await expect.poll(() => localServersIn(directory)).toEqual([process.pid]);
    expect(await asked('other', 'setup token --as me')).toEqual({});
    if (client.getNegotiatedProtocolVersion() === '2026-07-28') {
      // A server can ask only as the answer to a request: the next call asks, and is then carried out.
      for (const [command, action] of [
        ['setup token --as me', 'accept'],
        ['setup login --as me', 'decline'],
      ] as const) {
        expect(await asked('acme', command)).toEqual({action: 'later'});
        expect(await client.callTool({name: 'echo', arguments: {}})).toHaveProperty('structuredContent.era');
        expect(await asked('acme', command)).toEqual({action});
        expect(await asked('acme', command)).toEqual({action: 'later'});
        await client.callTool({name: 'echo', arguments: {}});
      }
      return;
    }
    expect(await asked('acme', 'setup token --as me')).toEqual({action: 'accept'});
    expect(await asked('acme', 'setup login --as me')).toEqual({action: 'decline'});
    expect(await client.callTool({name: 'echo', arguments: {}})).toHaveProperty('content');
  });

  test('hears what the server refuses, as it says it', async () => {
    const {client} = await connect();
    await expect(client.getPrompt({name: 'nope'})).rejects.toMatchObject({code: -32_602});
    await expect(client.readResource({uri: 'note://none'})).rejects.toMatchObject({code: -32_602});
  });

  test('hears of progress', async () => {
    const {client} = await connect();
    const heard: unknown[] = [];
    const result = await client.callTool({name: 'slow', arguments: {}}, {onprogress: one => void heard.push(one)});
    expect(result).toMatchObject({content: [{text: 'done'}]});
    expect(heard).toEqual([{progress: 1, total: 2, message: 'half'}]);
  });

  test('is asked by a tool, and the tool goes on with the answer', async () => {
    const {client} = await connect();
    client.setRequestHandler('elicitation/create', async ({params}) => {
      expect(params.message).toBe('What is your name?');
      return {action: 'accept', content: {name: 'Ann'}};
    });
    expect(await client.callTool({name: 'ask', arguments: {}})).toMatchObject({content: [{text: 'accept Ann'}]});
    client.setRequestHandler('elicitation/create', async () => ({action: 'decline'}));
    expect(await client.callTool({name: 'ask', arguments: {}})).toMatchObject({content: [{text: 'decline'}]});
  });

  test('gives a call up, and the server hears of that', async () => {
    const {client, cancelled} = await connect();
    const controller = new AbortController();
    const call = client.callTool({name: 'forever', arguments: {}}, {signal: controller.signal});
    call.catch(() => {});
    await cancelled.begun;
    controller.abort();
    await expect(call).rejects.toThrow();
    await cancelled.ended;
    expect(await client.callTool({name: 'echo', arguments: {}})).toMatchObject({content: [{type: 'text'}]});
  });

  test('hears that the tools have changed, and that a resource has', async () => {
    const {client, change, update, listening, subscribed} = await connect();
    const changed = Promise.withResolvers<void>();
    const updated = Promise.withResolvers<string>();
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
    client.setNotificationHandler('notifications/resources/updated', ({params}) => updated.resolve(params.uri));
    if (client.getNegotiatedProtocolVersion() === '2026-07-28') {
      await client.listen({toolsListChanged: true, resourceSubscriptions: ['note://one']});
    } else await client.subscribeResource({uri: 'note://one'});
    await listening();
    await change();
    await changed.promise;
    await subscribed('note://one');
    await update('note://one');
    expect(await updated.promise).toBe('note://one');
  });

  test('begins signed out, and has the tools after the sign-in', async () => {
    const {origin, change} = await serverThat(server);
    const bridge = await bridgeTo(origin, {kept: 'none', hurry: 20});
    const {client, transport} = await clientThat(how, bridge);
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({name: 'platform-setup'});
    expect(await toolNames(client)).toEqual(['sign_in']);
    expect((await client.listPrompts()).prompts).toEqual([]);
    const changed = await listenForTools(client);
    await bridge.signIn({});
    await changed();
    expect(await toolNames(client)).toContain('echo');
    expect(await client.callTool({name: 'echo', arguments: {}})).toMatchObject({content: [{type: 'text'}]});
    expect((await client.listPrompts()).prompts).toMatchObject([{name: 'greet'}]);
    // From then on the client hears the server's notifications.
    await vi.waitUntil(async () => {
      await change();
      return Promise.race([changed().then(() => true), new Promise(resolve => setImmediate(resolve, false))]);
    });
  });

  test('is signed out in between, and back after a sign-in', async () => {
    let good = 'access-0';
    const {origin} = await serverThat(server, token => token === good);
    const bridge = await bridgeTo(origin, {hurry: 20});
    const {client, transport} = await clientThat(how, bridge);
    await client.connect(transport);
    expect(await toolNames(client)).toContain('echo');
    const changed = await listenForTools(client);
    good = 'access-1';
    await expect(client.callTool({name: 'echo', arguments: {}})).rejects.toThrow(/refuse|sign/i);
    await changed();
    expect(await toolNames(client)).toEqual(['sign_in']);
    await bridge.signIn({accessToken: 'access-1'});
    await changed();
    expect(await toolNames(client)).toContain('echo');
    expect(await client.callTool({name: 'echo', arguments: {}})).toMatchObject({content: [{type: 'text'}]});
  });
});
