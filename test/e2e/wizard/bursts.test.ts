import {setTimeout as pause} from 'node:timers/promises';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {signInAt} from '../../support/browser.ts';
import {keyBytes} from '../../support/terminal/terminal-keys.ts';
import {screenCells} from '../../support/terminal/terminal-runs.ts';
import {platformForTest} from '../support/platform.ts';
import {expectRestored} from '../support/restored.ts';
import {waitForBrowser} from '../support/sign-in/sign-in.ts';
import {goTo, openSetup, reaches, toReview} from '../support/wizard.ts';

const [up, down, enter] = [keyBytes('up'), keyBytes('down'), keyBytes('enter')];

/**
 * The pause between two parts of a key's sequence, in milliseconds: enough for two reads. A longer one could reach the
 * 100 ms after which Esc is a key on a busy machine; `key-stream.test.ts` tests that limit by its own clock.
 */
const SLOW = 5;

const opened = async (...args: Parameters<typeof openSetup>) => {
  const terminal = openSetup(...args);
  await goTo(terminal, 'sign-in');
  return terminal;
};

/** Opens the field for another base domain, and empties it. */
const atField = async (options: Parameters<typeof openSetup>[1] = {}) => {
  const terminal = openSetup(['demo'], options);
  await goTo(terminal, 'deployment');
  terminal.press('3');
  await terminal.waitFor('Base domain, or any address');
  terminal.press('\x15');
  return terminal;
};

describe('keys of one read', () => {
  // The selection begins at the second row. The demonstration knows each way to sign in, so Enter completes it.
  test.each([
    ['two letters and Enter', `jj${enter}`, 'as service_account'],
    ['arrows, a letter and Enter', `${down}${down}${up}j${enter}`, 'as service_account'],
    ['a letter that is no key, and Enter', `x${enter}`, 'created just now'],
    ['a number and Enter', `3${enter}`, 'as sandbox_mcp_client'],
  ])('%s count one after the other', async (_name, keys, signedIn) => {
    const terminal = await opened(['demo']);
    terminal.press(keys);
    await terminal.waitFor(signedIn);
  });

  test('so do a letter, and 2 ms later another one, and Enter', async () => {
    const terminal = await opened(['demo']);
    for (const key of ['j', 'j', enter]) {
      terminal.press(key);
      await pause(2);
    }
    await terminal.waitFor('as service_account');
  });

  test('name, Tab, secret and Enter are a password manager’s, and the secret is on no screen', async () => {
    const {flags} = await platformForTest();
    const terminal = openSetup(['--sign-in', 'service-account', ...flags]);
    await reaches(terminal, 'deployment');
    terminal.press('enter');
    await terminal.waitFor('Client secret');
    terminal.press('nobody\tcanary-s3cret\r');
    // There is no such client: the input was sent as typed.
    await terminal.waitFor('refused the client ID or the secret of nobody');
    expect(terminal.raw()).not.toContain('canary');
  });

  test('editing keys count in the middle of text', async () => {
    const terminal = await atField();
    terminal.press('one two three\x17\x17\x01zero \x05!');
    await terminal.waitFor('❯ zero one !');
    terminal.press('\x15http://api.acme\x1bb\x1b\x7fx.\x1b[1;5C\x1b[Hy\x1bd\x1b[P');
    await terminal.waitFor('❯ y//x.acme');
  });
});

describe('what is cut in two by a slow line', () => {
  test.each([
    ['an arrow', ['\x1b', '[B'], '❯ Use an MCP client'],
    ['an arrow, within', ['\x1b[', 'B'], '❯ Use an MCP client'],
    ['End', ['\x1b', '[', 'F'], '❯ With a service account'],
  ])('%s is no Esc', async (_name, pieces, shows) => {
    const terminal = await opened(['demo']);
    for (const piece of pieces) {
      terminal.press(piece);
      await pause(SLOW);
    }
    expect(await terminal.waitFor(shows)).not.toContain('Use this deployment');
  });

  test('Esc alone goes back', async () => {
    const terminal = await opened(['demo']);
    terminal.press('esc');
    await reaches(terminal, 'deployment');
  });
});

describe('a paste', () => {
  test('on a list is nothing, however much it looks like keys', async () => {
    const terminal = await opened(['demo']);
    terminal.press('\x1b[200~3\r\x1b[201~', 'down');
    await terminal.waitFor('❯ Use an MCP client');
  });

  test('whose end never comes gives the keys back', async () => {
    const terminal = await atField();
    terminal.press('\x1b[200~half of');
    await terminal.waitFor('❯ half of');
    terminal.press(' it');
    await terminal.waitFor('❯ half of it');
  });

  test('whose end never comes is left by Ctrl-C', async () => {
    const terminal = await atField();
    terminal.press('\x1b[200~half of');
    terminal.press('ctrl-c');
    expect(await terminal.exit).toBe(130);
    expectRestored(terminal);
  });

  test.each([
    ['a bracketed paste', (text: string) => `\x1b[200~${text}\x1b[201~`],
    ['a plain one', (text: string) => text],
  ])('of 100 kB is one row, and a key behind it costs no more than any: %s', async (_name, sent) => {
    const terminal = await atField();
    terminal.press(sent('漢字 and emoji 👍 '.repeat(4_000)));
    terminal.press('the end');
    const screen = await terminal.waitFor(/❯ ….*the end/);
    const row = screen.split('\n').find(line => line.includes('the end')) ?? '';
    expect(stringWidth(row)).toBeLessThan(100);
    const before = terminal.raw().length;
    terminal.press('x');
    await terminal.waitFor('the endx');
    expect(terminal.raw().length - before).toBeLessThan(400);
  });

  test('of the address that the browser ended on is taken by the screen that waits', async () => {
    const {terminal, url} = await waitForBrowser(await platformForTest());
    terminal.press('\x1b[200~http://127.0.0.1/?code=1&state=other\x1b[201~');
    await terminal.waitFor('neither the address from your browser');
    await terminal.waitFor('❯ http://127.0.0.1/?code=1&state=other');
    const answer = await signInAt(url);
    terminal.press(`\x1b[200~${answer.href}\x1b[201~`, 'enter');
    await toReview(terminal);
  });

  test('of the right address is all there is to do', async () => {
    const {terminal, url} = await waitForBrowser(await platformForTest());
    const answer = await signInAt(url);
    terminal.press(`\x1b[200~${answer.href}\r\x1b[201~`);
    await toReview(terminal);
  });
});

test('answers of the terminal and reports of the mouse are no text', async () => {
  const terminal = await atField();
  terminal.press(
    'a\x1b[?62;22c\x1b[24;80R\x1b[I\x1b[M !!b\x1b[<0;3;3M\x1b]11;rgb:ffff/ffff/ffff\x07\x1bP>|XTerm(380)\x1b\\c',
  );
  await terminal.waitFor('❯ abc');
});

describe('the cursor', () => {
  /** Returns the field's row, with the character under the cursor in brackets. */
  const field = (terminal: Awaited<ReturnType<typeof atField>>) => {
    const row = screenCells(terminal.emulator).find(cells => cells.some(({style}) => style.inverse)) ?? [];
    return row.map(({text, style}) => (style.inverse ? `[${text}]` : text)).join('');
  };

  test.each([
    ['an emoji', 'a👍b', 2, 'a[👍]'],
    ['a sign of two columns', 'a漢b', 2, 'a[漢]'],
    ['an accent of its own', 'ae\u0301b', 2, 'a[e\u0301]'],
  ])('stands on %s', async (_name, text, lefts, shown) => {
    const terminal = await atField();
    terminal.press(text, ...Array<string>(lefts).fill('\x1b[D'));
    await terminal.until('The cursor', () => (field(terminal).includes(shown) ? true : undefined));
    terminal.press('\x1b[3~');
    await terminal.until('The cursor', () => (field(terminal).includes('a[b]') ? true : undefined));
  });

  test.each([
    ['NO_COLOR', {NO_COLOR: '1'}, 'a▏bc'],
    ['NO_COLOR and ASCII', {NO_COLOR: '1', LANG: 'C'}, 'a|bc'],
  ])('is seen with %s', async (_name, env, shown) => {
    const terminal = await atField({env});
    terminal.press('abc', '\x1b[D', '\x1b[D');
    await terminal.waitFor(shown);
  });
});
