import type {Run} from '../../flows/flow.ts';
import {setupAwaited} from '../../flows/setup-awaited.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Terminal} from '../command.ts';

/** A run of a flow that writes or removes entries: standard error says what it warns of, and that another setup is waited for. */
export const writingRun = (ports: Ports, signal: AbortSignal, {stderr}: Pick<Terminal, 'stderr'>): Run => ({
  ports,
  signal,
  tell: event => {
    if (event.type === 'setup-awaited') stderr.tell(`${setupAwaited}\n`);
    if (event.type === 'warning') stderr.tell(`${event.message}\n`);
  },
});
