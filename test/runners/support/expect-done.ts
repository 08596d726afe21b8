import {expect} from 'vitest';
import type {Ended} from '../../clients/support/program.ts';

/** That a program ended well; what it said instead is told. */
export const expectDone = ({code, stdout, stderr}: Ended): void => {
  expect(code, `${stdout}\n${stderr}`).toBe(0);
};
