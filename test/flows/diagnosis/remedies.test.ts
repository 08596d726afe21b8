import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {afterEach, describe, expect, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {scopesNeedResources} from '../../support/release.ts';
import {columnsOfTable} from '../../support/tables.ts';
import {worded} from '../../support/worded.ts';
import {type Scene, sceneOf, type Who} from './scene.ts';

/** The steps that a person takes about a failure, by the words of its remedy. */
const steps = {
  tellOperators: {says: /operators|administrator|platform team/, take: ({sandbox}: Scene) => sandbox.mend()},
  // By then the burst that kept the server busy is over.
  wait: {
    says: /Wait \d+ s, as the server asks\. Then try again\./,
    async take({sandbox, wait}: Scene) {
      await sandbox.mend();
      await wait();
    },
  },
  // The sandbox is the program that holds the port.
  endProgram: {says: /Stop that program/, take: ({sandbox}: Scene) => sandbox.mend(['port-taken'])},
  setClock: {says: /Correct this computer’s clock/, take: async ({setClock}: Scene) => setClock(-90 * 60_000)},
  trust: {
    says: /--ca-file/,
    take: async ({sandbox}: Scene) =>
      setDefaultCACertificates([...getCACertificates('default'), sandbox.ready.authority ?? '']),
  },
  signIn: {says: /[Ss]ign in again: npx setup login( --context acme)?\./, take: ({signIn}: Scene) => signIn()},
} as const;

type Step = keyof typeof steps;

const authorities = getCACertificates('default');

afterEach(() => setDefaultCACertificates(authorities));

/**
 * Sets up a sandbox with this fault. A person has signed in before the fault began, and the token has expired since.
 */
const sceneWith = async (who: Who, fault: FaultName) => {
  const isSecure = fault === 'self-signed' || fault === 'expired-certificate';
  const scene = await sceneOf(who, isSecure ? ['self-signed'] : []);
  if (who !== 'nobody') {
    if (isSecure) await steps.trust.take(scene);
    await scene.signIn();
    await scene.expire();
    setDefaultCACertificates(authorities);
  }
  await scene.sandbox.raise([fault]);
  return scene;
};

const take = async (scene: Scene, id: string, taken: readonly Step[]) => {
  const [first] = (await scene.diagnose()).failed;
  expect(first?.id).toBe(id);
  for (const step of taken) {
    expect(first?.remedy).toMatch(steps[step].says);
    await steps[step].take(scene);
  }
};

/** Takes each step, if the remedy names it, and checks that nothing fails afterwards. */
const follow = async (scene: Scene, id: string, taken: readonly Step[]) => {
  await take(scene, id, taken);
  const {failed, outcomes} = await scene.diagnose();
  expect(failed).toEqual([]);
  expect(outcomes.find(one => one.id === id)?.verdict).toMatch(/pass|warning/);
};

const everybody = ['nobody', 'person', 'client'] as const;
const people = ['nobody', 'person'] as const;
const signedIn = ['person', 'client'] as const;

/** Each fault, for whom it shows, the first failed check, and the steps against it. */
const remedies: readonly (readonly [FaultName, readonly Who[], id: string, readonly Step[]])[] = [
  ['idp-down', everybody, 'discovery', ['tellOperators']],
  ['control-plane-503', everybody, 'health-control-plane', ['tellOperators']],
  ['observer-missing', everybody, 'tcp-observer', ['tellOperators']],
  ['self-signed', everybody, 'tls-control-plane', ['trust']],
  ['clock-ahead', ['nobody'], 'clock', ['tellOperators']],
  ['clock-ahead', signedIn, 'clock', ['tellOperators']],
  // A person's ID token is checked by the clock of the process, which the sandbox shares.
  ['clock-ahead', ['client'], 'clock', ['setClock']],
  ['idp-html', everybody, 'discovery', ['tellOperators']],
  ['wrong-issuer', everybody, 'issuer', ['tellOperators']],
  ['no-pkce', people, 'grants', ['tellOperators']],
  ['unknown-client', ['nobody'], 'redirect-url', ['tellOperators']],
  ['missing-redirect', people, 'redirect-url', ['tellOperators']],
  ['port-taken', people, 'callback-port', ['endProgram']],
  ['no-refresh', ['person'], 'token', ['tellOperators']],
  ['refresh-refused', ['person'], 'token', ['tellOperators', 'signIn']],
  ['opaque-tokens', signedIn, 'claims', ['tellOperators', 'signIn']],
  ['wrong-audience', signedIn, 'claims', ['tellOperators', 'signIn']],
  ['mcp-html', everybody, 'challenge-control-plane', ['tellOperators']],
  ['mcp-401', signedIn, 'mcp-control-plane', ['tellOperators']],
  ['mcp-403', signedIn, 'mcp-control-plane', ['tellOperators']],
  ['idp-busy', signedIn, 'token', ['wait']],
  ['lost-answer', signedIn, 'token', ['tellOperators']],
  ['mcp-busy', everybody, 'challenge-control-plane', ['wait']],
];

describe('what the first failing check says to do makes it pass', () => {
  const table = remedies.flatMap(([fault, who, id, taken], row) =>
    columnsOfTable(who, row).map(one => [fault, one, id, taken] as const),
  );
  test.each(table)('%s, %s', async (fault, who, id, taken) => {
    await follow(await sceneWith(who, fault), id, taken);
  });

  test.each(everybody)('expired-certificate, %s: a renewed one has still to be trusted', async who => {
    const scene = await sceneWith(who, 'expired-certificate');
    await take(scene, 'tls-control-plane', ['tellOperators']);
    await follow(scene, 'tls-control-plane', ['trust']);
  });

  test('unknown-client, a person whose renewal was refused meanwhile: the sign-in has to be got back', async () => {
    const scene = await sceneWith('person', 'unknown-client');
    await take(scene, 'redirect-url', ['tellOperators']);
    await follow(scene, 'sign-in', ['signIn']);
  });

  test('no-refresh, a person who has signed in with it: warned as long as the token lasts', async () => {
    const scene = await sceneOf('person', ['no-refresh']);
    await scene.signIn();
    const {failed, warned} = await scene.diagnose();
    expect(failed).toEqual([]);
    expect(warned.find(({id}) => id === 'sign-in')?.remedy).toMatch(steps.tellOperators.says);
    await scene.expire();
    await follow(scene, 'sign-in', ['tellOperators', 'signIn']);
  });

  test.each(signedIn)('missing-scope, %s: a sign-in that asks for it is enough', async who => {
    const scene = await sceneWith(who, 'missing-scope');
    const [first] = (await scene.diagnose()).failed;
    expect(first).toMatchObject({
      id: 'mcp-control-plane',
      code: 'auth-scope-missing',
      sentence: expect.stringMatching(
        who === 'client' ? /platform:mcp, but the token names none/ : /platform:mcp, but the token has openid profile/,
      ),
    });
    const [, scopes = ''] = /npx setup login --context acme --scopes "([^"]+)"\.$/.exec(first?.remedy ?? '') ?? [];
    const again = scene.signIn({scopes: scopes.split(' ')});
    if (who === 'client' && scopesNeedResources) {
      // A client's scope belongs to a resource there, and the server is not registered as one.
      await expect(worded(again)).rejects.toMatchObject({
        code: 'auth-resource-refused',
        remedy: expect.stringMatching(/operators .*Register .* as a resource server/),
      });
      return;
    }
    await again;
    expect((await scene.diagnose()).failed).toEqual([]);
  });

  test('old-control-plane is a warning', async () => {
    const scene = await sceneWith('client', 'old-control-plane');
    const versions = async () => (await scene.diagnose()).warned.find(({id}) => id === 'versions');
    expect((await versions())?.remedy).toMatch(steps.tellOperators.says);
    await scene.sandbox.mend();
    expect(await versions()).toBeUndefined();
  });
});

test('a sign-in that was refused a moment ago was refused just now', async () => {
  const scene = await sceneWith('person', 'refresh-refused');
  await scene.diagnose();
  const [first] = (await scene.diagnose()).failed;
  expect(first).toMatchObject({id: 'sign-in', sentence: expect.stringMatching(/^The renewal was refused just now: /)});
  expect(first?.remedy).toContain('npx setup login --context acme.');
});

test('a clock that is wrong costs nobody the sign-in', async () => {
  const scene = await sceneWith('person', 'clock-ahead');
  await scene.diagnose();
  await scene.sandbox.mend();
  await scene.expire();
  expect((await scene.diagnose()).failed).toEqual([]);
});
