import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {
  forgetProxyPasswords,
  keepNetwork,
  keepProxyPasswords,
  networkToKeep,
  portsWith,
  urlsOf,
} from '../../../src/flows/deployment/context-network.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

const proxy = 'http://ann@proxy.example:3128';
const network = {proxy: {http: proxy, https: proxy}} as const;
const key = {issuer: proxy, clientId: 'proxy'};

/** Sets up two accounts on a platform behind the same proxy, whose password is saved. */
const behindProxy = async (shown = proxy) => {
  const issuer: string = await serve((request, response) =>
    json({issuer, token_endpoint: `${issuer}/t`})(request, response),
  );
  const base = await temporaryPorts();
  const contexts = ['one', 'two'].map(
    (name): Context => ({...contextAt(issuer), name, clientId: name, network: {proxy: {http: shown, https: shown}}}),
  );
  const ports = await portsWith({settings: contexts[0]?.network ?? {}, passwords: {[shown]: 'the-word'}}, base);
  for (const context of contexts) {
    await ports.credentials.replace(context, {issuer, clientId: context.clientId, accessToken: 'a'});
    await keepNetwork({...context, controlPlaneUrl: 'https://api.acme.example'}, ports);
  }
  const place = {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}} as const;
  const leave = (context: Context | undefined) =>
    collect(signOut, {context: context ?? expect.fail(), assistants: [], place}, ports);
  const word = async () => (await ports.credentials.get({...key, issuer: shown}))?.clientSecret;
  return {ports, contexts: (await ports.config.read()).contexts, leave, word};
};

describe('the password of a proxy', () => {
  test.each([proxy, 'http://proxy.example:3128'])('%s leaves with the last who is signed in', async shown => {
    const {contexts, leave, word} = await behindProxy(shown);
    expect(await word()).toBe('the-word');
    await leave(contexts[0]);
    expect(await word()).toBe('the-word');
    await leave(contexts[1]);
    expect(await word()).toBeUndefined();
  });

  test('is the kept one before that of a shell, and the said one before both', async () => {
    const {ports} = await behindProxy();
    const kept = await portsWith({settings: network, passwords: {}}, ports, {[proxy]: 'of-the-shell'});
    expect(kept.route.passwords).toEqual({[proxy]: 'the-word'});
    const said = {settings: network, passwords: {[proxy]: 'said'}};
    expect((await portsWith(said, ports, {[proxy]: 'of-the-shell'})).route.passwords).toEqual({[proxy]: 'said'});
  });

  test('stays while another context names the proxy', async () => {
    const {ports, contexts, word} = await behindProxy();
    await forgetProxyPasswords(contexts[0], contexts.slice(1), ports.credentials);
    expect(await word()).toBe('the-word');
    await forgetProxyPasswords(contexts[0], [], ports.credentials);
    expect(await word()).toBeUndefined();
  });
});

describe('a proxy that a context does not name any more', () => {
  const other = 'http://ann@other.example:3128';
  const through = (name: string, ...[http]: readonly string[]): Context => ({
    ...contextAt('https://idp.acme.example'),
    name,
    ...(http === undefined ? {} : {network: {proxy: {http}}}),
  });
  const acme = through('acme', proxy);

  test.each([
    ['loses its password', through('acme', other), [acme], undefined],
    ['loses it with the last one', through('acme'), [through('beta', other), acme], undefined],
    ['keeps it where another context names it', through('acme', other), [acme, through('beta', proxy)], 'the-word'],
    ['keeps it where it is another context’s alone', through('beta', other), [acme], 'the-word'],
    ['keeps it where it is named still', acme, [acme], 'the-word'],
  ])('%s', async (_what, context, before, expected) => {
    const ports = await temporaryPorts();
    await ports.credentials.replace(key, {...key, clientSecret: 'the-word'});
    await keepProxyPasswords(context, before, ports);
    expect((await ports.credentials.get(key))?.clientSecret).toBe(expected);
    expect(await ports.credentials.get({...key, issuer: other})).toBeUndefined();
  });

  test.each([
    ['is not looked for again where nothing is kept', async () => undefined, 0],
    ['is forgotten also where nobody can read whether something is', () => Promise.reject(new Error('No.')), 1],
  ])('%s', async (_what, get, times) => {
    const {credentials} = await temporaryPorts();
    const forgotten: unknown[] = [];
    const replace = async (...what: readonly unknown[]) => void forgotten.push(what);
    await forgetProxyPasswords(acme, [], {...credentials, get, replace});
    expect(forgotten).toEqual(Array.from({length: times}, () => [key, undefined]));
  });
});

test('the password of a shell is taken where none is kept', async () => {
  const ports = await temporaryPorts();
  const {route} = await portsWith({settings: network, passwords: {}}, ports, {[proxy]: 'of-the-shell'});
  expect(route.passwords).toEqual({[proxy]: 'of-the-shell'});
});

test('the addresses of a deployment have an observer’s where there is one', () => {
  const {observerUrl: _, ...without} = {...contextAt('https://acme.example'), observerUrl: ''};
  expect(urlsOf(without)).toEqual(['https://acme.example', 'https://acme.example']);
  expect(urlsOf({...without, observerUrl: 'https://observer.example'})).toContain('https://observer.example');
});

describe('what is kept of the way', () => {
  const authority = {file: '/ca.pem'};
  const clientCertificate = {certificate: '/me.pem', key: '/me.key'};
  test.each([
    ['nothing on this machine', ['http://api.acme.localhost:8080'], {proxy: network.proxy, authority}, undefined],
    ['no authority where nothing speaks TLS', ['http://api.acme.example'], {authority}, undefined],
    ['an authority for an https proxy', ['http://api.acme.example'], {proxy: {http: 'https://p:443'}, authority}, true],
    ['no certificate of ours where nothing speaks TLS', ['http://api.acme.example'], {clientCertificate}, undefined],
    ['a certificate of ours where it does', ['https://api.acme.example'], {clientCertificate}, true],
    ['all of it where one address speaks TLS', ['http://a.example', 'https://b.example'], {authority}, true],
    ['an authority for a proxy of one kind', ['http://a.example'], {proxy: {https: 'https://p:443'}, authority}, true],
    ['no authority for a proxy without TLS', ['http://localhost'], {...network, authority}, undefined],
    ['everything where it is away and speaks TLS', ['https://api.acme.example'], {...network, authority}, true],
  ] as const)('%s', (_name, urls, settings, isWhole) => {
    expect(networkToKeep(urls, settings)).toEqual(isWhole ? settings : undefined);
  });
});
