import {useInput as useInkInput} from 'ink';
import {useLayoutEffect, useState} from 'react';

/**
 * Ink's `useInput`, in force as soon as its component is on the screen. Ink listens in a passive effect, which React puts
 * off until after the frame is written: a key that comes in between would be that of the screen before. An update in a
 * layout effect makes React run the passive ones at once.
 */
export const useInput: typeof useInkInput = (handler, options = {}) => {
  const {isActive = true} = options;
  const [, settle] = useState<boolean>();
  useLayoutEffect(() => settle(isActive), [isActive]);
  useInkInput(handler, options);
};
