import type {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import type {Invocation} from '../../../src/command-line/command.ts';
import {tellDiagnosis} from '../../../src/command-line/diagnosis/tell-diagnosis.ts';
import {createOutput} from '../../../src/command-line/output/output.ts';
import type {Outcome} from '../../../src/domain/finding.ts';
import type {DiagnosisRun, DiagnosisState} from '../../../src/state/diagnosis/diagnosis-run.ts';

const outcomeOf = (id: string): Outcome => ({id, title: id.toUpperCase(), verdict: 'pass', saw: `saw ${id}`, ms: 1});

/** The same for a failed check. */
const failed: Outcome = {
  ...outcomeOf('c'),
  layer: 'sign-in',
  verdict: 'fail',
  sentence: 'It is for x, not y.',
  remedy: 'Sign in again.',
  explain: 'auth-audience-wrong',
};

/** Returns what is told of three checks that end in this order, one line or more for each. */
const tell = async (
  order: readonly string[],
  flags: Partial<Invocation['flags']> = {},
  outcomes: readonly Outcome[] = [],
) => {
  const told: string[][] = [];
  const checks = ['a', 'b', 'c'].map(id => ({id, title: id.toUpperCase()}));
  const subject = {controlPlaneUrl: 'https://api.acme.example'};
  let state = {checks, outcomes: {}, subject} as unknown as DiagnosisState;
  let listener = () => {};
  const run = {
    state: () => state,
    stop: () => {},
    subscribe: (one: () => void) => {
      listener = one;
      return () => {};
    },
    run: async () => {
      for (const id of order) {
        told.push([]);
        state = {...state, outcomes: {...state.outcomes, [id]: outcomes.find(one => one.id === id) ?? outcomeOf(id)}};
        listener();
      }
      state = {...state, verdict: {state: 'broken', sentence: 'The token was issued for another audience'}};
    },
  } as unknown as DiagnosisRun;
  const stdout = createOutput({write: (text: string) => told.at(-1)?.push(text)} as unknown as Writable);
  const invocation = {flags, env: {LANG: 'C.UTF-8'}, terminal: {stdout}, signal: new AbortController().signal};
  await tellDiagnosis(run, invocation as unknown as Invocation);
  return told;
};

test('with --verbose people read the checks from the ground up, each as soon as all before it are told', async () => {
  const [a, b, c] = ['✔ A: saw a\n', '✔ B: saw b\n', '✔ C: saw c\n'];
  expect(await tell(['a', 'b', 'c'], {verbose: true})).toEqual([[a], [b], [c]]);
  expect(await tell(['c', 'a', 'b'], {verbose: true})).toEqual([[], [a], [b, c]]);
  expect(await tell(['b', 'c', 'a'], {verbose: true})).toEqual([[], [], [a, b, c]]);
});

test('programs get each as it ends', async () => {
  const told = await tell(['c', 'a', 'b'], {json: true});
  expect(told.map(lines => lines.map(line => JSON.parse(line).id))).toEqual([['c'], ['a'], ['b']]);
});

test('people get the verdict first, layers in which all is well in a line, and what is wrong with its code', async () => {
  const network = ['a', 'b'].map(id => ({...outcomeOf(id), layer: 'network'}) as const);
  const told = await tell(['a', 'b', 'c'], {}, [...network, failed]);
  expect(told.flat().join('')).toBe(
    [
      'The token was issued for another audience.',
      '',
      '✔ Network 2',
      'Sign-in and token',
      '  ✖ C: It is for x, not y.',
      '      Sign in again.',
      '      More: npx setup explain auth-audience-wrong',
      '',
    ].join('\n'),
  );
});
