import {useInput as useInkInput} from 'ink';
import {useLayoutEffect, useState} from 'react';

/**
 * Ink's `useInput`, but effective as soon as its component is on the screen. Ink listens in a passive effect, which
 * React delays until the frame is written: a key in between would go to the previous screen. An update in a layout
 * effect makes React run passive effects at once.
 */
export const useInput: typeof useInkInput = (handler, options = {}) => {
  const {isActive = true} = options;
  const [, settle] = useState<boolean>();
  useLayoutEffect(() => settle(isActive), [isActive]);
  useInkInput(handler, options);
};
