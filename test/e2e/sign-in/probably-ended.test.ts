import {expect, test} from 'vitest';
import {contextAt} from '../../support/context.ts';
import {tokenServer} from '../../support/token-server.ts';
import {runSetup} from '../support/run.ts';
import {signedIn} from '../support/sign-in/signed-in.ts';

test('a sign-in whose renewal is refused without a reason has probably ended, and every command says so', async () => {
  const {issuer} = await tokenServer(() => ({status: 400, headers: {'Content-Type': 'text/plain'}, body: ''}));
  const {store, options} = signedIn(issuer);
  store.putContexts([contextAt(issuer)], 'acme');
  store.expireAll();
  const run = (...words: readonly string[]) => runSetup(words, options);

  expect(await run('token')).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/has probably ended: .*answered 400 without a reason\./),
  });
  const said = await run('status');
  expect(said.code).toBe(1);
  expect(said.stdout).toMatch(
    /Your sign-in has probably ended\. .*answered 400 without a reason\. Sign in again: npx setup login\./,
  );
  const doctor = await run('doctor');
  expect(doctor.code).not.toBe(0);
  expect(doctor.stdout).toContain('The sign-in has probably ended; its renewal was refused');
  expect(store.only()).toMatchObject({refreshToken: 'refresh-0'});
});
