import {expect, test} from 'vitest';
import {clientOf} from '../../support/platform.ts';
import {platformForTest} from '../support/platform.ts';
import {startSetup, surroundingsForTest} from '../support/run.ts';
import {addressFrom, signInAndReturn} from '../support/sign-in/sign-in.ts';

/** Starts a platform whose tokens last two seconds. `renewed` settles once the identity provider has issued two. */
const shortLived = async () => {
  const {promise: renewed, resolve} = Promise.withResolvers<void>();
  let count = 0;
  const platform = await platformForTest({
    release: '1.2',
    accessTokenLifetime: 2,
    inFront: {
      'identity-provider': handler => (request, response) => {
        if (request.url === '/oauth2/token') count += 1;
        if (count === 2) resolve();
        return handler(request, response);
      },
    },
  });
  return {...platform, renewed};
};

test.each(['a person', 'a client'])('a token of %s that expires while setup waits for a role is renewed', async who => {
  const {ready, flags, bind, renewed} = await shortLived();
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const isPerson = who === 'a person';
  const signIn = isPerson
    ? ['--sign-in', 'browser', '--no-browser']
    : ['--sign-in', 'service-account', '--client-id', clientId, '--client-secret-stdin'];
  const run = startSetup(['--yes', ...flags, ...signIn, '--assistants', 'generic', '--role', 'wait'], {
    surroundings: surroundingsForTest(),
    stdin: `${secret}\n`,
  });
  if (isPerson) await signInAndReturn(await addressFrom(run));
  await run.prints(/Waiting for a role for up to a minute\./);
  await renewed;
  bind(isPerson ? {claim: 'groups', value: 'developers'} : {claim: 'sub', value: clientId});
  const {code, stderr} = await run.ended;
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
});
