import {describe} from 'vitest';
import {tools} from './tools.ts';

/** Runs the tests of a cluster. If a tool is missing, they are skipped, and their title says which. */
export const describeCluster = (title: string, tests: (path: string) => void): void => {
  const found = tools();
  if ('missing' in found) describe.skip(`${title}, left out: ${found.missing}`, () => tests(''));
  else describe(title, () => tests(found.path));
};
