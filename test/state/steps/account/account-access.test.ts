import {expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {accountAccess} from '../../../../src/state/steps/account/account-access.ts';
import {at, atAccount} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

test.each([
  ['has expired while the person waited for a role is got anew', 0, 'new'],
  ['is still good is used', 3_600_000, 'first'],
])('a token of the account that %s', async (_, expiresAt, used) => {
  const {token} = at.check.facts;
  if (!token) throw new Error('A run that checks has a token.');
  const client = {clientId: 'mine_assistants', secret: new Secret('s')};
  const state = {
    ...atAccount['account-token'],
    facts: {
      ...atAccount['account-token'].facts,
      token,
      account: {client, token: {...token, access: new Secret('first'), expiresAt}},
    },
  };
  const access = new Secret('new');
  replaceFlows('sign-in/client-credentials.ts', {
    signInClient: {outcome: {client: {clientId: client.clientId, scopes: []}, token: {...token, access}}},
  });
  const asked = replaceFlows('platform-tools/account-access.ts', {checkAccount: {outcome: {}}});
  const {result} = await runStep(accountAccess, state);
  expect(asked.checkAccount).toMatchObject([{token: new Secret(used)}]);
  expect((asked.checkAccount[0] as {token: Secret}).token.reveal()).toBe(used);
  expect(result.account?.token?.access.reveal()).toBe(used === 'new' ? 'new' : undefined);
});
