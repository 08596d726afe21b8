import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {Token} from '../../../src/domain/tokens.ts';
import {withName} from '../../../src/flows/sign-in/person-name.ts';
import {noSignal} from '../../support/flows.ts';
import {type Answer, jsonAnswer, mockedPorts, textAnswer} from '../../support/mocked-ports.ts';

const bySubject: Token = {
  ...{account: '248289761001', subject: '248289761001', fingerprint: 'abc', renewable: true},
  access: new Secret('canary'),
};

type Setting = {
  readonly token?: Token;
  readonly answer?: Answer | 'never';
  /** The userinfo endpoint, given the address of the server. */
  readonly at?: (own: string) => string | undefined;
  readonly issuer?: string;
};

/**
 * Returns the account of a token after the identity provider was asked for a name, and the tokens that it was asked
 * with.
 */
const accountAfter = async ({token = bySubject, answer, at = own => `${own}/userinfo`, issuer}: Setting = {}) => {
  const {ports, answer: setUp} = await mockedPorts();
  const asked: (string | null)[] = [];
  const own = 'http://127.0.0.1:8081';
  const usual = jsonAnswer({sub: token.subject, preferred_username: 'ann'});
  if (answer !== 'never') setUp(`${own}/userinfo`, answer ?? usual, asked);
  const metadata = {issuer: issuer ?? own, userinfo_endpoint: at(own)};
  const client = {configuration: {serverMetadata: () => metadata}} as never;
  const run = {ports, signal: noSignal, tell: () => {}};
  return {account: (await withName(token, client, run)).account, asked};
};

describe('who is known by a subject alone', () => {
  test('is called as the UserInfo endpoint has it, which is asked once', async () => {
    expect(await accountAfter()).toEqual({account: 'ann', asked: ['Bearer canary']});
  });

  test.each<[string, Answer]>([
    ['of somebody else', jsonAnswer({sub: 'another', preferred_username: 'eve'})],
    ['of nobody', jsonAnswer({preferred_username: 'eve'})],
    ['without a name', jsonAnswer({sub: bySubject.subject})],
    ['that is a page', textAnswer('<html>', 200, 'text/html')],
    ['that refuses', textAnswer('', 401)],
    ['that fails', textAnswer('', 500)],
  ])('stays so by an answer %s', async (_what, answer) => {
    expect((await accountAfter({answer})).account).toBe(bySubject.subject);
  });
});

test.each<[string, Setting]>([
  ['there is a name already', {token: {...bySubject, account: 'ann@acme.example'}}],
  ['there is no ID token to compare it with', {token: {...bySubject, subject: undefined} as never}],
  ['there is no such endpoint', {at: () => undefined}],
  ['it is at another host', {issuer: 'http://idp.acme.example'}],
  ['it would go without TLS', {issuer: 'https://127.0.0.1'}],
])('no token is sent where %s', async (_why, setting) => {
  const {account, asked} = await accountAfter({...setting, answer: 'never'});
  expect(asked).toEqual([]);
  expect(account).toBe(setting.token?.account ?? bySubject.account);
});
