import type {Ports} from '../ports/ports.ts';
import type {Run} from './flow.ts';

/**
 * Returns a run of a flow whose events are dropped.
 *
 * @param warn receives the warnings
 */
export const quietRun = (ports: Ports, signal: AbortSignal, warn: (message: string) => void = () => {}): Run => ({
  ports,
  signal,
  tell: event => {
    if (event.type === 'warning') warn(event.message);
  },
});
