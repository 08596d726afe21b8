import {readFileSync} from 'node:fs';
import {Ajv2020} from 'ajv/dist/2020.js';
import {describe, expect, test} from 'vitest';
import {companySchemaText} from '../../scripts/company-schema.ts';
import {checkBelongs, judgeCompany} from '../../src/platform/company-file.ts';
import {openchoreo} from '../../src/platform/platforms.ts';

const acme = {
  schemaVersion: 1,
  name: 'Acme Platform',
  baseDomain: 'acme.example',
  extends: 'openchoreo',
  contact: '#platform',
  documentation: [{title: 'Handbook', url: 'https://docs.acme.example/start'}],
  minimumVersion: '0.1.0',
  platform: {
    labels: {'control-plane': 'cp', observer: 'watch'},
    ports: {observer: {single: 9090}},
    paths: {token: '/oauth2/other'},
    cliClient: {clientId: 'acme-cli'},
    callbackUrl: 'http://127.0.0.1:9999/back',
  },
  defaults: {assistants: ['cursor'], scope: 'project', tools: 'build', signIn: 'browser'},
};

const faultsOf = async (json: unknown, version = '0.1.0') => {
  const judged = await judgeCompany(json, version);
  return 'faults' in judged ? judged.faults.map(({code, path}) => `${path}: ${code}`) : [];
};

describe('a company file', () => {
  test('changes of its kind of platform what it names, and nothing else', async () => {
    const judged = await judgeCompany(acme, '0.1.0');
    if (!('company' in judged)) throw new Error('It has no fault.');
    const {platform, ...said} = judged.company;
    expect(said).toEqual({
      name: 'Acme Platform',
      baseDomain: 'acme.example',
      contact: '#platform',
      documentation: acme.documentation,
      minimumVersion: '0.1.0',
      defaults: acme.defaults,
    });
    const {changes, ...rest} = platform;
    expect(changes).toEqual({name: 'Acme Platform', localBaseDomain: 'acme.example', ...acme.platform});
    expect(rest).toEqual({
      ...openchoreo,
      name: 'Acme Platform',
      localBaseDomain: 'acme.example',
      labels: {'control-plane': 'cp', 'identity-provider': 'thunder', observer: 'watch'},
      ports: {gateway: 8080, observer: {single: 9090, multi: 11087}},
      paths: {...openchoreo.paths, token: '/oauth2/other'},
      cliClient: {...openchoreo.cliClient, clientId: 'acme-cli'},
      callbackUrl: 'http://127.0.0.1:9999/back',
    });
  });

  test.each([
    ['the same name', {controlPlane: 'acme', observability: 'acme'}],
    ['names that some assistants cannot tell apart', {controlPlane: 'acme.dev', observability: 'acme-dev'}],
    ['a name that differs in a sign at its end alone', {controlPlane: 'acme', observability: 'acme.'}],
    ['the name that the other has already', {observability: openchoreo.mcpServers.controlPlane}],
  ])('cannot give both servers %s', async (_what, mcpServers) => {
    const judged = await judgeCompany({...acme, platform: {mcpServers}}, '0.1.0');
    expect(judged).toMatchObject({
      faults: [
        {
          code: 'input-company-file-field',
          path: 'platform.mcpServers',
          sentence: expect.stringMatching(/^gives both servers the same name in assistants \(.+\): choose names/),
        },
      ],
    });
  });

  test('can give them names of which one begins like the other', async () => {
    const mcpServers = {controlPlane: 'acme', observability: 'acme-telemetry'};
    expect(await faultsOf({...acme, platform: {mcpServers}})).toEqual([]);
  });

  test('needs a name, a base domain and a kind, and no more', async () => {
    const {schemaVersion, name, baseDomain, extends: kind} = acme;
    expect(await faultsOf({schemaVersion, name, baseDomain, extends: kind})).toEqual([]);
    expect(await faultsOf({schemaVersion})).toEqual(
      ['name', 'baseDomain', 'extends'].map(path => `${path}: input-company-file-field`),
    );
  });

  test.each([
    ['a field that nobody knows', {colour: 'red'}, 'colour: input-company-file-field'],
    ['one deep within', {platform: {labels: {gateway: 'x'}}}, 'platform.labels.gateway: input-company-file-field'],
    ['a port that is text', {platform: {ports: {gateway: '80'}}}, 'platform.ports.gateway: input-company-file-field'],
    ['a port that is none', {platform: {ports: {gateway: 70_000}}}, 'platform.ports.gateway: input-company-file-field'],
    ['another list of releases', {platform: {releases: []}}, 'platform.releases: input-company-file-field'],
    [
      'a file in the home directory',
      {platform: {ownCli: {name: 'sh', configPath: ['.bashrc']}}},
      'platform.ownCli: input-company-file-field',
    ],
    ['a name with an escape sequence', {name: 'a\u001B[2Jb'}, 'name: input-company-file-field'],
    ['a name that turns the text around', {name: 'a\u202Eb'}, 'name: input-company-file-field'],
    [
      'a label that ends the host',
      {platform: {labels: {observer: 'evil.example/'}}},
      'platform.labels.observer: input-company-file-field',
    ],
    [
      'a label with a user before the host',
      {platform: {labels: {observer: 'a@b'}}},
      'platform.labels.observer: input-company-file-field',
    ],
    [
      'a path that is another host',
      {platform: {paths: {mcp: '//evil.example/mcp'}}},
      'platform.paths.mcp: input-company-file-field',
    ],
    [
      'one with a backslash',
      {platform: {paths: {mcp: '/\\evil.example'}}},
      'platform.paths.mcp: input-company-file-field',
    ],
    [
      'an option for helm',
      {platform: {cluster: {release: '--kubeconfig=x'}}},
      'platform.cluster.release: input-company-file-field',
    ],
    [
      'an option for kubectl',
      {platform: {cluster: {namespace: '-A'}}},
      'platform.cluster.namespace: input-company-file-field',
    ],
    [
      'a host elsewhere',
      {documentation: [{title: 'x', url: 'https://evil.example/'}]},
      'documentation.0.url: input-company-file-host',
    ],
    [
      'one that ends alike',
      {documentation: [{title: 'x', url: 'https://evilacme.example/'}]},
      'documentation.0.url: input-company-file-host',
    ],
    ['one in a sentence', {contact: 'see https://evil.example now'}, 'contact: input-company-file-host'],
    [
      'a redirect elsewhere',
      {platform: {callbackUrl: 'https://evil.example/'}},
      'platform.callbackUrl: input-company-file-host',
    ],
    [
      'plain http',
      {documentation: [{title: 'x', url: 'http://docs.acme.example/'}]},
      'documentation.0.url: input-company-file-host',
    ],
    ['a secret', {contact: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln'}, 'contact: input-company-file-secret'],
    ['a key', {contact: '-----BEGIN PRIVATE KEY-----'}, 'contact: input-company-file-secret'],
  ])('is refused for %s', async (_what, change, fault) => {
    expect(await faultsOf({...acme, ...change})).toEqual([fault]);
  });

  test.each([['clientSecret'], ['adminPassword'], ['accessToken'], ['api_key']])(
    'is refused for a field that is called %s, without repeating it',
    async key => {
      const judged = await judgeCompany({...acme, platform: {cliClient: {[key]: 'canary'}}}, '0.1.0');
      expect(JSON.stringify(judged)).not.toContain('canary');
      expect(judged).toMatchObject({
        faults: expect.arrayContaining([
          {code: 'input-company-file-secret', path: `platform.cliClient.${key}`, sentence: 'has the name of a secret'},
        ]),
      });
    },
  );

  test.each([
    [{minimumVersion: '0.2.0'}, '0.10.0', []],
    [{minimumVersion: '0.2.0'}, '0.2.0', []],
    [{minimumVersion: '0.10.0'}, '0.9.9', ['minimumVersion: input-company-file-version']],
    [{minimumVersion: '1.0.0', unheardOf: 1}, '0.9.9', ['minimumVersion: input-company-file-version']],
    [{schemaVersion: 2, unheardOf: 1}, '0.1.0', ['schemaVersion: input-company-file-version']],
  ])('%j with %s has the faults %j', async (change, version, faults) => {
    expect(await faultsOf({...acme, ...change}, version)).toEqual(faults);
  });

  test('may name this machine where a browser returns to, and plain http below localhost', async () => {
    const local = {...acme, baseDomain: 'acme.localhost'};
    const documentation = [{title: 'x', url: 'http://docs.acme.localhost/'}];
    expect(await faultsOf({...local, documentation})).toEqual([]);
    expect(await faultsOf({...local, documentation: [{title: 'x', url: 'http://127.0.0.1/'}]})).toEqual([
      'documentation.0.url: input-company-file-host',
    ]);
  });

  test.each([[null], ['text'], [[]], [7]])('%j is none', async json => {
    expect(await faultsOf(json)).not.toEqual([]);
  });

  test('counts for its own base domain', async () => {
    const judged = await judgeCompany(acme, '0.1.0');
    if (!('company' in judged)) throw new Error('It has no fault.');
    const {company} = judged;
    expect(() => checkBelongs(company, {name: 'acme.example', port: 8443}, 'it')).not.toThrow();
    expect(() => checkBelongs(company, {name: 'other.example'}, 'it')).toThrow(
      expect.objectContaining({code: 'input-company-file-elsewhere'}),
    );
  });
});

describe('the published schema', () => {
  const path = new URL('../../docs/platform-setup.schema.json', import.meta.url);

  test('is the one that files are validated with; npm run docs company-schema writes it', () => {
    expect(readFileSync(path, 'utf8')).toBe(companySchemaText());
  });

  test('can be read by another validator, which judges alike', () => {
    const validate = new Ajv2020({strict: false, logger: false}).compile(JSON.parse(readFileSync(path, 'utf8')));
    expect(validate(acme), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({...acme, platform: {labels: {gateway: 'x'}}})).toBe(false);
    expect(validate({...acme, name: 'a\u001Bb'})).toBe(false);
  });
});
