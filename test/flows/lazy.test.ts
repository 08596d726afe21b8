import {describe, expect, test, vi} from 'vitest';
import type {Flow, FlowEvent} from '../../src/flows/flow.ts';
import {lazyFlow, lazyFunction} from '../../src/flows/lazy.ts';
import type {Ports} from '../../src/ports/ports.ts';

const warning = (message: string): FlowEvent => ({type: 'warning', message});
const ports = {} as Ports;
const {signal} = new AbortController();

describe('a flow that is loaded when it is first run', () => {
  const flow = vi.fn<Flow<string, number>>(async function* (input) {
    yield warning(input);
    return 7;
  });
  const load = vi.fn(async (): Promise<Flow<string, number>> => flow);

  test('is not loaded before, and tells and returns what the flow does', async () => {
    const running = lazyFlow(load)('a word', ports, signal);
    expect(load).not.toHaveBeenCalled();
    expect(await running.next()).toEqual({done: false, value: warning('a word')});
    expect(await running.next()).toEqual({done: true, value: 7});
    expect(flow).toHaveBeenCalledExactlyOnceWith('a word', ports, signal);
  });

  test('cleans up when it is left early', async () => {
    const closed = vi.fn();
    const long = lazyFlow<undefined, void>(
      async () =>
        async function* () {
          try {
            yield warning('one');
            yield warning('two');
          } finally {
            closed();
          }
        },
    );
    for await (const _ of long(undefined, ports, signal)) break;
    expect(closed).toHaveBeenCalledOnce();
  });

  test('fails as the flow fails', async () => {
    const failing = lazyFlow<undefined, void>(async () => () => {
      throw new Error('at once');
    });
    await expect(failing(undefined, ports, signal).next()).rejects.toThrow('at once');
  });
});

describe('a function that is loaded when it is first called', () => {
  test('is not loaded before, and gives what the function gives, at once or later', async () => {
    const load = vi.fn(async () => (one: number, other: number) => one + other);
    const add = lazyFunction(load);
    expect(load).not.toHaveBeenCalled();
    expect(await add(2, 3)).toBe(5);
    expect(await lazyFunction(async () => async (text: string) => text.length)('four')).toBe(4);
  });

  test('fails as the function fails', async () => {
    const failing = lazyFunction(async () => (): number => {
      throw new Error('at once');
    });
    await expect(failing()).rejects.toThrow('at once');
  });
});
