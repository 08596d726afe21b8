import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {summarise} from '../statistics.ts';
import type {Surroundings} from '../surroundings.ts';
import type {Row} from '../table.ts';
import {openBridge} from './drive.ts';

/** How many sessions of assistants a person may have open. */
const AT_ONCE = 8;

/** How long the processes are left alone before they are measured, in milliseconds. */
const REST = 2_000;

/**
 * Measures the memory of idle bridges, each after a handshake, beside as many processes of Node that only wait. Memory
 * that several processes share counts in part for each of them (proportional set size). Empty if the system does not
 * report it.
 */
export const measureIdle = async (
  bridge: readonly [program: string, ...args: readonly string[]],
  surroundings: Surroundings,
): Promise<readonly Row[]> => {
  const nodes = Array.from({length: AT_ONCE}, () => startNode(surroundings));
  await sleep(REST);
  const bare = memoryOf(nodes);
  await end(nodes);
  const bridges = await Promise.all(Array.from({length: AT_ONCE}, () => openBridge(bridge, surroundings)));
  await sleep(REST);
  const idle = memoryOf(bridges.map(({child}) => child));
  await end(bridges.map(({child}) => child));
  if (bare === undefined || idle === undefined) return [];
  return [
    {label: `${AT_ONCE} processes of Node that wait`, isOther: true, summary: summarise([bare]), unit: 'MiB'},
    {
      ...{label: `${AT_ONCE} idle bridges`, summary: summarise([idle]), unit: 'MiB'},
      against: `× ${(idle / bare).toFixed(2)}`,
      aim: 'aim ≤ 1.5 × Node',
    },
  ];
};

const startNode = ({env, directory}: Surroundings): ChildProcess =>
  spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    cwd: directory,
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });

const end = async (children: readonly ChildProcess[]) => {
  const ended = children.map(child => once(child, 'exit'));
  for (const {stdin} of children) stdin?.end();
  await Promise.all(ended);
};

/** The memory of all of them in MiB. */
const memoryOf = (children: readonly ChildProcess[]): number | undefined => {
  try {
    const kibibytes = children.map(({pid}) =>
      Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
    );
    return kibibytes.reduce((sum, one) => sum + one, 0) / 1024;
  } catch {
    return undefined;
  }
};
