import {expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import {keptClient} from '../../../../src/state/steps/sign-in/kept-client.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

test('a client of an earlier run is looked for where one would be created, by its name', () => {
  expect([keptClient.when(at.admin), keptClient.when(at.client)]).toEqual([true, false]);
  expect(keptClient.done(at.admin)).toBe(true);
  expect(keptClient.done({...at.admin, answers: {...at.admin.answers, clientId: 'other'}})).toBe(false);
  expect(keptClient.done({...at.admin, facts: {deployment}})).toBe(false);
  expect(keptClient.forgets).toEqual({answers: [], facts: ['keptClient', 'client']});
});

test('what is kept of it is known from then on', async () => {
  const client = {clientId: 'mcp_client', secret: new Secret('kept')};
  const asked = replaceFlows('sign-in/create-client.ts', {
    findSavedClient: [
      {outcome: client},
      {outcome: undefined},
      {outcome: client},
      {outcome: undefined},
      {outcome: undefined},
      {outcome: client},
    ],
  });
  expect((await runStep(keptClient, at.admin)).result).toEqual({
    keptClient: {clientId: 'mcp_client', isKept: true},
    client,
  });
  // A client that an earlier version created is used, and not created again under another name.
  const own = {...at.admin, settings: {...at.admin.settings, ownClientId: 'mcp_client_ann_build'}};
  expect((await runStep(keptClient, own)).result).toEqual({
    keptClient: {clientId: 'mcp_client_ann_build', isKept: true},
    client,
  });
  expect((await runStep(keptClient, at.admin)).result).toStrictEqual({
    keptClient: {clientId: 'mcp_client', isKept: false},
  });
  // The account of the assistants has a client of its own, whatever the person's is called.
  const theirs = {...own, settings: {...own.settings, isAccount: true as const}};
  const before = asked.findSavedClient.length;
  await runStep(keptClient, theirs);
  expect(asked.findSavedClient.slice(before)).toEqual([{issuer: deployment.issuer, clientId: 'mcp_client_ann_build'}]);
  // A person whose kept secret was refused creates a client anew.
  expect((await runStep(keptClient, {...at.admin, refusedSecrets: [new Secret('kept')]})).result).toStrictEqual({
    keptClient: {clientId: 'mcp_client', isKept: false},
  });
  expect(asked.findSavedClient[0]).toEqual({issuer: deployment.issuer, clientId: 'mcp_client'});
});
