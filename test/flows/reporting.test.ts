import {getEventListeners} from 'node:events';
import {setImmediate} from 'node:timers/promises';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {SetupError} from '../../src/errors/errors.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import {markHandled, type Run, reporting, reportingToItsEnd} from '../../src/flows/reporting.ts';
import type {Ports} from '../../src/ports/ports.ts';
import {collect, noSignal} from '../support/flows.ts';

const ports = {} as Ports;
const warning = (message: string): FlowEvent => ({type: 'warning', message});
const never = new Promise<never>(() => {});

describe('work that reports', () => {
  test('is told as it goes, and gives what it gives', async () => {
    const {promise: heard, resolve: hear} = Promise.withResolvers<void>();
    const flow = reporting({ports, signal: noSignal}, async run => {
      run.tell(warning('one'));
      await heard;
      run.tell(warning('two'));
      return run.ports;
    });
    // The first is told while the work goes on.
    expect(await flow.next()).toEqual({done: false, value: warning('one')});
    hear();
    expect(await collect(flow)).toEqual({events: [warning('two')], result: ports});
  });

  test('fails once everything is told', async () => {
    const flow = reporting({ports, signal: noSignal}, async ({tell}) => {
      tell(warning('one'));
      throw new Error('It broke.');
    });
    expect(await flow.next()).toMatchObject({value: warning('one')});
    await expect(flow.next()).rejects.toThrow('It broke.');
  });

  test.each([
    ['is cancelled', undefined, 'cancelled'],
    ['for a reason of ours is that', new SetupError('network-timeout', 'It took too long.'), 'network-timeout'],
  ])('ends at once when it is stopped, whatever it waits for: it %s', async (_how, reason, code) => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const flow = reporting({ports, signal: controller.signal}, ({signal}) => {
      seen = signal;
      return never;
    });
    const ended = flow.next();
    controller.abort(reason);
    await expect(ended).rejects.toMatchObject({code});
    expect(seen?.aborted).toBe(true);
  });

  test('does not begin when it was stopped before', async () => {
    let begun = false;
    const flow = reporting({ports, signal: AbortSignal.abort()}, async () => {
      begun = true;
    });
    await expect(flow.next()).rejects.toMatchObject({code: 'cancelled'});
    expect(begun).toBe(false);
  });

  test('leaves nothing behind at a signal that outlives it', async () => {
    const {signal} = new AbortController();
    await collect(reporting({ports, signal}, async () => 7));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is stopped when nobody listens any more', async () => {
    let run: Run | undefined;
    const flow = reporting({ports, signal: noSignal}, one => {
      run = one;
      one.tell(warning('one'));
      return never;
    });
    for await (const _ of flow) break;
    expect(run?.signal.reason).toMatchObject({code: 'cancelled'});
  });
});

test('work that must not be left in the middle gives what it gives', async () => {
  const flow = reportingToItsEnd(async tell => {
    tell(warning('one'));
    return 7;
  });
  expect(await collect(flow)).toEqual({events: [warning('one')], result: 7});
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
