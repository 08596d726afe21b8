import {expect, test} from 'vitest';
import {FIRST_VERSION_TIMEOUT} from '../../../../src/flows/time-limits.ts';
import {findAssistants} from '../../../../src/state/steps/assistants/find-assistants.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {at, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

const {settings} = at.assistants;

test('assistants are looked for once, unless it is about a sign-in, or about none of them', () => {
  expect(findAssistants.when(at.assistants)).toBe(true);
  expect(findAssistants.when({...at.assistants, settings: {...settings, login: true}})).toBe(false);
  const none = {assistants: [], scope: 'user', method: 'auto'} as const;
  expect(findAssistants.when({...at.assistants, initialAnswers: {connect: none}})).toBe(false);
  expect([findAssistants.done(at.check), findAssistants.done(at.assistants)]).toEqual([false, true]);
  expect(findAssistants.forgets).toEqual({answers: [], facts: ['found']});
  expect(findAssistants.pendingRows()).toMatchObject([
    {key: 'assistants', status: 'waiting', atMost: FIRST_VERSION_TIMEOUT},
  ]);
});

test('they are asked for their versions, but for the demonstration, which has nothing to do with this machine', async () => {
  const {found} = at.assistants.facts;
  const asked = replaceFlows('assistants/find-assistants.ts', {findAssistants: [{outcome: found}, {outcome: []}]});
  expect((await runStep(findAssistants, at.assistants)).result).toEqual({found});
  await runStep(findAssistants, {...at.assistants, settings: {...settings, demo: {directory: '/tmp/demo'}}});
  expect(asked.findAssistants).toMatchObject([
    {
      assistants: settings.assistants,
      place: settings.place,
      commands: true,
      urls: [`${deployment.controlPlaneUrl}/mcp`, `${deployment.observerUrl}/mcp`],
    },
    {commands: false},
  ]);
});

test('that there is none', () => {
  expect(toRow({type: 'no-assistant-found'}, settings)).toMatchObject({status: 'none', value: 'none found'});
  expect(toLine({type: 'no-assistant-found'}, {place: {home: ''}})).toBe('No assistant was found here');
});

test('what is told', () => {
  const found = {type: 'assistant-found', id: 'cursor', name: 'Cursor'};
  const events = [found, {...found, version: '1.2'}] as never[];
  expect(events.map(event => toRow(event, settings))).toMatchObject([
    {key: 'assistant cursor', status: 'ok', label: 'Cursor', value: ''},
    {value: '1.2'},
  ]);
  expect(events.map(event => toLine(event, {place: {home: ''}}))).toEqual([
    'Cursor is here',
    'Cursor is here, version 1.2',
  ]);
});
