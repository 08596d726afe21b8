import {describe, expect, test} from 'vitest';
import type {WizardState} from '../../../../src/state/model.ts';
import {write} from '../../../../src/state/steps/review/write.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {at} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

test('what was planned is written once', () => {
  expect(write.when(at.write)).toBe(true);
  expect(write.when({...at.write, settings: {...at.write.settings, login: true}})).toBe(false);
  expect([write.done(at.write), write.done(at.verify)]).toEqual([false, true]);
  expect(write.forgets).toEqual({answers: [], facts: ['written']});
  const failure = {step: 'write', code: 'local-file-changed', whose: 'you', message: '', remedy: ''} as const;
  expect(write.recovery(at.write, failure).offers[0]?.label).toBe('Review the changes again');
});

describe('what is written', () => {
  const writing = async (state: WizardState) => {
    const flows = replaceFlows('assistants/write-files.ts', {writeFiles: {outcome: {paths: ['/x']}}});
    const {result} = await runStep(write, state);
    return {result, input: flows.writeFiles[0]};
  };

  test('is the plan, and the sign-in with it', async () => {
    const {result, input} = await writing(at.write);
    expect(result).toEqual({written: {paths: ['/x']}});
    expect(input).toMatchObject({
      plan: at.write.facts.plan,
      context: 'acme',
      signIn: {context: {name: 'acme'}, token: at.write.facts.token},
    });
  });

  test('is the plan alone where the sign-in is kept already', async () => {
    const login = {...at.write, settings: {...at.write.settings, login: true}};
    expect((await writing(login)).input).not.toHaveProperty('signIn');
    const connecting = {...at.write, answers: {...at.write.answers, resume: 'connect'}} as const;
    expect((await writing(connecting)).input).not.toHaveProperty('signIn');
  });

  test('is the file of the platform’s own CLI, after the others', async () => {
    const plannedCli = {name: 'acme'} as never;
    const asked = replaceFlows('own-cli/write-own-cli.ts', {writeOwnCli: {outcome: '/cli'}});
    const {result} = await writing({...at.write, facts: {...at.write.facts, plannedCli}});
    expect(result).toEqual({written: {paths: ['/x', '/cli']}});
    expect(asked.writeOwnCli).toEqual([{context: 'acme', planned: plannedCli}]);
  });

  test('is nothing before it is planned', async () => {
    await expect(runStep(write, at.assistants)).rejects.toThrow('Nothing is written before it is planned.');
  });
});

test('what is told', () => {
  const event = {type: 'file-written', path: '/home/ann/x', change: 'changed'} as const;
  expect(toRow(event, at.write.settings)).toEqual({
    ...{key: 'file /home/ann/x', status: 'ok', label: 'Written', value: '~/x'},
  });
  expect(toLine(event, {place: {home: '/home/ann'}})).toBe('Written: ~/x');
  expect(toLine({...event, change: 'unchanged'}, {place: {home: '/home/ann'}})).toBe('Unchanged: ~/x');
  const demo = {place: {home: '/demo/home'}, demo: {directory: '/demo'}};
  expect(toLine({...event, path: '/demo/home/x'}, demo)).toBe('Written: home/x');
});
