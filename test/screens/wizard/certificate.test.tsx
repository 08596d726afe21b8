import {describe, expect, test, vi} from 'vitest';
import {App} from '../../../src/screens/wizard/app.tsx';
import type {Failure, WizardState} from '../../../src/state/model.ts';
import {render} from '../../support/render.tsx';
import {readToEnd} from '../../support/scrolled.ts';
import {standing} from '../../support/standing-wizard.ts';
import {at} from '../../support/states.ts';
import {screens} from '../screens.ts';

const [known] = screens['a certificate nobody signed'] ?? expect.fail('There is no such screen.');
const fingerprint = Array.from({length: 32}, (_, index) => (index + 160).toString(16).toUpperCase()).join(':');

/** Returns the state with the question about a certificate of this name. */
const having = (name: string): WizardState => {
  const block = `Signed by ${name}\nSHA-256 ${fingerprint}\nValid until 2030-01-01`;
  const failure = {
    ...known.failure,
    block,
    remedy: 'Compare the fingerprint with the one that the platform’s operators give you.',
  };
  return {...known, failure: failure as Failure};
};

const show = (state: WizardState, size: {columns: number; rows: number}) => {
  const wizard = standing(state);
  return {...render(<App wizard={wizard} send={() => {}} now={() => 0} />, size), wizard};
};

const TRUST = 'Trust it for this platform';

/** Returns the screen without line breaks. */
const joined = (frame: string) => frame.replaceAll(/\s+/g, '');

const sizes = [
  {columns: 40, rows: 12},
  {columns: 40, rows: 20},
  {columns: 60, rows: 20},
  {columns: 80, rows: 24},
  {columns: 100, rows: 30},
];

describe.each(sizes)('who is asked to trust a certificate, at $columns x $rows', size => {
  test('sees who signed it, its fingerprint and how long it is valid before all else', async () => {
    const screen = show(having('Acme Root CA'), size);
    await screen.shows('❯ Quit');
    const read = joined(await readToEnd(screen));
    for (const word of ['SignedbyAcmeRootCA', 'Validuntil2030-01-01']) expect(read).toContain(word);
    for (const part of fingerprint.match(/.{2}/g) ?? []) expect(read).toContain(part);
    expect(read.indexOf('SignedbyAcmeRootCA')).toBeLessThan(read.indexOf('couldnotbetrusted'));
  });

  test('cannot choose to as long as a part of it was not on the screen', async () => {
    // Characters of two columns take more rows than the length of the text suggests.
    const {frame, shows, press, wizard} = show(having(`${'証明書'.repeat(size.columns)} END`), size);
    await shows('❯ Quit');
    await shows(/\d+ more lines \(space\)/);
    expect(frame()).not.toContain(TRUST);
    press('1');
    await shows('❯ Trust it (first read on: space)');
    press('enter');
    const offered = wizard.dispatch.mock.calls.map(([event]) => JSON.stringify(event));
    expect(offered.filter(event => event.includes('authority'))).toEqual([]);
  });

  test('cannot choose to while lines are hidden, however long the text is', async () => {
    // At some lengths everything fits until the choices have their final words.
    const wrong: string[] = [];
    for (let length = 1; length <= 3 * size.columns; length += 5) {
      const {frame, shows, unmount} = show(having('x '.repeat(length)), size);
      await shows('❯ Quit');
      if (/more lines? \(/.test(frame()) && frame().includes(TRUST)) wrong.push(`${length}: ${frame()}`);
      unmount();
    }
    expect(wrong).toEqual([]);
  });

  test('can once all of it was, and stands where they stood', async () => {
    const screen = show(having(`${'a long name '.repeat(size.columns / 4)}END`), size);
    await screen.shows('❯ Quit');
    await readToEnd(screen);
    await screen.shows('❯ Quit');
    screen.press('\u001B[B');
    await screen.shows(`❯ ${TRUST}`);
  });
});

test('a failure that is said to be none of trust has its choices at once', async () => {
  const {shows} = show(
    {...at.check, failure: {...(known.failure as Failure), untrusted: undefined as never}},
    {columns: 80, rows: 24},
  );
  await shows('Try again');
});

test('a path that is refused is still there after the way back', async () => {
  const {shows, press} = show(having('Acme Root CA'), {columns: 100, rows: 30});
  await shows('❯ Quit');
  press('2');
  await shows('Path of the file');
  press('ca.pem');
  await shows('❯ ca.pem');
  press('enter');
  await shows('Enter the full path.');
  press('esc');
  await shows('Do you trust this authority?');
  press('2');
  await shows('❯ ca.pem');
});

test('the right path of an authority, pasted over the wrong one, replaces it', async () => {
  const state = {...having('Acme Root CA'), takenBack: {authority: {file: '/wrong.pem'}}};
  const {shows, press, wizard} = show(state, {columns: 100, rows: 30});
  await shows('❯ Quit');
  press('2');
  await shows(/❯ \/wrong.pem *\n/);
  press('\u001B[200~/right.pem\u001B[201~');
  await shows(/❯ \/right.pem *\n/);
  press('enter');
  await vi.waitFor(() =>
    expect(wizard.dispatch.mock.calls).toEqual([[{type: 'answered', answers: {authority: {file: '/right.pem'}}}]]),
  );
});
