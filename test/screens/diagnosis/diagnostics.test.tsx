import {describe, expect, test, vi} from 'vitest';
import {type Layer, layerName, type Outcome, verdictOn} from '../../../src/domain/finding.ts';
import {fixDescriptions} from '../../../src/flows/diagnosis/fix-descriptions.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {Diagnostics} from '../../../src/screens/diagnosis/diagnostics.tsx';
import type {DiagnosisRun, DiagnosisState} from '../../../src/state/diagnosis/diagnosis-run.ts';
import {render, widths} from '../../support/render.tsx';
import {readToEnd} from '../../support/scrolled.ts';
import {rowsOfTable} from '../../support/tables.ts';

const outcomes: readonly Outcome[] = [
  {id: 'node', layer: 'machine', title: 'Node and this program', verdict: 'pass', saw: 'Node 24.21.0', ms: 0},
  {id: 'proxy', layer: 'machine', title: 'Proxy', verdict: 'pass', saw: 'no proxy', ms: 0},
  {
    id: 'clock',
    layer: 'platform',
    title: 'Clock',
    verdict: 'warning',
    saw: '41 s ahead',
    sentence: 'This machine’s clock is ahead.',
    remedy: 'Set it.',
    ms: 3,
  },
  {
    id: 'sign-in',
    layer: 'sign-in',
    explain: 'auth-sign-in-required',
    title: 'Sign-in',
    verdict: 'fail',
    saw: 'Refused 2 min ago by http://idp.acme.localhost:8080: invalid_grant.',
    sentence: 'Refused 2 min ago by http://idp.acme.localhost:8080: invalid_grant.',
    remedy: 'Sign in again: npx setup login.',
    code: 'auth-sign-in-required',
    fix: 'sign-in',
    ms: 12,
  },
  {
    ...{id: 'token', layer: 'sign-in', title: 'Access token', verdict: 'skipped', ms: 0},
    ...{saw: 'skipped: needs “Sign-in”', because: 'sign-in'},
  },
  {
    id: 'credentials',
    layer: 'sign-in',
    title: 'Stored secrets',
    verdict: 'warning',
    saw: 'mode 644',
    sentence: 'Others can read your tokens.',
    remedy: 'Close it.',
    fix: 'tighten',
    ms: 1,
  },
  {
    ...{id: 'mcp', layer: 'mcp', title: 'Tools of the control plane', verdict: 'skipped', ms: 0},
    ...{saw: 'skipped: needs “Sign-in”', because: 'sign-in'},
  },
];

const sentenceOn = ({code}: Outcome) => (code === 'auth-sign-in-required' ? 'You are not signed in' : undefined);

/** Returns the state of a diagnosis that ended with these outcomes. */
const stateOf = (outcomes: readonly Outcome[]) => ({
  checks: outcomes.map(({id, title, layer}) => ({id, title, ...(layer ? {layer} : {})})),
  outcomes: Object.fromEntries(outcomes.map(outcome => [outcome.id, outcome])),
  verdict: verdictOn(outcomes, sentenceOn),
});

const show = (
  size: {columns?: number; rows?: number} = {},
  over: {[K in keyof DiagnosisState]?: DiagnosisState[K] | undefined} = {},
) => {
  let state: DiagnosisState = {
    subject: {
      platform: bundled,
      controlPlaneUrl: 'http://api.acme.localhost:8080',
      authUrl: 'http://idp.acme.localhost:8080',
      issuer: 'http://idp.acme.localhost:8080',
    },
    ...stateOf(outcomes),
    isRunning: false,
    calls: [
      {call: 1, answer: {result: '200', failed: false, ms: 4, curl: 'curl http://api.acme.localhost:8080/health'}},
    ],
    ...over,
  } as DiagnosisState;
  const listeners = new Set<() => void>();
  const run = {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run: vi.fn(async () => {}),
    fix: vi.fn(async () => {}),
    runIfSignInChanged: vi.fn(async () => false),
    save: vi.fn(async () => {}),
    trySave: vi.fn(async () => {
      state = {...state, notice: 'The report is in report.md.'};
      for (const listener of listeners) listener();
    }),
    stop: vi.fn(),
  } satisfies DiagnosisRun;
  const change = (next: {[K in keyof DiagnosisState]?: DiagnosisState[K] | undefined}) => {
    const {verdict: _, ...kept} = {...state, ...next};
    state = {...kept, ...(next.verdict ? {verdict: next.verdict} : {})} as DiagnosisState;
    for (const listener of listeners) listener();
  };
  const screen = render(<Diagnostics run={run} reportPath="report.md" fixDescriptions={fixDescriptions} />, size);
  return {...screen, run, change};
};

describe.each(widths)('at %d columns', columns => {
  test('it begins on the first failure, with what to do about it, and fits', async () => {
    const {frame, shows} = show({columns});
    await shows('What to do:');
    const text = frame().replaceAll(/\s+/g, ' ');
    expect(text).toContain('2 pass 2 warn 1 fail 2 skipped');
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

/** The largest number of checks, with the longest texts. */
const layers = Object.keys(layerName) as readonly Layer[];
const verdicts = ['pass', 'warning', 'fail', 'skipped'] as const;
const many: readonly Outcome[] = Array.from({length: 33}, (_, index) => {
  const verdict = verdicts[index % verdicts.length] ?? 'pass';
  const isTrouble = verdict === 'fail' || verdict === 'warning';
  return {
    ...{id: `check-${index}`, layer: layers[Math.floor(index / 5)] ?? 'machine', verdict, ms: 4},
    title: `Check ${index} of something with a long name`,
    saw: `https://api.${'a-long-label.'.repeat(index % 5)}acme.example:8443/mcp ${words(index % 13)}`,
    ...(isTrouble ? {sentence: `It says: ${words(20)}.`, remedy: `Do this: ${words(index)}.`} : {}),
    ...(verdict === 'fail' ? {fix: 'sign-in' as const, explain: 'auth-sign-in-required'} : {}),
  };
});
const manyState = stateOf(many);

/** The rows from the first failure on, once round: each check, and before it the layer that it opens. */
const walk = many.flatMap(({id, layer = 'machine', remedy}, index) => [
  ...(index % 5 === 0 ? [{row: new RegExp(`❯ . ${layerName[layer]} `), id: layer, remedy: undefined}] : []),
  {row: new RegExp(`❯ . Check ${index} `), id, remedy},
]);
const first = walk.findIndex(({id}) => id === 'check-2');
const round = [...walk.slice(first), ...walk.slice(0, first)];

describe.each(
  rowsOfTable(
    [
      [40, 12],
      [60, 20],
      [80, 24],
      [100, 30],
    ] as const,
    1,
  ),
)('at %d x %d', (columns, rows) => {
  const isLow = (text: string) => text.split('\n').length < rows;

  test('the frame stays lower than the terminal, with the verdict, the chosen row and what to do about it', async () => {
    const {frame, press, shows} = show({columns, rows}, manyState);
    for (const {row, id, remedy} of round) {
      await shows(row);
      const text = frame();
      expect(text, id).toSatisfy(isLow);
      expect(text.split('\n').filter(line => [...line].length > columns)).toEqual([]);
      expect(text.replaceAll(/\s+/g, ' ')).toContain('✖ Check 2 of something');
      // More rows than the chosen one are visible, so that a person can follow the arrows.
      expect(text.match(/^ *[❯ ] [✔▲✖┊] \S/gm)?.length, id).toBeGreaterThanOrEqual(3);
      if (remedy) expect(text).toContain('What to do: Do this:');
      press('down');
    }
    await shows('❯ ✖ Check 2 ');
  });

  test('nor does what is asked or told make it higher', async () => {
    const path = `/home/ada/${'a-directory/'.repeat(4)}platform-setup-report.md`;
    const notice = `The report is in ${path}. It contains no secrets.`;
    const {frame, press, shows} = show({columns, rows}, {...manyState, notice});
    await shows('The report is in');
    expect(frame()).toSatisfy(isLow);
    expect(frame().replaceAll(/\s*\n */g, '')).toContain(path);
    // Only the path is longer than a row: no other word is broken.
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

describe('layers', () => {
  test('are closed where all is well, and open where something is wrong, with the pointer on it', async () => {
    const {frame, shows} = show({columns: 100});
    await shows('✖ You are not signed in');
    await shows('✔ This machine 2');
    await shows('▲ Platform 1 warning');
    await shows(/✖ Sign-in and token 1 failed, 1 warning {2}/);
    await shows('❯ ✖ Sign-in');
    await shows('More: npx setup explain auth-sign-in-required');
    await shows('┊ MCP servers 1 skipped');
    expect(frame()).not.toContain('Node and this program');
    expect(frame()).not.toContain('Tools of the control plane');
  });

  test.each([
    ['Enter', 'enter', 'enter'],
    ['space', ' ', ' '],
    ['the arrow to the right, and the one to the left', '\u001B[C', '\u001B[D'],
    ['l, and h', 'l', 'h'],
  ])('open and close by %s', async (_, open, close) => {
    const {frame, press, shows} = show();
    await shows('❯ ✖ Sign-in');
    press('\u001B[H');
    await shows('❯ ✔ This machine 2');
    await shows('enter expand');
    press(open);
    await shows('Node and this program');
    await shows('enter collapse');
    press(close);
    await shows('enter expand');
    expect(frame()).not.toContain('Node and this program');
    await shows('❯ ✔ This machine 2');
  });

  test('are left to the left and entered to the right', async () => {
    const {frame, press, shows} = show();
    await shows('❯ ✖ Sign-in');
    press('\u001B[D');
    await shows('❯ ✖ Sign-in and token');
    await shows('enter expand');
    expect(frame()).not.toContain('Access token');
    await shows('1 failed, 1 warning, 1 skipped');
    press('\u001B[C');
    await shows('enter collapse');
    press('\u001B[C');
    await shows(/❯ ✖ Sign-in$/m);
  });

  test('say in a word why none of them could be looked at', async () => {
    const {press, shows} = show();
    await shows('❯ ✖ Sign-in');
    press('\u001B[F');
    await shows('❯ ┊ MCP servers');
    await shows('skipped: needs “Sign-in”');
  });

  test('what was pointed at is pointed at again once a new run has come to it', async () => {
    const {frame, press, shows, change} = show();
    await shows('❯ ✖ Sign-in');
    press('down');
    await shows('❯ ┊ Access token');
    change({outcomes: {}, isRunning: true, verdict: undefined});
    await shows('❯ ○ Sign-in and token 0 of 3');
    await shows('○ Checking, 7 to come');
    // A run cannot begin again before it has ended.
    expect(frame()).not.toContain('run again');
    change({...stateOf(outcomes), isRunning: false});
    await shows('❯ ┊ Access token');
    await shows('r run again');
  });
});

test('where everything works it says so, and every layer is one row', async () => {
  const well = outcomes.map(
    ({id, layer = 'machine', title}): Outcome => ({id, layer, title, verdict: 'pass', saw: 'well', ms: 1}),
  );
  const {frame, shows} = show({}, stateOf(well));
  await shows('✔ Everything works');
  await shows('❯ ✔ This machine 2');
  expect(frame().match(/^ {2}[❯ ] ✔ /gm)).toHaveLength(4);
});

test('details that have no room are a key away', async () => {
  const {frame, press, shows} = show({columns: 40, rows: 12}, manyState);
  for (let turn = 0; turn < 5; turn += 1) press('down');
  await shows('❯ ✖ Check 6 ');
  expect(frame()).not.toContain('word19.');
  await shows('enter details');
  press('enter');
  // The line of keys now shows the key that closes the details, and no longer this one.
  await expect.poll(frame).not.toContain('r run again');
  const read = await readToEnd({frame, press});
  expect(read).toContain('What to do: Do this: word0');
  expect(read).toContain('word19.');
  expect(frame().split('\n').length).toBeLessThan(12);
  press('esc');
  await shows('❯ ✖ Check 6 ');
  press('down');
  await shows('❯ ┊ Check 7 ');
});

test('p prints lines to copy above the frame, from the list and from the details', async () => {
  const block = "kubectl apply -f - <<'EOF'\nkind: Role\nEOF";
  const [first, ...others] = outcomes.filter(({verdict}) => verdict === 'fail');
  const failed = {...(first ?? expect.fail('One fails.')), remedy: `Apply it.\n\n${block}`};
  const {press, shows, written} = show({columns: 60, rows: 14}, stateOf([failed, ...others]));
  await shows('p print, to copy');
  press('p');
  await vi.waitFor(() => expect(written()).toContain(`\n${block}\n`));
  await shows('p printed: scroll up');
  press('enter');
  await shows('esc close');
  press('p');
  await vi.waitFor(() => expect(written().split(`\n${block}\n`)).toHaveLength(3));
});

test('all keys can be read to the last', async () => {
  const screen = show({columns: 40, rows: 12}, manyState);
  await screen.shows('? keys');
  screen.press('?');
  await screen.shows(/\d+ more lines \(space\)/);
  expect(await readToEnd(screen)).toContain('Ctrl-Z');
  expect(screen.frame().split('\n').length).toBeLessThan(12);
});

test('where nothing is wrong it begins on what could not be looked at, and how it could be', async () => {
  const skipped: Outcome = {
    ...{
      id: 'sign-in',
      layer: 'sign-in',
      title: 'Sign-in',
      verdict: 'skipped',
      saw: 'nobody has signed in from here',
      ms: 0,
    },
    ...{sentence: 'What needs a token was not looked at.', remedy: 'Set it up: npx setup.'},
  };
  const [node] = outcomes;
  // The verdict names an earlier warning, and points at what was not checked.
  const warned: Outcome = {id: 'clock', layer: 'machine', title: 'Clock', verdict: 'warning', saw: '41 s ahead', ms: 3};
  const {shows} = show({}, stateOf([...(node ? [node] : []), warned, skipped]));
  await shows('┊ Nothing is broken so far, but there is one warning: Clock.');
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
  await shows('❯ ✖ Sign-in and token');
  press('up');
  await shows('❯ ▲ Clock');
  await shows('41 s ahead, 3 ms');
});

test('f says what it will do, and does it on Enter only', async () => {
  const {press, shows, run} = show();
  await shows('❯ ✖ Sign-in');
  press('down');
  press('down');
  await shows('❯ ▲ Stored secrets');
  press('f');
  await shows('Closes the file with your tokens to everybody but you.');
  expect(run.fix).not.toHaveBeenCalled();
  press('esc');
  await shows('fix');
  press('f');
  await shows('Press Enter to do it.');
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

test('a sign-in of another run is checked instead, and the screen stays', async () => {
  const {press, shows, run, ended} = show();
  run.runIfSignInChanged.mockResolvedValueOnce(true);
  await shows('❯ ✖ Sign-in');
  press('f');
  await shows('Signs you in again');
  press('enter');
  await vi.waitFor(() => expect(run.runIfSignInChanged).toHaveBeenCalledOnce());
  await shows('f fix');
  press('esc');
  expect(await ended).toBe('done');
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

test('while it runs it says how many are still to come, of each layer too', async () => {
  const {node, clock} = stateOf(outcomes).outcomes;
  const {shows} = show(
    {columns: 100},
    {outcomes: {...(node ? {node} : {}), ...(clock ? {clock} : {})}, isRunning: true, verdict: undefined},
  );
  await shows('○ Checking, 5 to come');
  await shows('○ This machine 1 of 2');
  await shows('▲ Platform 1 warning');
  await shows('❯ ▲ Clock');
});
