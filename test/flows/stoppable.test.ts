import {getEventListeners} from 'node:events';
import {setImmediate} from 'node:timers/promises';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import type {FlowEvent, Run} from '../../src/flows/flow.ts';
import {markHandled, stoppable} from '../../src/flows/stoppable.ts';
import type {Ports} from '../../src/ports/ports.ts';
import {noSignal} from '../support/flows.ts';

const ports = {} as Ports;
const warning = (message: string): FlowEvent => ({type: 'warning', message});
const never = new Promise<never>(() => {});

/** Creates a run, and records its events. */
const runWith = (signal: AbortSignal = noSignal) => {
  const told: FlowEvent[] = [];
  return {run: {ports, signal, tell: (event: FlowEvent) => void told.push(event)}, told};
};

describe('work that can be stopped', () => {
  test('tells as it goes, and gives what it gives', async () => {
    const {run, told} = runWith();
    const {promise: heard, resolve: hear} = Promise.withResolvers<void>();
    const work = stoppable(run, async own => {
      own.tell(warning('one'));
      await heard;
      own.tell(warning('two'));
      return own.ports;
    });
    // The first event is told while the work goes on.
    expect(told).toEqual([warning('one')]);
    hear();
    expect(await work).toBe(ports);
    expect(told).toEqual([warning('one'), warning('two')]);
  });

  test('fails as it fails', async () => {
    const {run} = runWith();
    const work = stoppable(run, async () => {
      throw new Error('It broke.');
    });
    await expect(work).rejects.toThrow('It broke.');
  });

  test.each([
    ['is cancelled', undefined, 'cancelled'],
    ['for a reason of ours is that', new SetupError('network-timeout', 'It took too long.'), 'network-timeout'],
  ])('ends at once when it is stopped, whatever it waits for: it %s', async (_how, reason, code) => {
    const controller = new AbortController();
    const {run, told} = runWith(controller.signal);
    let own: Run | undefined;
    const work = stoppable(run, given => {
      own = given;
      return never;
    });
    controller.abort(reason);
    // Events of work that goes on after the stop are dropped.
    own?.tell(warning('late'));
    await expect(work).rejects.toMatchObject({code});
    expect([own?.signal.aborted, told]).toEqual([true, []]);
  });

  test('does not begin when it was stopped before', async () => {
    let begun = false;
    const work = stoppable(runWith(AbortSignal.abort()).run, async () => {
      begun = true;
    });
    await expect(work).rejects.toMatchObject({code: 'cancelled'});
    expect(begun).toBe(false);
  });

  test('leaves nothing behind at a signal that outlives it', async () => {
    const {signal} = new AbortController();
    await stoppable(runWith(signal).run, async () => 7);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('stops whatever it has begun when it fails, and hears no more of it', async () => {
    const {run, told} = runWith();
    let beside: Run | undefined;
    const work = stoppable(run, async own => {
      beside = own;
      throw new Error('One of two has failed.');
    });
    await expect(work).rejects.toThrow('One of two has failed.');
    beside?.tell(warning('from the other'));
    expect(beside?.signal.reason).toMatchObject({code: 'cancelled'});
    expect(told).toEqual([]);
  });
});

test('work that is left alone may fail, and who waits for it still hears so', async () => {
  const unhandled = vi.fn();
  process.once('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const work = markHandled(Promise.reject(new Error('It broke.')));
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
  await expect(work).rejects.toThrow('It broke.');
});
