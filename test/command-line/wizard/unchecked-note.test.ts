import {expect, test} from 'vitest';
import {uncheckedNote} from '../../../src/command-line/wizard/unchecked-note.ts';
import type {Answers, WizardState} from '../../../src/state/model.ts';
import {at} from '../../support/states.ts';

type PlannedFiles = NonNullable<WizardState['facts']['plan']>['files'];

/** A run that ended after it had written these files, and before it had checked them. */
const leftAt = (resume: Answers['resume'], change: (files: PlannedFiles) => PlannedFiles): WizardState => {
  const {facts, answers} = at.verify;
  const plan = facts.plan ?? expect.fail();
  return {
    ...at.verify,
    answers: {...answers, ...(resume ? {resume} : {})},
    facts: {...facts, plan: {...plan, files: change(plan.files)}},
  };
};

const asPlanned = (files: PlannedFiles) => files;
const unchanged = (files: PlannedFiles) => files.map(file => ({...file, change: 'unchanged' as const}));
const ownAlone = (files: PlannedFiles) =>
  unchanged(files).map(file => ({...file, change: 'changed' as const, isOwn: true as const}));

test.each([undefined, 'anew', 'connect'] as const)('changes that were reviewed can be taken back (%s)', resume => {
  expect(uncheckedNote(leftAt(resume, asPlanned))).toMatch(/^Everything that you reviewed was written.* undo\.$/);
  expect(uncheckedNote(leftAt(resume, unchanged))).toBe(undefined);
});

test.each(['renew', 'sign-in'] as const)('a renewal was not reviewed, and is no run to undo (%s)', resume => {
  const note = uncheckedNote(leftAt(resume, asPlanned));
  expect(note).toContain('were renewed, but not checked');
  expect(note).not.toMatch(/review|undo/);
  expect(uncheckedNote(leftAt(resume, ownAlone))).toBe(undefined);
});

test('nothing is said of a run that has checked what it wrote, or has written nothing', () => {
  expect(uncheckedNote(at.done)).toBe(undefined);
  expect(uncheckedNote(at.review)).toBe(undefined);
});
