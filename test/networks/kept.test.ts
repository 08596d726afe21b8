import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect} from 'vitest';
import {storeIn} from '../e2e/support/store.ts';
import {bridgeOf} from './support/bridge.ts';
import {testIn} from './support/describe-situations.ts';
import type {Told} from './support/platform.ts';
import {expectFailure, expectNoSecret, type Scene, sceneFor, setUp} from './support/run-situation.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

/** Sets everything up with a proxy, its password and an authority. Every variable is gone afterwards. */
const setUpBehindProxy = async () => {
  const scene = await sceneFor({
    ...{platform: {}, proxy: {kind: 'squid', password: true}, firewall: proxyOnly, trust: '--ca-file'},
    flags: ['--proxy', proxyUrls.withPassword('http')],
  });
  const {setup, flags, project} = scene;
  const args = ['--assistants', 'generic', '--method', 'bridge', '--scope', 'project', '--project', project];
  const ran = await setup(['--yes', '--json', ...flags, ...args]);
  expect(ran, ran.stdout).toMatchObject({code: 0, stderr: ''});
  expectNoSecret(scene, ran);
  return scene;
};

/** An environment with only a home, in another directory. */
const bare = ({home}: Scene) => ({env: {HOME: home}, cwd: '/'});
const bareFlags = ({setupHome}: Scene) => ['--setup-home', setupHome];

const isRenewal = ({type, method, host}: Told) => type === 'request' && method === 'POST' && host === 'idp.acme.test';

const expectRenewal = ({platform}: Scene, before: number) =>
  expect(platform?.told.slice(before).filter(isRenewal)).toHaveLength(1);

describe('the proxy and the authority of a deployment are kept', () => {
  testIn('for the entry of an assistant, and for the renewal of its token', ['squid'], async () => {
    const scene = await setUpBehindProxy();
    const text = readFileSync(join(scene.project, '.mcp.json'), 'utf8');
    expectNoSecret(scene, {code: 0, stdout: text, stderr: ''});
    const entries: readonly {command: string; args: readonly string[]}[] = Object.values(JSON.parse(text).mcpServers);
    const entry = entries.find(({args}) => args.includes('control-plane'));
    if (!entry) throw new Error(`There is no entry for the control plane: ${text}`);
    const {call, said} = await bridgeOf(scene, {...bare(scene), command: [entry.command, ...entry.args]});
    expect(await call()).toHaveProperty('result.content');

    storeIn(scene.setupHome).expireAll();
    const before = scene.platform?.told.length ?? 0;
    expect(await call()).toHaveProperty('result.content');
    expectRenewal(scene, before);
    expectNoSecret(scene, {code: 0, stdout: said(), stderr: ''});
  });

  testIn('for a token that has to be renewed', ['squid'], async () => {
    const scene = await setUpBehindProxy();
    storeIn(scene.setupHome).expireAll();
    const before = scene.platform?.told.length ?? 0;
    const {code, stdout, stderr} = await scene.setup(['token', ...bareFlags(scene)], bare(scene));
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expectRenewal(scene, before);
  });

  testIn('for the diagnosis, which finds nothing', ['squid'], async () => {
    const scene = await setUpBehindProxy();
    const ran = await scene.setup(['doctor', '--json', ...bareFlags(scene)], bare(scene));
    expectNoSecret(scene, ran);
    expect(ran, ran.stdout).toMatchObject({code: 0, stderr: ''});
  });

  testIn('the password in the file of the secrets only, which nobody else can read', ['squid'], async () => {
    const scene = await setUpBehindProxy();
    const {configPath, credentialsPath} = storeIn(scene.setupHome);
    expect(readFileSync(configPath, 'utf8')).toContain('proxy.corp.test:3128');
    expect(readFileSync(credentialsPath, 'utf8')).toMatch(/pass@word:of\/ann|pass%40word%3Aof%2Fann/);
  });

  testIn('and --proxy none takes it away again for one command', ['squid'], async () => {
    const scene = await setUpBehindProxy();
    storeIn(scene.setupHome).expireAll();
    const args = ['mcp', 'tools', 'control-plane', '--json', '--proxy', 'none', ...bareFlags(scene)];
    expectFailure(await scene.setup(args, bare(scene)), {
      code: 'network-failed',
      says: /https:\/\/(api|idp)\.acme\.test\b/,
      saysNot: /proxy\.corp\.test/,
    });
  });
});

describe('after everything was set up', () => {
  /** Sets up a signed-in person whose token has expired. */
  const signedIn = async () => {
    const scene = await sceneFor({platform: {}});
    expect(await setUp(scene)).toMatchObject({code: 0});
    storeIn(scene.setupHome).expireAll();
    if (!scene.platform) throw new Error('There is no platform.');
    return {...scene, platform: scene.platform};
  };

  testIn('a portal is named as such by a renewal, and does not end the sign-in', [], async () => {
    const scene = await signedIn();
    const {setup, platform} = scene;
    await platform.become({name: 'portal', answers: 'page-200'});
    const says = /\bidp\.acme\.test\b/;
    expectFailure(await setup(['mcp', 'tools', 'control-plane', '--json']), {code: 'network-portal', says});
    const {code, stdout, stderr} = await setup(['token']);
    expect({code, stdout, stderr}).toEqual({code: 3, stdout: '', stderr: expect.stringMatching(says)});
    await platform.become({name: 'as-it-is'});
    expect(await setup(['token'])).toMatchObject({code: 0, stderr: ''});
  });

  testIn('a portal is named as such to an assistant, whose next call works once it is gone', [], async () => {
    const scene = await sceneFor({platform: {}});
    expect(await setUp(scene)).toMatchObject({code: 0});
    const {call} = await bridgeOf(scene);
    await scene.platform?.become({name: 'portal', answers: 'redirect'});
    const failure = await call();
    expect(failure, JSON.stringify(failure)).toMatchObject({
      error: {message: expect.stringMatching(/\bportal\.hotel\.test\b/), data: {code: 'network-portal'}},
    });
    await scene.platform?.become({name: 'as-it-is'});
    expect(await call()).toHaveProperty('result.content');
  });

  testIn('a proxy that denies everything is what the diagnosis finds', ['squid'], async () => {
    const scene = await sceneFor({platform: {}, proxy: {kind: 'squid', denies: true}, firewall: proxyOnly});
    const ran = await scene.setup(['doctor', '--json', '--control-plane-url', 'https://api.acme.test'], {
      env: {...scene.env, HTTPS_PROXY: proxyUrls.http},
    });
    expect(ran.stdout).toMatch(/network-proxy-denied/);
    expect(ran.stdout).toMatch(/\bproxy\.corp\.test:3128\b/);
  });
});
