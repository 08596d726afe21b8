import {describe, expect, test} from 'vitest';
import {runHeadless} from '../../../src/command-line/wizard/headless.ts';
import {Secret} from '../../../src/domain/secret.ts';
import type {WizardState} from '../../../src/state/model.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {at} from '../../support/states.ts';

/** Returns what a run without a terminal asks for in this state. */
const asked = async (state: WizardState, isTerminal = false, yes = true) => {
  const options = {yes, signal: noSignal, tell: () => {}, isTerminal};
  const running = runHeadless(state, await temporaryPorts(), options);
  return running.catch(error => error);
};

test('a question without an answer is told with the values that its flag takes', async () => {
  const state = at['sign-in'];
  const unseen = {...state, settings: {...state.settings, isUnseen: true as const}};
  expect(await asked(unseen)).toMatchObject({
    message: 'Standard input or output is not a terminal, so I can’t ask.',
    code: 'input-required',
    remedy: 'Pass --sign-in browser|service-account|mcp-client|create-mcp-client, or run in a terminal.',
    about: {flag: 'sign-in'},
  });
});

test('at a terminal the flag is named that keeps it from being asked', async () => {
  const state = at['sign-in'];
  const unseen = {...state, settings: {...state.settings, isUnseen: true as const}};
  expect(await asked(unseen, true)).toMatchObject({
    message: 'This needs an answer, but --yes and --json forbid questions.',
    remedy: expect.stringMatching(/^Pass --sign-in .*, or leave that flag out\.$/),
  });
});

test('what was passed is not asked for again', async () => {
  const {client} = at;
  expect(await asked(client)).toMatchObject({
    remedy: 'Pass --client-id ID and --client-secret-stdin, or run in a terminal.',
    about: {flag: 'client-id'},
  });
  expect(await asked({...client, answers: {...client.answers, clientId: 'ci'}})).toMatchObject({
    remedy: 'Pass --client-secret-stdin, or run in a terminal.',
    about: {flag: 'client-secret-stdin'},
  });
  const settings = {...client.settings, clientSecret: new Secret('a-secret')};
  expect(await asked({...client, settings})).toMatchObject({remedy: 'Pass --client-id ID, or run in a terminal.'});
});

describe('without --yes', () => {
  const signIn = at['sign-in'];
  const unseen = {...signIn, settings: {...signIn.settings, isUnseen: true as const}};

  test('the first question names it too, because nothing would be written', async () => {
    expect(await asked(unseen, false, false)).toMatchObject({
      remedy: 'Pass --yes and --sign-in browser|service-account|mcp-client|create-mcp-client, or run in a terminal.',
    });
    const login = {...unseen, settings: {...unseen.settings, login: true as const}};
    expect(await asked(login, false, false)).toMatchObject({remedy: expect.stringMatching(/^Pass --sign-in \S+, or/)});
  });

  test.each(['browser', 'create-mcp-client'] as const)('nobody signs in by %s for what is not written', async way => {
    const refused = {
      code: 'input-required',
      message: expect.stringContaining('would be lost'),
      remedy: 'Pass --yes to write without a review, or run in a terminal.',
      about: {flag: 'yes'},
    };
    const byFlag = {...unseen, answers: {...unseen.answers, signIn: way}};
    expect(await asked(byFlag, false, false)).toMatchObject(refused);
    const byDefault = {...unseen, settings: {...unseen.settings, suggested: way}};
    expect(await asked(byDefault, false, false)).toMatchObject(refused);
  });
});
