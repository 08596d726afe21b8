import {expect, test} from 'vitest';
import {keyBytes} from '../../support/terminal/terminal-keys.ts';
import {demoDirectory, readDemo} from '../support/files.ts';
import {expectWithout} from '../support/secrets.ts';
import {goTo, openSetup, reaches} from '../support/wizard.ts';

test('Esc goes back from the sign-in to the deployment, and Enter forward again', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'sign-in');
  terminal.press('esc');
  await reaches(terminal, 'deployment');
  expect(terminal.screen()).not.toContain('Create an MCP client');
  terminal.press('enter');
  await reaches(terminal, 'sign-in');
});

test('arrows move the choice', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'sign-in');
  terminal.press('down');
  await terminal.waitFor('❯ Use an MCP client');
  terminal.press('up');
  await terminal.waitFor('❯ Create an MCP client');
});

test('? lists the keys of the screen, and Esc closes the list', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'sign-in');
  terminal.press('?');
  const keys = await terminal.waitFor('leave at once');
  for (const name of [/^ +enter +continue$/m, /^ +esc +back$/m, /^ +e +calls$/m]) expect(keys).toMatch(name);
  expect(keys).not.toContain('Create an MCP client');
  terminal.press('esc');
  await reaches(terminal, 'sign-in');
});

test('e shows the calls as curl lines without their secrets, and Esc closes them', async () => {
  const terminal = openSetup(['demo'], {columns: 120, rows: 100});
  await goTo(terminal, 'review');
  terminal.press('e');
  await terminal.waitFor(/curl .*\$ACCESS_TOKEN/);
  terminal.press('esc');
  await reaches(terminal, 'review');
  terminal.press('enter');
  await reaches(terminal, 'done');
  terminal.press('e');
  await terminal.waitFor(/curl .*\/mcp/);

  const {token, clientSecret} = readDemo(demoDirectory(terminal.temporary));
  expectWithout(terminal.raw(), token, clientSecret);
});

test('a terminal that changes its width is drawn again', async () => {
  const terminal = openSetup(['demo']);
  const wide = (await goTo(terminal, 'deployment')).trim();
  terminal.resize(40, 30);
  await terminal.waitFor('1 of 5: Deployment');
  terminal.resize(100, 30);
  // Remains of the narrow frame, as the terminal wrapped it, may stand above; the frame is whole again.
  await terminal.waitFor(wide);
  terminal.press('enter');
  await reaches(terminal, 'sign-in');
});

test('keys that come all at once count one by one', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'sign-in');
  // A held key or a slow line delivers several keys in one read.
  terminal.press(`${keyBytes('down')}${keyBytes('down')}`);
  await terminal.waitFor('❯ With a service account');
  terminal.press(`${keyBytes('up')}${keyBytes('up')}${keyBytes('enter')}`);
  await terminal.waitFor('created just now');
});

test('letters that come all at once count one by one too', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'sign-in');
  terminal.press('jj');
  await terminal.waitFor('❯ With a service account');
});
