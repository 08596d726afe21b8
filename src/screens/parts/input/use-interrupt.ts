import {usePaste} from 'ink';
import {useInput} from './use-input.ts';

/**
 * What the whole screen does with keys: Ctrl-C leaves from anywhere, and a paste that nobody waits for does nothing. For
 * that the terminal has to say what is pasted, or each character of it would be a key.
 */
export const useInterrupt = (leave: () => void): void => {
  useInput((input, key) => {
    if (key.ctrl && input === 'c') leave();
  });
  usePaste(() => {});
};
