import {describe, expect, test} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {forgetProxyPasswords, keepNetwork, networkToKeep, takeNetwork} from '../../../src/flows/deployment/network.ts';
import {signOut} from '../../../src/flows/sign-out/sign-out.ts';
import {contextAt} from '../../support/context.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serve} from '../../support/server.ts';

const proxy = 'http://ann@proxy.example:3128';
const network = {proxy: {http: proxy, https: proxy}} as const;
const key = {issuer: proxy, clientId: 'proxy'};

/** Two people's accounts on a platform, behind the same proxy, whose password is kept. */
const behindProxy = async (shown = proxy) => {
  const issuer: string = await serve((request, response) =>
    json({issuer, token_endpoint: `${issuer}/t`})(request, response),
  );
  const ports = await temporaryPorts();
  const contexts = ['one', 'two'].map(
    (name): Context => ({...contextAt(issuer), name, clientId: name, network: {proxy: {http: shown, https: shown}}}),
  );
  await takeNetwork({settings: contexts[0]?.network ?? {}, passwords: {[shown]: 'the-word'}}, ports);
  for (const context of contexts) {
    await ports.credentials.replace(context, {issuer, clientId: context.clientId, accessToken: 'a'});
    await keepNetwork({...context, controlPlaneUrl: 'https://api.acme.example'}, ports);
  }
  const place = {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}} as const;
  const leave = (context: Context | undefined) =>
    collect(signOut({context: context ?? expect.fail(), assistants: [], place}, ports, noSignal));
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
    await takeNetwork({settings: network, passwords: {}}, ports, {[proxy]: 'of-the-shell'});
    expect(ports.route.passwords()).toEqual({[proxy]: 'the-word'});
    await takeNetwork({settings: network, passwords: {[proxy]: 'said'}}, ports, {[proxy]: 'of-the-shell'});
    expect(ports.route.passwords()).toEqual({[proxy]: 'said'});
  });

  test('stays while another context names the proxy', async () => {
    const {ports, contexts, word} = await behindProxy();
    await forgetProxyPasswords(contexts[0], contexts.slice(1), ports.credentials);
    expect(await word()).toBe('the-word');
    await forgetProxyPasswords(contexts[0], [], ports.credentials);
    expect(await word()).toBeUndefined();
  });
});

describe('what is kept of the way', () => {
  const authority = {file: '/ca.pem'};
  test.each([
    ['nothing on this machine', ['http://api.acme.localhost:8080'], {proxy: network.proxy, authority}, undefined],
    ['no authority where nothing speaks TLS', ['http://api.acme.example'], {authority}, undefined],
    ['an authority for an https proxy', ['http://api.acme.example'], {proxy: {http: 'https://p:443'}, authority}, true],
    ['everything where it is away and speaks TLS', ['https://api.acme.example'], {...network, authority}, true],
  ] as const)('%s', (_name, urls, settings, isWhole) => {
    expect(networkToKeep(urls, settings)).toEqual(isWhole ? settings : undefined);
  });
});
