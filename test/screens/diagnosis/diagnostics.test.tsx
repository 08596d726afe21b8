import {describe, expect, test, vi} from 'vitest';
import type {Outcome} from '../../../src/domain/finding.ts';
import {fixDescriptions} from '../../../src/flows/diagnosis/fix-says.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {Diagnostics} from '../../../src/screens/diagnosis/diagnostics.tsx';
import type {DiagnosisRun, DiagnosisState} from '../../../src/state/diagnosis/diagnosis-run.ts';
import {render, widths} from '../../support/render.tsx';

const outcomes: readonly Outcome[] = [
  {id: 'node', title: 'Node and this program', verdict: 'pass', saw: 'Node 24.21.0', ms: 0},
  {
    id: 'clock',
    title: 'Clock',
    verdict: 'warning',
    saw: '41 s ahead',
    sentence: 'This machine’s clock is ahead.',
    remedy: 'Set it.',
    ms: 3,
  },
  {
    id: 'sign-in',
    title: 'Sign-in',
    verdict: 'fail',
    saw: 'Refused 2 min ago by http://idp.acme.localhost:8080: invalid_grant.',
    sentence: 'Refused 2 min ago by http://idp.acme.localhost:8080: invalid_grant.',
    remedy: 'Sign in again: npx setup login.',
    code: 'auth-sign-in-required',
    fix: 'sign-in',
    ms: 12,
  },
  {id: 'token', title: 'Access token', verdict: 'skipped', saw: 'skipped: needs “Sign-in”', because: 'sign-in', ms: 0},
  {
    id: 'credentials',
    title: 'Stored secrets',
    verdict: 'warning',
    saw: 'mode 644',
    sentence: 'Others can read your tokens.',
    remedy: 'Close it.',
    fix: 'tighten',
    ms: 1,
  },
];

const show = (size: {columns?: number; rows?: number} = {}, change: Partial<DiagnosisState> = {}) => {
  let state: DiagnosisState = {
    subject: {
      platform: bundled,
      controlPlaneUrl: 'http://api.acme.localhost:8080',
      authUrl: 'http://idp.acme.localhost:8080',
      issuer: 'http://idp.acme.localhost:8080',
    },
    checks: outcomes.map(({id, title}) => ({id, title})),
    outcomes: Object.fromEntries(outcomes.map(outcome => [outcome.id, outcome])),
    isRunning: false,
    calls: [
      {call: 1, answer: {result: '200', failed: false, ms: 4, curl: 'curl http://api.acme.localhost:8080/health'}},
    ],
    ...change,
  };
  const listeners = new Set<() => void>();
  const run = {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run: vi.fn(async () => {}),
    fix: vi.fn(async () => {}),
    save: vi.fn(async () => {}),
    trySave: vi.fn(async () => {
      state = {...state, notice: 'The report is in report.md.'};
      for (const listener of listeners) listener();
    }),
    stop: vi.fn(),
  } satisfies DiagnosisRun;
  const screen = render(<Diagnostics run={run} reportPath="report.md" fixDescriptions={fixDescriptions} />, size);
  return {...screen, run};
};

describe.each(widths)('at %d columns', columns => {
  test('it begins on the first failure, with what to do about it, and fits', async () => {
    const {frame, shows} = show({columns});
    await shows('What to do:');
    const text = frame().replaceAll(/\s+/g, ' ');
    expect(text).toContain('1 pass 2 warn 1 fail 1 skipped');
    expect(text).toMatch(/❯ ✖ Sign-in/);
    expect(text).toContain('invalid_grant');
    expect(
      frame()
        .split('\n')
        .filter(line => [...line].length > columns),
    ).toEqual([]);
  });
});

const words = (count: number) => Array.from({length: count}, (_, index) => `word${index}`).join(' ');

/** As many checks as there can be, with the longest that they can say. */
const verdicts = ['pass', 'warning', 'fail', 'skipped'] as const;
const many: readonly Outcome[] = Array.from({length: 33}, (_, index) => {
  const verdict = verdicts[index % verdicts.length] ?? 'pass';
  const isTrouble = verdict === 'fail' || verdict === 'warning';
  return {
    ...{id: `check-${index}`, title: `Check ${index} of something with a long name`, verdict, ms: 4},
    saw: `https://api.${'a-long-label.'.repeat(index % 5)}acme.example:8443/mcp ${words(index % 13)}`,
    ...(isTrouble ? {sentence: `It says: ${words(20)}.`, remedy: `Do this: ${words(index)}.`} : {}),
    ...(verdict === 'fail' ? {fix: 'sign-in' as const} : {}),
  };
});
const manyState = {
  checks: many.map(({id, title}) => ({id, title})),
  outcomes: Object.fromEntries(many.map(outcome => [outcome.id, outcome])),
};

describe.each([
  [40, 12],
  [60, 20],
  [80, 24],
  [100, 30],
] as const)('at %d x %d', (columns, rows) => {
  const isLow = (text: string) => text.split('\n').length < rows;

  test('the frame stays lower than the terminal, with the chosen check and what to do about it', async () => {
    const {frame, press, shows} = show({columns, rows}, manyState);
    await shows('❯ ✖ Check 2 ');
    for (let turn = 0; turn < many.length; turn += 1) {
      const index = (2 + turn) % many.length;
      await shows(new RegExp(`❯ . Check ${index} `));
      const text = frame();
      expect(text, `check ${index}`).toSatisfy(isLow);
      expect(text.split('\n').filter(line => [...line].length > columns)).toEqual([]);
      // More than the one that is chosen is seen, so that arrows can be followed.
      expect(text.match(/(?<=^..[❯ ] ). Check \d+/gm)?.length).toBeGreaterThanOrEqual(2);
      if (many[index]?.remedy) expect(text).toContain('What to do: Do this:');
      press('down');
    }
  });

  test('nor does what is asked or told make it higher', async () => {
    const path = `/home/ada/${'a-directory/'.repeat(4)}platform-setup-report.md`;
    const notice = `The report is in ${path}. It contains no secrets.`;
    const {frame, press, shows} = show({columns, rows}, {...manyState, notice});
    await shows('The report is in');
    expect(frame()).toSatisfy(isLow);
    expect(frame().replaceAll(/\s*\n */g, '')).toContain(path);
    // Only the path is longer than a row: no other word is cut.
    expect(frame().replaceAll(/\s+/g, ' ')).toMatch(/It contains no secrets\./);
    press('f');
    await shows('Signs you in again');
    expect(frame()).toSatisfy(isLow);
    press('esc');
    await shows('save report');
    press('down');
    await shows('❯ ┊ Check 3 ');
    expect(frame()).not.toContain('The report is in');
  });
});

test('details that have no room are a key away', async () => {
  const {frame, press, shows} = show({columns: 40, rows: 12}, manyState);
  for (let turn = 0; turn < 4; turn += 1) press('down');
  await shows('❯ ✖ Check 6 ');
  expect(frame()).not.toContain('word19.');
  await shows('enter details');
  press('enter');
  await shows('word19.');
  await shows('What to do: Do this: word0');
  expect(frame().split('\n').length).toBeLessThan(12);
  press('esc');
  await shows('❯ ✖ Check 6 ');
  press('down');
  await shows('❯ ┊ Check 7 ');
});

test('where nothing is wrong it begins on what could not be looked at, and how it could be', async () => {
  const skipped: Outcome = {
    ...{id: 'sign-in', title: 'Sign-in', verdict: 'skipped', saw: 'nobody has signed in from here', ms: 0},
    ...{sentence: 'What needs a token was not looked at.', remedy: 'Set it up: npx setup.'},
  };
  const [node] = outcomes;
  const {shows} = show({}, {outcomes: {...(node ? {node} : {}), 'sign-in': skipped}});
  await shows('❯ ┊ Sign-in');
  await shows('What needs a token was not looked at.');
  await shows('What to do: Set it up: npx setup.');
});

test('arrows walk the list, and a skipped check says what it waits for', async () => {
  const {press, shows} = show();
  await shows('❯ ✖ Sign-in');
  press('down');
  await shows('skipped: needs “Sign-in”');
  press('up');
  press('up');
  await shows('❯ ▲ Clock');
  await shows('41 s ahead, 3 ms');
});

test('f says what it will do, and does it on Enter only', async () => {
  const {press, shows, run} = show();
  await shows('❯ ✖ Sign-in');
  press('up');
  press('up');
  press('up');
  await shows('❯ ▲ Stored secrets');
  press('f');
  await shows('Makes the file with your tokens readable by you only.');
  expect(run.fix).not.toHaveBeenCalled();
  press('esc');
  await shows('fix');
  press('f');
  await shows('Enter does it.');
  press('enter');
  await vi.waitFor(() => expect(run.fix).toHaveBeenCalledExactlyOnceWith('tighten'));
});

test('signing in again is a matter of the wizard', async () => {
  const {press, shows, ended} = show();
  await shows('❯ ✖ Sign-in');
  press('f');
  await shows('Signs you in again');
  press('enter');
  expect(await ended).toBe('sign-in');
});

test('r runs everything again, s saves a report and says where, Esc closes', async () => {
  const {press, shows, run, ended} = show();
  await shows('❯ ✖ Sign-in');
  press('r');
  await vi.waitFor(() => expect(run.run).toHaveBeenCalledOnce());
  press('s');
  await shows('The report is in report.md.');
  press('esc');
  expect(await ended).toBe('done');
});

test('e shows the calls as curl lines, ? the keys, and both close again', async () => {
  const {press, shows} = show();
  await shows('❯ ✖ Sign-in');
  press('e');
  await shows('curl http://api.acme.localhost:8080/health');
  press('esc');
  await shows('❯ ✖ Sign-in');
  press('?');
  await shows('save report');
  press('?');
  await shows('❯ ✖ Sign-in');
});

test('while it runs it says how many are still to come', async () => {
  const {shows} = show({columns: 100}, {outcomes: {}, isRunning: true});
  await shows('5 to come');
  await shows('○ Clock');
});
