import type {Run} from '../../flows/flow.ts';
import {setupAwaited} from '../../flows/flow.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Terminal} from '../command.ts';

/**
 * Returns a run for a flow that writes or removes entries. Standard error gets the warnings, and a notice if the flow
 * waits for another setup.
 */
export const writingRun = (ports: Ports, signal: AbortSignal, {stderr}: Pick<Terminal, 'stderr'>): Run => ({
  ports,
  signal,
  tell: event => {
    if (event.type === 'setup-awaited') stderr.tell(`${setupAwaited}\n`);
    if (event.type === 'warning') stderr.tell(`${event.message}\n`);
  },
});
