import type {Readable} from 'node:stream';

const CTRL_C = 0x03;

let release: (() => void) | undefined;

/**
 * Handles the keys before the first screen: once the launcher has switched off the terminal's echo, Ctrl-C no longer
 * sends a signal. Ctrl-C interrupts at once, whatever is still loading. The other keys are kept for the screen.
 */
export const holdKeys = (stdin: Readable, interrupt: () => void): void => {
  const held: Buffer[] = [];
  const hear = () => {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) {
      const bytes = Buffer.from(chunk);
      held.push(bytes);
      if (bytes.includes(CTRL_C)) interrupt();
    }
  };
  stdin.on('readable', hear);
  release = () => {
    stdin.off('readable', hear);
    if (held.length > 0) stdin.unshift(Buffer.concat(held));
  };
};

/** Stops holding keys back, and passes the typed ones to the next reader. Does nothing unless keys are held back. */
export const releaseKeys = (): void => {
  release?.();
  release = undefined;
};
