import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {residentMemory} from '../resident-memory.ts';
import {summarise} from '../statistics.ts';
import type {Surroundings} from '../surroundings.ts';

/** The figures of one run of a bridge. */
export type Drive = {
  /** Milliseconds from the start of the process to its first answer. Undefined for a client without a process. */
  readonly start: number | undefined;
  /** The median of the calls one after the other, in microseconds. */
  readonly latency: number;
  /** Calls per second, with many in flight. */
  readonly throughput: number;
  /** Resident memory at the end, in MiB. Undefined if the system does not report it. */
  readonly memory: number | undefined;
};

export const CALLS = 500;
export const AT_ONCE = 50;
const WARM_UP = 100;

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: {name: 'bench', version: '1'},
};

/**
 * Starts a bridge as an assistant does, and makes the handshake.
 *
 * @param stderr `ignore` for a bridge that writes a line there for every call
 */
export const openBridge = async (
  [program, ...args]: readonly [program: string, ...args: readonly string[]],
  {env, directory}: Surroundings,
  stderr: 'inherit' | 'ignore' = 'inherit',
) => {
  const started = performance.now();
  const child = spawn(program, args, {cwd: directory, env, stdio: ['pipe', 'pipe', stderr]});
  const {call, notify} = speakTo(child);
  await call('initialize', initialize);
  const start = performance.now() - started;
  notify('notifications/initialized');
  return {child, call, start};
};

/** Opens a bridge, and makes calls through it: first one by one, then many at once. */
export const driveBridge = async (
  command: readonly [program: string, ...args: readonly string[]],
  surroundings: Surroundings,
  stderr: 'inherit' | 'ignore' = 'inherit',
): Promise<Drive> => {
  const {child, call, start} = await openBridge(command, surroundings, stderr);
  const measured = await measureCalls(() => call('tools/call', {name: 'bench', arguments: {}}));
  const memory = residentMemory(child.pid ?? 0);
  child.stdin?.end();
  await once(child, 'exit');
  return {start, memory, ...measured};
};

export const measureCalls = async (call: () => Promise<unknown>): Promise<Pick<Drive, 'latency' | 'throughput'>> => {
  for (let count = 0; count < WARM_UP; count += 1) await call();
  const times: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const began = performance.now();
    await call();
    times.push((performance.now() - began) * 1000);
  }
  const began = performance.now();
  let begun = 0;
  const caller = async () => {
    while (begun < 4 * CALLS) {
      begun += 1;
      await call();
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, caller));
  return {latency: summarise(times).median, throughput: (4 * CALLS) / ((performance.now() - began) / 1000)};
};

/** An assistant that reads only the ID of an answer, so that it costs little itself. */
const speakTo = ({stdin, stdout}: ChildProcess) => {
  const waiting = new Map<number, () => void>();
  let rest = '';
  let ids = 0;
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const id = Number(/"id":(\d+)/.exec(line)?.[1]);
      waiting.get(id)?.();
      waiting.delete(id);
    }
  });
  const write = (message: object) => stdin?.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
  return {
    call: (method: string, params: object) =>
      new Promise<void>(resolve => {
        ids += 1;
        waiting.set(ids, resolve);
        write({id: ids, method, params});
      }),
    notify: (method: string) => write({method}),
  };
};
