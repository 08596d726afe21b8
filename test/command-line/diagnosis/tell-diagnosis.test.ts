import type {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import type {Invocation} from '../../../src/command-line/command.ts';
import {tellDiagnosis} from '../../../src/command-line/diagnosis/tell-diagnosis.ts';
import {createOutput} from '../../../src/command-line/output/output.ts';
import type {Outcome} from '../../../src/domain/finding.ts';
import type {DiagnosisRun, DiagnosisState} from '../../../src/state/diagnosis/diagnosis-run.ts';

const outcomeOf = (id: string): Outcome => ({id, title: id.toUpperCase(), verdict: 'pass', saw: `saw ${id}`, ms: 1});

/** What is told of three checks that end in this order, one line or more for each. */
const tell = async (order: readonly string[], flags: Partial<Invocation['flags']> = {}) => {
  const told: string[][] = [];
  const checks = ['a', 'b', 'c'].map(id => ({id, title: id.toUpperCase()}));
  let state = {checks, outcomes: {}} as unknown as DiagnosisState;
  let listener = () => {};
  const run = {
    state: () => state,
    subscribe: (one: () => void) => {
      listener = one;
      return () => {};
    },
    run: async () => {
      for (const id of order) {
        told.push([]);
        state = {...state, outcomes: {...state.outcomes, [id]: outcomeOf(id)}};
        listener();
      }
    },
  } as unknown as DiagnosisRun;
  const stdout = createOutput({write: (text: string) => told.at(-1)?.push(text)} as unknown as Writable);
  const invocation = {flags, env: {LANG: 'C.UTF-8'}, terminal: {stdout}, signal: new AbortController().signal};
  await tellDiagnosis(run, invocation as unknown as Invocation);
  return told;
};

test('people read the checks from the ground up, each as soon as all before it are told', async () => {
  const [a, b, c] = ['✔ A: saw a\n', '✔ B: saw b\n', '✔ C: saw c\n'];
  expect(await tell(['a', 'b', 'c'])).toEqual([[a], [b], [c]]);
  expect(await tell(['c', 'a', 'b'])).toEqual([[], [a], [b, c]]);
  expect(await tell(['b', 'c', 'a'])).toEqual([[], [], [a, b, c]]);
});

test('programs get each as it ends', async () => {
  const told = await tell(['c', 'a', 'b'], {json: true});
  expect(told.map(lines => lines.map(line => JSON.parse(line).id))).toEqual([['c'], ['a'], ['b']]);
});
