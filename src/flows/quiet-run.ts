import type {Ports} from '../ports/ports.ts';
import type {Run} from './flow.ts';

/**
 * A run of a flow whose events nobody asks for.
 *
 * @param warn is told its warnings
 */
export const quietRun = (ports: Ports, signal: AbortSignal, warn: (message: string) => void = () => {}): Run => ({
  ports,
  signal,
  tell: event => {
    if (event.type === 'warning') warn(event.message);
  },
});
