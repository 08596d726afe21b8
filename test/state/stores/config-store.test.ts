import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
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

  test.each([
    ['cut off', '{"version":1,"contexts":['],
    ['empty', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['of a later version', '{"version":2,"contexts":[]}'],
    ['without contexts', '{"version":1}'],
    [
      'with a context that lacks its URL',
      JSON.stringify({version: 1, contexts: [{...context, controlPlaneUrl: undefined}]}),
    ],
    ['with a URL that is none', JSON.stringify({version: 1, contexts: [{...context, authUrl: 'idp'}]})],
    ['with a sign-in that is not known', JSON.stringify({version: 1, contexts: [{...context, signIn: 'magic'}]})],
    [
      'with a resource of a server that is not known',
      JSON.stringify({version: 1, contexts: [{...context, resources: {gateway: 'https://api.example/mcp'}}]}),
    ],
    [
      'with a resource that is no URI',
      JSON.stringify({version: 1, contexts: [{...context, resources: {observability: 'observer'}}]}),
    ],
  ])('that is %s is named and left as it is', async (_name, text) => {
    const ports = await temporaryPorts();
    await writeFile(ports.config.path, text);
    const failure = {code: 'local-config-invalid', message: expect.stringContaining(ports.config.path)};
    await expect(ports.config.read()).rejects.toMatchObject(failure);
    await expect(ports.config.saveContext(context)).rejects.toMatchObject(failure);
    expect(await readFile(ports.config.path, 'utf8')).toBe(text);
  });
});
