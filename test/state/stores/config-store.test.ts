import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {createConfigWriter} from '../../../src/ports/files/config-writer.ts';
import {configFormat} from '../../../src/state/stores/config-schema.ts';
import {createConfigStore} from '../../../src/state/stores/config-store.ts';
import {mcpClientContext as context} from '../../support/context.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../support/place.ts';

describe('the config', () => {
  test('begins empty, keeps contexts side by side, and the last one saved is current', async () => {
    const {config} = await temporaryPorts();
    expect(await config.read()).toEqual({version: 1, contexts: []});
    await config.saveContext(context);
    await config.saveContext({...context, name: 'other'});
    await config.saveContext({...context, layout: 'multi'});
    const {contexts, currentContext} = await config.read();
    expect(currentContext).toBe('acme');
    expect(contexts.map(({name, layout}) => [name, layout])).toEqual([
      ['other', 'single'],
      ['acme', 'multi'],
    ]);
  });

  test('loses nothing to writers at the same time', async () => {
    const home = await temporaryDirectory();
    const names = Array.from({length: 12}, (_, index) => `context-${index}`);
    await Promise.all(names.map(name => portsIn(home).config.saveContext({...context, name})));
    expect((await portsIn(home).config.read()).contexts.map(({name}) => name).toSorted()).toEqual(names.toSorted());
  });

  test('of a file from before the schema is read and saved, and a current context that is no text is none', async () => {
    const {config} = await temporaryPorts();
    await writeFile(config.path, JSON.stringify({version: 1, currentContext: 7, contexts: [context]}));
    expect(await config.read()).toEqual({version: 1, contexts: [context]});
    await config.saveEntries('acme', () => []);
    expect(await config.read()).toEqual({version: 1, contexts: [{...context, entries: []}]});
  });

  test('is read without what writes it', async () => {
    const {files} = await temporaryPorts();
    const {config} = await temporaryPorts();
    const loaded: string[] = [];
    const store = createConfigStore(files, config.path, async () => {
      loaded.push('writer');
      return createConfigWriter(configFormat);
    });
    await store.read();
    expect(loaded).toEqual([]);
    await store.saveContext(context);
    expect(loaded).toEqual(['writer']);
  });

  test.each([
    ['cut off', '{"version":1,"contexts":[', 'it is not JSON'],
    ['empty', '', 'it is not JSON'],
    ['a list', '[]', 'its root is not an object'],
    ['null', 'null', 'its root is not an object'],
    ['of a later version', '{"version":2,"contexts":[]}', 'its version is 2, and this program knows 1'],
    ['without contexts', '{"version":1}', 'contexts is missing'],
    [
      'with a context that lacks its URL',
      JSON.stringify({version: 1, contexts: [{...context, controlPlaneUrl: undefined}]}),
      'contexts[0].controlPlaneUrl is missing',
    ],
    [
      'with a URL that is none',
      JSON.stringify({version: 1, contexts: [{...context, authUrl: 'idp'}]}),
      'contexts[0].authUrl is not a URL',
    ],
    [
      'with a sign-in that is not known',
      JSON.stringify({version: 1, contexts: [{...context, signIn: 'magic'}]}),
      'contexts[0].signIn is not known',
    ],
    [
      'with a resource of a server that is not known',
      JSON.stringify({version: 1, contexts: [{...context, resources: {gateway: 'https://api.example/mcp'}}]}),
      'contexts[0].resources.gateway is not known',
    ],
    [
      'with a resource that is no URI',
      JSON.stringify({version: 1, contexts: [{...context, resources: {observability: 'observer'}}]}),
      'contexts[0].resources.observability is not a URL',
    ],
  ])('that is %s is named and left as it is', async (_name, text, reason) => {
    const ports = await temporaryPorts();
    await writeFile(ports.config.path, text);
    const failure = {code: 'local-config-invalid', message: `${ports.config.path} cannot be used: ${reason}.`};
    await expect(ports.config.read()).rejects.toMatchObject(failure);
    await expect(ports.config.saveContext(context)).rejects.toMatchObject(failure);
    expect(await readFile(ports.config.path, 'utf8')).toBe(text);
  });
});
