import {expect, test} from 'vitest';
import {contextAt} from '../../support/context.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup} from '../support/run.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

test('a sign-in whose renewals got no answer is left alone, until a person has it renewed', async () => {
  const {issuer, asked} = await tokenServer(rotating);
  const refused = {
    at: Date.now(),
    reason: 'Two attempts to renew the sign-in got no answer.',
    isUnanswered: true,
  } as const;
  const {store, options} = signedIn(issuer, {unanswered: 2, refused});
  store.putContexts([contextAt(issuer)], 'acme');
  const run = (...words: readonly string[]) => runSetup(words, options);

  expect((await run('status')).stdout).toContain(
    'Your sign-in is no longer renewed automatically. Two attempts to renew the sign-in got no answer. Try once more: npx setup token --renew --context acme',
  );
  expect(await run('token')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Try once more: npx setup token --renew --context acme'),
  });
  expect(asked).toEqual([]);

  expect(await run('token', '--renew')).toMatchObject({code: 0, stdout: 'access-1\n'});
  expect(store.only()).toMatchObject({refreshToken: 'refresh-1'});
  expect(store.only()).not.toHaveProperty('refused');
  expect((await run('status')).stdout).toContain('renewed when needed');
});

test('a check of what is connected says that the identity provider is down while the token is still good', async () => {
  const platform = await platformForTest();
  const {surroundings} = await connected(platform);
  await platform.raise(['idp-down']);
  const terminal = openSetup([], {env: surroundings.env, columns: 100});
  await choose(terminal, 'Check and renew');
  await reaches(terminal, 'done');
  const text = terminal.screen();
  expect(text).toContain('Everything works for now, but your sign-in can’t be renewed');
  expect(text).toContain(new URL(platform.ready.authUrl).host);
});

test('a renewal that failed is told by home, by doctor and by the check, which tries it again', async () => {
  const platform = await platformForTest();
  const {surroundings, run} = await connected(platform);
  await platform.raise(['idp-down']);
  expect(await run('token', '--renew')).toMatchObject({code: 3});
  expect((await run('doctor')).stdout).toMatch(/The last attempt to renew the sign-in failed:/);

  const terminal = openSetup([], {env: surroundings.env, columns: 100, rows: 40});
  await terminal.waitFor('The last attempt to renew the sign-in failed:');
  await choose(terminal, 'Check and renew');
  await reaches(terminal, 'done');
  expect(terminal.screen()).toContain('Everything works for now, but your sign-in can’t be renewed');

  await platform.mend(['idp-down']);
  const again = openSetup([], {env: surroundings.env, columns: 100, rows: 40});
  await choose(again, 'Check and renew');
  await reaches(again, 'done');
  expect(again.screen()).toContain('Everything works. Every entry is up to date.');
  expect((await run('doctor')).stdout).not.toContain('last attempt');
});
