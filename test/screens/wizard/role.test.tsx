import {describe, expect, test, vi} from 'vitest';
import {App} from '../../../src/screens/wizard/app.tsx';
import type {WizardState} from '../../../src/state/model.ts';
import {render} from '../../support/render.tsx';
import {readToEnd} from '../../support/scrolled.ts';
import {standing} from '../../support/standing-wizard.ts';
import {screens} from '../screens.ts';

const [known] = screens['an account without a role'] ?? expect.fail('There is no such screen.');
const block = known.failure?.block ?? expect.fail('It has lines to be copied.');
const lines = block.split('\n').map(line => line.trim());

const show = (size: {columns: number; rows: number}) =>
  render(<App wizard={standing(known)} send={() => {}} now={() => 0} />, size);

describe('an account without a role', () => {
  test.each([
    {columns: 100, rows: 30},
    {columns: 100, rows: 34},
    {columns: 80, rows: 40},
  ])('shows the role binding where there is room, at $columns x $rows', async size => {
    const {frame, shows} = show(size);
    await shows('❯ Wait for the role');
    const shown = frame().split('\n');
    expect(shown.map(line => line.trim())).toEqual(expect.arrayContaining(lines));
    expect(frame()).not.toMatch(/more lines?/);
  });

  test.each([
    {columns: 100, rows: 24},
    {columns: 80, rows: 24},
    {columns: 60, rows: 24},
    {columns: 40, rows: 20},
  ])('names the key that prints it elsewhere, at $columns x $rows', async size => {
    const screen = show(size);
    await screen.shows('❯ Wait for the role');
    expect((await readToEnd(screen)).replaceAll(/\s+/g, ' ')).toContain('Press p to print the lines to apply.');
    expect(screen.frame()).toContain('p print, to copy');
  });
});

describe('the wait for a role', () => {
  const missing = {message: 'You have no role.', remedy: 'Ask an administrator to apply this role binding.', block};
  const {failure: _, ...state} = known;
  const waiting: WizardState = {
    ...state,
    answers: {...state.answers, role: 'wait'},
    progressOf: 'check',
    progress: [{type: 'role-awaited', until: 60_000, missing}],
  };
  const show = (size: {columns: number; rows: number}) =>
    render(<App wizard={standing(waiting)} send={() => {}} now={() => 0} />, size);

  test('shows the role binding where there is room', async () => {
    const {frame, shows} = show({columns: 100, rows: 40});
    await shows('waiting for a role…');
    expect(
      frame()
        .split('\n')
        .map(line => line.trim()),
    ).toEqual(expect.arrayContaining(lines));
  });

  test.each([
    {columns: 100, rows: 24},
    {columns: 60, rows: 20},
    {columns: 40, rows: 20},
  ])('names the key that prints it elsewhere, at $columns x $rows', async size => {
    const screen = show(size);
    await screen.shows('p print, to copy');
    expect((await readToEnd(screen)).replaceAll(/\s+/g, ' ')).toContain('Press p to print the lines to apply.');
    screen.press('p');
    await vi.waitFor(() => expect(screen.written()).toContain(`\n${block}\n`));
  });
});
