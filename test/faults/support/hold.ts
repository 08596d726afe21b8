import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {errorTable} from '../../../src/errors/error-table.ts';
import type {ErrorCode} from '../../../src/errors/errors.ts';
import {unfinishedWork} from '../../../src/ports/exit-guard.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {type Bench, openBench} from './bench.ts';
import type {Ending, Fault} from './fault.ts';
import {type Flow, type FlowName, flowNames, flows} from './flows.ts';
import {leftOn, secretsOn} from './machine.ts';
import type {Place} from './places.ts';
import type {Said} from './run-line.ts';

const connecting = ['health', 'discovery', 'token', 'mcp', 'observer-health', 'observer-mcp'] as const;

/** The places that each flow needs. */
const needs: {readonly [F in FlowName]: readonly Place[]} = {
  setup: [...connecting, 'metadata'],
  'browser sign-in': [...connecting, 'metadata', 'keys'],
  login: [...connecting, 'keys'],
  token: [],
  renewal: ['discovery', 'token', 'keys'],
  doctor: ['health', 'metadata', 'version', 'discovery', 'keys', 'mcp', 'observer-health', 'observer-mcp'],
  'mcp tools': ['mcp'],
  'mcp call': ['mcp'],
  'mcp serve': ['mcp'],
  'component list': ['version', 'api'],
  status: [],
  logout: [],
};

const expected = ({at, means, but = {}}: Fault, name: FlowName): Ending =>
  but[name] ?? (needs[name].includes(at) ? means : 'ok');

/** Returns the end of one flow on a platform with a fault, and anything that it should not have printed or left. */
const cellOf = async (bench: Bench, name: FlowName, {isHandedOn}: Fault): Promise<string> => {
  const flow: Flow = flows[name];
  const machine = bench.machineFor(flow);
  const before = secretsOn(machine);
  const said = await flow.run(bench, machine);
  // The program does not end before this work.
  await unfinishedWork();
  const ending = endingIn(said);
  const secrets = [...before, ...secretsOn(machine), bench.client.clientSecret];
  const isPrinted = (flow.printsToken === true && ending === 'ok') || (name === 'mcp serve' && isHandedOn === true);
  const complaints = [
    ...(isPrinted ? [] : leaked(said, secrets)),
    ...(/\n\s+at .*:\d+:\d+/.test(said.stdout + said.stderr) ? ['a stack trace'] : []),
    ...(controls.test(said.stdout + said.stderr) ? ['a control character'] : []),
    ...leftOn(machine).map(path => `${path} is left behind`),
    ...(name === 'mcp serve' || said.exit === exitOf(ending) ? [] : [`exit ${said.exit}`]),
  ];
  if (complaints.length === 0) return ending;
  return `${ending}, and ${complaints.join(', ')}`;
};

const controls = /[^\P{Cc}\n]/u;

const exitOf = (ending: string): number => (ending === 'ok' ? 0 : (errorTable[ending as ErrorCode]?.exit ?? -1));

const endingIn = ({stdout, exit}: Said): string => {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const {type, code} = last.startsWith('{') ? (JSON.parse(last) as {type?: string; code?: string}) : {};
  return type === 'failed' ? String(code) : exit === 0 ? 'ok' : `exit ${exit} without a word`;
};

/** The beginning of a secret counts as well, because output may be cut. */
const leaked = ({stdout, stderr}: Said, secrets: readonly string[]): readonly string[] =>
  secrets.some(secret => `${stdout}${stderr}`.includes(secret.slice(0, 100))) ? ['a secret'] : [];

/**
 * Runs every flow with one fault, and returns the end of each. Flows that need the same port run one after the other.
 */
const rowOf = async (bench: Bench, fault: Fault): Promise<Readonly<Record<string, string>>> => {
  bench.have(fault);
  const lanes = new Map<string, FlowName[]>();
  for (const name of flowNames) {
    const {lane}: Flow = flows[name];
    const key = lane ?? name;
    lanes.set(key, [...(lanes.get(key) ?? []), name]);
  }
  const cells = [...lanes.values()].map(async names => {
    const row: [FlowName, string][] = [];
    for (const name of names) row.push([name, await cellOf(bench, name, fault)]);
    return row;
  });
  return Object.fromEntries((await Promise.all(cells)).flat());
};

/** Checks that every flow ends as the table says, with each fault in turn. */
export const hold = (title: string, faults: readonly Fault[]): void => {
  describe(title, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await openBench();
    }, 60_000);
    afterAll(() => bench.close());

    test.each(rowsOfTable(faults, 0, 30).map(fault => [fault.name, fault] as const))('%s', async (_name, fault) => {
      const row = await rowOf(bench, fault);
      expect(row).toEqual(Object.fromEntries(flowNames.map(name => [name, expected(fault, name)])));
    });
  });
};

/**
 * Checks the same for faults that cost waiting time: all at once, each on a platform of its own.
 *
 * @param timeout the longest time for a row, in milliseconds: the sum of the product's own deadlines in its flows
 */
export const holdSideBySide = (title: string, faults: readonly Fault[], timeout: number): void => {
  describe.skipIf(faults.length === 0)(title, () => {
    test.concurrent.each(faults.map(fault => [fault.name, fault] as const))(
      '%s',
      async (_name, fault) => {
        const bench = await openBench();
        try {
          const row = await rowOf(bench, fault);
          expect(row).toEqual(Object.fromEntries(flowNames.map(name => [name, expected(fault, name)])));
        } finally {
          await bench.close();
        }
      },
      timeout,
    );
  });
};
