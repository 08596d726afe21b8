import {expect, test} from 'vitest';
import type {Layer, Outcome} from '../../../src/domain/finding.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {diagnosisRows, type Folds, rowAt} from '../../../src/state/diagnosis/diagnosis-rows.ts';
import type {DiagnosisState} from '../../../src/state/diagnosis/diagnosis-run.ts';

type Found = readonly [id: string, layer: Layer, Outcome['verdict'] | undefined, more?: Partial<Outcome>];

const stateOf = (found: readonly Found[]): DiagnosisState => {
  const url = 'http://api.acme.localhost';
  return {
    subject: {platform: bundled, controlPlaneUrl: url, authUrl: url, issuer: url},
    checks: found.map(([id, layer]) => ({id, title: id, layer})),
    outcomes: Object.fromEntries(
      found.flatMap(([id, layer, verdict, more]) =>
        verdict === undefined ? [] : [[id, {id, title: id, layer, verdict, saw: 'seen', ms: 1, ...more}]],
      ),
    ),
    isRunning: false,
    calls: [],
  };
};

/** The rows in short: `network 6` is closed, `network:` is open. */
const rowsOf = (found: readonly Found[], folds: Folds = new Map()) =>
  diagnosisRows(stateOf(found), folds).map(row =>
    row.kind === 'group'
      ? `${row.verdict} ${row.layer}${row.isOpen ? `: ${row.troubles}` : ` ${row.summary}`}`
      : row.key,
  );

const remedy = {remedy: 'Sign in first.'};

test('a layer in which all passed is one row with their number', () => {
  expect(
    rowsOf([
      ['node', 'machine', 'pass'],
      ['proxy', 'machine', 'pass'],
      ['tcp', 'network', 'pass'],
    ]),
  ).toEqual(['pass machine 2', 'pass network 1']);
});

test('one in which something is wrong is open, with all its checks', () => {
  expect(
    rowsOf([
      ['node', 'machine', 'warning'],
      ['tcp', 'network', 'pass'],
      ['tls', 'network', 'fail'],
      ['tools', 'mcp', 'skipped'],
    ]),
  ).toEqual(['warning machine: 1 warning', 'node', 'fail network: 1 failed', 'tcp', 'tls', 'skipped mcp 1 skipped']);
});

test('a layer of which something was skipped says how many of each', () => {
  expect(
    rowsOf([
      ['tools', 'mcp', 'pass'],
      ['more', 'mcp', 'skipped'],
    ]),
  ).toEqual(['pass mcp 1 passed, 1 skipped']);
});

test('what was skipped for want of a sign-in is open only where nothing is broken', () => {
  const signedOut: Found = ['sign-in', 'sign-in', 'skipped', remedy];
  expect(rowsOf([['tcp', 'network', 'pass'], signedOut])).toEqual(['pass network 1', 'skipped sign-in: ', 'sign-in']);
  expect(rowsOf([['tcp', 'network', 'fail'], signedOut])).toEqual([
    'fail network: 1 failed',
    'tcp',
    'skipped sign-in 1 skipped',
  ]);
});

test('a layer under way says how far it is, and is no pass before its last check', () => {
  expect(
    rowsOf([
      ['tcp', 'network', 'pass'],
      ['tls', 'network', undefined],
    ]),
  ).toEqual(['undefined network 1 of 2']);
});

test('what the person opened or closed stays so', () => {
  const found: readonly Found[] = [
    ['node', 'machine', 'pass'],
    ['tls', 'network', 'fail'],
  ];
  expect(
    rowsOf(
      found,
      new Map([
        ['machine', true],
        ['network', false],
      ]),
    ),
  ).toEqual(['pass machine: ', 'node', 'fail network 1 failed']);
});

test('why a layer could not be looked at is told once, and only where it is one reason', () => {
  const reasonOf = (...found: readonly Found[]) =>
    diagnosisRows(stateOf(found), new Map()).map(row => (row.kind === 'group' ? row.reason : 'check'));
  const [tools, more]: readonly Found[] = [
    ['tools', 'mcp', 'skipped', {saw: 'needs a sign-in'}],
    ['more', 'mcp', 'skipped', {saw: 'needs a sign-in'}],
  ];
  if (!tools || !more) throw new Error('unreachable');
  expect(reasonOf(tools, more)).toEqual(['needs a sign-in']);
  expect(reasonOf(tools, ['other', 'mcp', 'skipped', {saw: 'switched off'}])).toEqual([undefined]);
  expect(reasonOf(tools, ['other', 'mcp', 'pass'])).toEqual([undefined]);
  // A passed check has run, and a check without a finding may still run.
  expect(reasonOf(['other', 'mcp', 'pass'])).toEqual([undefined]);
  expect(reasonOf(tools, ['other', 'mcp', undefined])).toEqual([undefined]);
});

test('the pointer stands on its row, on the layer of one that is out of sight, else on the first', () => {
  const found: readonly Found[] = [
    ['node', 'machine', 'pass'],
    ['tls', 'network', 'fail'],
  ];
  const open = diagnosisRows(stateOf(found), new Map());
  const closed = diagnosisRows(stateOf(found), new Map([['network', false]]));
  expect(rowAt(open, 'tls', 'network')).toBe(2);
  expect(rowAt(closed, 'tls', 'network')).toBe(1);
  expect(rowAt(closed, undefined, undefined)).toBe(0);
  expect(rowAt(open, 'layer machine', 'network')).toBe(0);
});
