import type {Readable} from 'node:stream';

const CTRL_C = 0x03;

let release: (() => void) | undefined;

/**
 * Listens to the keys that come before the first screen does: the terminal does not interrupt by itself any more once the
 * launcher has switched its echo off. Ctrl-C interrupts at once, whatever is still being loaded or waited for. The others
 * are kept for the screen.
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

/** Hands the keys that were held to who reads the terminal next. Does nothing where none are held. */
export const releaseKeys = (): void => {
  release?.();
  release = undefined;
};
