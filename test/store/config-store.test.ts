import {chmod, readFile, stat, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {toJSONSchema} from 'zod';
import type {Context} from '../../src/domain/context.ts';
import {companySchema} from '../../src/platform/company-schema.ts';
import {configFormat} from '../../src/store/config-schema.ts';
import {createConfigStore} from '../../src/store/config-store.ts';
import {createConfigWriter} from '../../src/store/config-writer.ts';
import type {JsonSchema} from '../../src/store/json-files.ts';
import {mcpClientContext as context} from '../support/context.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../support/place.ts';
import {onUnix} from '../support/systems/on-unix.ts';

/** A context with every optional member. */
const whole = {
  ...context,
  observerUrl: 'http://observer.acme.localhost:11080',
  scopes: ['openid'],
  resources: {observability: 'http://observer.acme.localhost:11080/mcp'},
  network: {
    ...{proxy: {https: 'http://proxy.example:3128'}, authority: {file: '/ca.pem'}},
    clientCertificate: {certificate: '/client.pem', key: '/client.key'},
  },
  entries: [
    {
      ...{assistant: 'cursor', scope: 'user', project: '/project', method: 'bridge', path: '/home/ann/mcp.json'},
      names: ['acme-control-plane'],
    },
  ],
  cli: {path: '/home/ann/.openchoreo/config', name: 'acme', added: ['contexts']},
} as const satisfies Context;

describe('the config', () => {
  test('begins empty, keeps contexts side by side, and a new one is current', async () => {
    const {config} = await temporaryPorts();
    expect(await config.read()).toEqual({version: 1, contexts: []});
    await config.saveContext(context);
    await config.saveContext({...context, name: 'other'});
    await config.saveContext({...context, layout: 'multi'});
    const {contexts, currentContext} = await config.read();
    // The first context was signed in to again, which does not make it the current one.
    expect(currentContext).toBe('other');
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

  test('is told what is known of one context’s entries and CLI, and of no other’s', async () => {
    const {config} = await temporaryPorts();
    await config.saveContext({...context, name: 'other'});
    await config.saveContext(context);
    const entry = {...whole.entries[0], assistant: 'zed'};
    await config.saveEntries('acme', entries => [...entries, entry]);
    await config.saveEntries('acme', entries => [...entries, entry]);
    await config.saveCli('acme', whole.cli);
    await config.saveCli('gone', whole.cli);
    await config.saveRelease('gone', '0.14');
    const other = {...context, name: 'other'};
    const both = (changed: Context) => ({version: 1, currentContext: 'acme', contexts: [other, changed]});
    expect(await config.read()).toEqual(both({...context, entries: [entry, entry], cli: whole.cli}));
    await config.saveCli('acme', undefined);
    await config.saveRelease('acme', '0.16');
    expect(await config.read()).toStrictEqual(both({...context, entries: [entry, entry], release: '0.16'}));
  });

  test('has another current context where that is wanted, or where the one that was is removed', async () => {
    const {config} = await temporaryPorts();
    for (const name of ['one', 'two', 'three']) await config.saveContext({...context, name});
    const current = async () => {
      const {currentContext, contexts} = await config.read();
      return [currentContext, contexts.map(({name}) => name)];
    };
    await config.useContext('two');
    expect(await current()).toEqual(['two', ['one', 'two', 'three']]);
    await config.removeContext('three');
    expect(await current()).toEqual(['two', ['one', 'two']]);
    await config.removeContext('two');
    expect(await current()).toEqual(['one', ['one']]);
    await config.removeContext('one');
    expect(await config.read()).toStrictEqual({version: 1, contexts: []});
  });

  test('says which contexts there are where it has none of a name', async () => {
    const {config} = await temporaryPorts();
    const refused = (why: string) => ({code: 'input-invalid', message: `There is no context called x${why}.`});
    await expect(config.useContext('x')).rejects.toMatchObject(refused(': nothing is set up yet'));
    for (const name of ['one', 'two']) await config.saveContext({...context, name});
    await expect(config.useContext('x')).rejects.toMatchObject(refused('. Known: one, two'));
    await expect(config.removeContext('x')).rejects.toMatchObject(refused('. Known: one, two'));
  });

  onUnix('can be undone, and is for its owner only', async () => {
    const {config, journal} = await temporaryPorts();
    await writeFile(config.path, JSON.stringify({version: 1, contexts: []}), {mode: 0o644});
    await config.saveContext(context);
    expect((await stat(config.path)).mode & 0o777).toBe(0o600);
    expect(await journal.list()).toMatchObject([{path: config.path, before: {mode: 0o644}}]);
  });

  test('keeps everything that is known of a context', async () => {
    const {config} = await temporaryPorts();
    await config.saveContext(whole);
    expect((await config.read()).contexts).toEqual([whole]);
    const inline = {...whole, network: {proxy: 'none', authority: {pem: '-----BEGIN'}}} as const;
    await config.saveContext(inline);
    expect((await config.read()).contexts).toEqual([inline]);
    const descriptor = {
      ...{name: 'Acme', localBaseDomain: 'acme.example', observabilityLabel: 'obs', callbackUrl: 'http://127.0.0.1:1/'},
      labels: {observer: 'watch'},
      ports: {gateway: 8088, observer: {single: 8089}},
      paths: {mcp: '/tools', cliDiscovery: ['/client']},
      recognition: {versionName: 'acme-api', resourceNames: ['Acme']},
      cluster: {release: 'acme', routes: {observer: [{name: 'watch', namespace: 'acme'}]}, values: {port: 'a.b'}},
      cliClient: {clientId: 'acme-cli', scopes: ['openid']},
      assistantClient: {clientId: 'acme-ai', from: '1.0'},
      mcpServers: {controlPlane: 'acme'},
    };
    await config.saveContext({...whole, descriptor});
    expect((await config.read()).contexts).toEqual([{...whole, descriptor}]);
  });

  test('keeps every change of a company file, so that none of them is lost when the context is saved', () => {
    const membersOf = (schema: unknown, path: string): readonly string[] => {
      const {properties = {}} = schema as {readonly properties?: Readonly<Record<string, unknown>>};
      return Object.entries(properties).flatMap(([name, one]) => [
        `${path}${name}`,
        ...membersOf(one, `${path}${name}.`),
      ]);
    };
    const changes = membersOf(toJSONSchema(companySchema.shape.platform), '');
    const saved = configFormat.schema.properties.contexts.items.properties?.descriptor;
    const isSaved = (path: string) =>
      path.split('.').reduce<JsonSchema | undefined>((within, name) => {
        const {properties, additionalProperties} = within ?? {};
        return properties?.[name] ?? (additionalProperties === false ? undefined : {});
      }, saved) !== undefined;
    expect(changes.length).toBeGreaterThan(40);
    expect(changes.filter(path => !isSaved(path))).toEqual([]);
  });

  test.each([
    ['a layout that is not known', {layout: 'double'}],
    ['scopes that are none', {scopes: 'openid'}],
    ['a proxy that is not known', {network: {proxy: 'some'}}],
    ['an authority that is nowhere', {network: {authority: {}}}],
    ['an authority in no file', {network: {authority: {file: ''}}}],
    ['an authority without text', {network: {authority: {pem: 7}}}],
    ['a certificate without its key', {network: {clientCertificate: {certificate: '/c.pem'}}}],
    ['a key without its certificate', {network: {clientCertificate: {key: '/k.pem'}}}],
    ['a key that is no path', {network: {clientCertificate: {certificate: '/c.pem', key: ''}}}],
    ['entries that are no list', {entries: {}}],
    ['an entry without names', {entries: [{...whole.entries[0], names: undefined}]}],
    ['an entry whose names are no list', {entries: [{...whole.entries[0], names: 'acme'}]}],
    ['an entry without a path', {entries: [{...whole.entries[0], path: undefined}]}],
    ['an entry whose assistant is no name', {entries: [{...whole.entries[0], assistant: 7}]}],
    ['labels that are none', {descriptor: {labels: 'cp'}}],
    ['a label that is no text', {descriptor: {labels: {observer: 7}}}],
    ['routes that are no list', {descriptor: {cluster: {routes: {observer: 'watch'}}}}],
    ['a redirect URL that is none', {descriptor: {callbackUrl: 'back'}}],
    ['another file of a CLI', {descriptor: {ownCli: {name: 'sh', configPath: ['.bashrc']}}}],
    ['a resource that is no text', {resource: 7}],
    ['a redirect URL that is no text', {redirectUri: {}}],
    ['PKCE that is assumed in words', {assumesPkce: 'yes'}],
    ['an entry with a client that is no name', {entries: [{...whole.entries[0], oauthClient: 7}]}],
    ['an entry that was created in words', {entries: [{...whole.entries[0], created: 'yes'}]}],
    ['an entry with parts that are not known', {entries: [{...whole.entries[0], made: {kind: 'all'}}]}],
    ['a CLI with a former context that is no name', {cli: {...whole.cli, previous: 7}}],
    [
      'an account that asks for something unknown',
      {assistantsAccount: {signIn: 'mcp-client', clientId: 'a', asks: {prompt: 'none'}}},
    ],
    ['a CLI without a path', {cli: {...whole.cli, path: undefined}}],
    ['a CLI without a name', {cli: {...whole.cli, name: ''}}],
    ['a CLI with a list that is not known', {cli: {...whole.cli, added: ['users']}}],
    ['a CLI of which it is not known what was added', {cli: {...whole.cli, added: undefined}}],
  ])('with %s is refused with its place', async (_what, change) => {
    const {config} = await temporaryPorts();
    await writeFile(config.path, JSON.stringify({version: 1, contexts: [whole, {...whole, ...change}]}));
    const where = `contexts[1].${Object.keys(change)[0]}`;
    await expect(config.read()).rejects.toMatchObject({
      code: 'local-config-invalid',
      message: expect.stringContaining(where),
    });
  });

  test.each([
    ['cut off', '{"version":1,"contexts":[', 'it is not JSON (it ends too early)'],
    ['empty', '', 'it is not JSON (it ends too early)'],
    ['with a word', '{"version":1,\n "contexts": [oops]}', 'it is not JSON (line 2, column 15)'],
    ['of words', 'oops', 'it is not JSON (line 1, column 1)'],
    ['with a second value', '{}\n\n{}', 'it is not JSON (line 3, column 1)'],
    ['with a comma too many', '{"version":1,\n}', 'it is not JSON (line 2, column 1)'],
    ['with a line break in a text', '{"version":"1\n"}', 'it is not JSON (line 1, column 14)'],
    ['a list', '[]', 'its root is not an object'],
    ['null', 'null', 'its root is not an object'],
    [
      'of a later version',
      '{"version":2,"contexts":[]}',
      'its version is 2, so a newer version of this program wrote it',
    ],
    ['without contexts', '{"version":1}', 'contexts is missing'],
    [
      'with a context that lacks its URL',
      JSON.stringify({version: 1, contexts: [{...context, controlPlaneUrl: undefined}]}),
      'contexts[0].controlPlaneUrl is missing',
    ],
    [
      'with a URL that is none',
      JSON.stringify({version: 1, contexts: [{...context, authUrl: 'idp'}]}),
      'contexts[0].authUrl is not a URL with http:// or https://',
    ],
    [
      'with an address that lost its beginning',
      JSON.stringify({version: 1, contexts: [{...context, controlPlaneUrl: 'api.acme.localhost:8080'}]}),
      'contexts[0].controlPlaneUrl is not a URL with http:// or https://',
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

onUnix('a config that others can change is neither believed nor gone on with', async () => {
  const {config} = await temporaryPorts();
  await config.saveContext(context);
  await chmod(config.path, 0o666);
  const refused = {
    code: 'local-open-to-others',
    message: `Others on this machine can change ${config.path}, so nothing in it is used.`,
    remedy: expect.stringContaining(`chmod go-w ${config.path}`),
  };
  const before = await readFile(config.path);
  await expect(config.read()).rejects.toMatchObject(refused);
  await expect(config.saveContext({...context, name: 'other'})).rejects.toMatchObject(refused);
  expect(await readFile(config.path)).toEqual(before);
});
