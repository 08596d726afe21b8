import {expect, test} from 'vitest';
import {registryFiles} from '../../src/assistants/mcp-registry.ts';

const servers = ['acme-control-plane', 'acme-observability'].map(name => ({
  name,
  title: name,
  description: 'What runs where.',
  url: `https://api.acme.example/${name}`,
  args: ['mcp', 'serve', name],
}));

const files = registryFiles(servers, {
  package: {name: 'platform-setup', version: '1.2.3'},
  namespace: 'com.acme',
  at: '2026-11-23T08:00:00Z',
});

const answerTo = (path: string) => {
  const found = files.find(file => `/${file.path}` === `${path}/index.json`);
  return found && JSON.parse(found.text);
};

test('a registry lists each server once, by a name of a registry', () => {
  const {servers: listed, metadata} = answerTo('/v0.1/servers');
  const names = listed.map(({server}: {server: {name: string}}) => server.name);
  expect(names).toEqual(['com.acme/acme-control-plane', 'com.acme/acme-observability']);
  expect(metadata).toEqual({count: 2});
  for (const name of names) expect(name).toMatch(/^[\w.-]+\/[\w.-]+$/);
});

test('and finds it by this and by the name of its entry, in the version that there is', () => {
  for (const name of ['com.acme/acme-observability', 'acme-observability']) {
    const latest = answerTo(`/v0.1/servers/${name}/versions/latest`);
    expect(latest.server.name).toBe(name);
    expect(answerTo(`/v0.1/servers/${name}/versions/1.2.3`)).toEqual(latest);
    expect(answerTo(`/v0.1/servers/${name}/versions`).servers).toEqual([latest]);
  }
  expect(answerTo('/v0.1/servers/acme/versions/latest')).toBeUndefined();
});

test('a server is this program as the bridge to it, or its address', () => {
  const {server, _meta} = answerTo('/v0.1/servers/acme-control-plane/versions/latest');
  expect(server).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'acme-control-plane',
    title: 'acme-control-plane',
    description: 'What runs where.',
    version: '1.2.3',
    packages: [
      {
        registryType: 'npm',
        identifier: 'platform-setup',
        version: '1.2.3',
        runtimeHint: 'npx',
        transport: {type: 'stdio'},
        packageArguments: ['mcp', 'serve', 'acme-control-plane'].map(value => ({type: 'positional', value})),
      },
    ],
    remotes: [{type: 'streamable-http', url: 'https://api.acme.example/acme-control-plane'}],
  });
  expect(Object.keys(_meta)).toEqual(['io.modelcontextprotocol.registry/official']);
});

test('the document of each server stands by itself too', () => {
  const document = files.find(({path}) => path === 'servers/acme-control-plane.json');
  expect(JSON.parse(document?.text ?? '')).toEqual(answerTo('/v0.1/servers').servers[0].server);
});
