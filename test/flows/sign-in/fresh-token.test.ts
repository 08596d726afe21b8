import {expect, test} from 'vitest';
import {type ErrorCode, SetupError} from '../../../src/errors/errors.ts';
import {quietRun} from '../../../src/flows/flow.ts';
import {renewing} from '../../../src/flows/sign-in/fresh-token.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';

/** Works with a saved token that has not expired, at a server that answers each token as the test says. */
const work = async (answer: (token: string) => ErrorCode | 'done') => {
  const {issuer, asked} = await tokenServer(rotating);
  const ports = await temporaryPorts();
  const context = contextAt(issuer);
  const now = Date.now();
  const times = {obtainedAt: now, expiresAt: now + 3_600_000};
  const {clientId} = context;
  const kept = {issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0', ...times};
  await ports.credentials.replace(context, kept);
  const used: string[] = [];
  const atServer = async (token: string) => {
    used.push(token);
    const code = answer(token);
    if (code !== 'done') throw new SetupError(code, `The server answered ${code}.`);
    return token;
  };
  return {used, asked, result: renewing(context, atServer, quietRun(ports, noSignal))};
};

test('a token that a server refuses is renewed, and the work begins anew', async () => {
  const {used, result} = await work(token => (token === 'access-0' ? 'auth-token-refused' : 'done'));
  expect(await result).toBe('access-1');
  expect(used).toEqual(['access-0', 'access-1']);
});

test('a token that is taken stays', async () => {
  const {asked, result} = await work(() => 'done');
  expect(await result).toBe('access-0');
  expect(asked).toEqual([]);
});

test('a renewed token that is refused as well is not renewed again', async () => {
  const {used, asked, result} = await work(() => 'auth-token-refused');
  await expect(result).rejects.toMatchObject({code: 'auth-token-refused'});
  expect(used).toEqual(['access-0', 'access-1']);
  expect(asked).toHaveLength(1);
});

test('another failure renews nothing', async () => {
  const {used, asked, result} = await work(() => 'platform-error');
  await expect(result).rejects.toMatchObject({code: 'platform-error'});
  expect([used, asked]).toEqual([['access-0'], []]);
});
