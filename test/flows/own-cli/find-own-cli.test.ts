import {expect, test, vi} from 'vitest';
import {findOwnCli} from '../../../src/flows/own-cli/find-own-cli.ts';
import {VERSION_TIMEOUT} from '../../../src/flows/time-limits.ts';
import {openchoreo} from '../../../src/platform/openchoreo.ts';
import type {Ports, ProcessResult} from '../../../src/ports/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {homeWith} from './support/home.ts';

/** What is found of the CLI, and what was run for it on a machine that answers like this. */
const found = async (text: string | undefined, answer: Partial<ProcessResult>, system: 'linux' | 'win32' = 'linux') => {
  const {home, ports} = await homeWith(text);
  const runLine = vi.fn<Ports['processes']['runLine']>(async () => answer as ProcessResult);
  const place = {home, project: home, system, env: {}};
  const changed: Ports = {...ports, processes: {...ports.processes, runLine}};
  const {result} = await collect(findOwnCli({platform: openchoreo, place}, changed, noSignal));
  // A program that never ends must not hold anybody up.
  for (const [, {timeout}] of runLine.mock.calls) expect(timeout).toBe(VERSION_TIMEOUT);
  return {...result, lines: runLine.mock.calls.map(([line]) => line)};
};

test('the CLI is here where its file is, and nothing is run then', async () => {
  expect(await found('', {outcome: 'exited', code: 1})).toEqual({installed: true, lines: []});
});

test.each([
  ['linux', {outcome: 'exited', code: 0}, true, 'command -v occ'],
  ['linux', {outcome: 'exited', code: 1}, false, 'command -v occ'],
  ['linux', {outcome: 'timed-out', code: 0}, false, 'command -v occ'],
  ['win32', {outcome: 'exited', code: 0}, true, 'where occ'],
] as const)('else its program is looked for, and not run (%s, %j)', async (system, answer, installed, line) => {
  expect(await found(undefined, answer as Partial<ProcessResult>, system)).toEqual({installed, lines: [line]});
});
