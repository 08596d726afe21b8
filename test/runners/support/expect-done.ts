import {expect} from 'vitest';
import type {Ended} from '../../clients/support/program.ts';

/** Checks that a program succeeded, and shows its output if it did not. */
export const expectDone = ({code, stdout, stderr}: Ended): void => {
  expect(code, `${stdout}\n${stderr}`).toBe(0);
};
