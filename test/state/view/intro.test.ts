import {describe, expect, test} from 'vitest';
import type {Settings, WizardState} from '../../../src/state/model.ts';
import {stepOf} from '../../../src/state/steps.ts';
import {introOf as shownAt, viewOf} from '../../../src/state/view/view-of.ts';
import {contextAt} from '../../support/context.ts';
import {at} from '../../support/states.ts';

const introOf = (state: WizardState) => viewOf(state, 0).intro;

const having = (settings: Partial<Settings>): WizardState => ({
  ...at.deployment,
  settings: {...at.deployment.settings, ...settings},
});

describe('what is said first', () => {
  test('is what this does and that nothing changes unseen, until a platform is chosen', () => {
    const says = {
      text: expect.stringMatching(/^Finds your platform, .* You review every change to a file before it is made\.$/),
    };
    expect(introOf(at['find-deployment'])).toMatchObject(says);
    expect(introOf(at.deployment)).toMatchObject(says);
    expect(introOf(at['sign-in'])).toBeUndefined();
    // Later searches belong to the same stage.
    const accepted: WizardState = {...at.deployment, answers: {deploymentAccepted: true}};
    expect(shownAt(accepted, stepOf('deployment'))).toEqual({});
  });

  test('is said again after a failure, and not to somebody who has been here before', () => {
    const failure = {
      step: 'find-deployment',
      code: 'platform-not-found',
      whose: 'you',
      headline: 'It failed',
      message: '',
      remedy: '',
    } as const;
    expect(introOf({...at['find-deployment'], failure})).toBeDefined();
    expect(introOf(having({saved: contextAt('http://idp.acme.localhost:8080')}))).toBeUndefined();
    expect(introOf(having({unfinished: {baseDomain: 'acme.localhost'}}))).toBeUndefined();
    expect(introOf(having({login: true}))).toBeUndefined();
  });

  test.each([
    [undefined, []],
    [[], [['Assistants', 'none found']]],
    [['Cursor'], [['Assistants', 'Cursor']]],
    [['A', 'B', 'C', 'D', 'E'], [['Assistants', 'A, B, C, D, E']]],
    [['A', 'B', 'C', 'D', 'E', 'F'], [['Assistants', 'A, B, C, D and 2 more']]],
  ])('names the project, and the assistants that were seen: %j', (seen, rows) => {
    const state = {...at.deployment, ...(seen ? {seen} : {})};
    expect(introOf(state)?.found).toEqual([['Project', '~/project'], ...rows]);
  });

  test('of the demonstration is that it is one', () => {
    const {text, found} = introOf(having({demo: {directory: '/tmp/demo'}})) ?? expect.fail('Nothing is said.');
    expect(text).toContain('sandbox');
    expect(found).toEqual([]);
  });
});
