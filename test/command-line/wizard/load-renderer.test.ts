import {expect, test} from 'vitest';
import {loadRenderer} from '../../../src/command-line/wizard/run-wizard.ts';

test.each([
  ['screens', {}],
  ['lines', {accessible: true}],
])('what draws the wizard as %s is imported once, however often it is asked for', async (_what, flags) => {
  const ahead = loadRenderer({flags, env: {}});
  expect(loadRenderer({flags, env: {}})).toBe(ahead);
  expect(await ahead).toBeTypeOf('function');
});

test('screens and lines are not the same', async () => {
  const [screens, lines] = [{}, {accessible: true}].map(flags => loadRenderer({flags, env: {}}));
  expect(await screens).not.toBe(await lines);
});
