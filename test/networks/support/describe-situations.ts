import {describe, test} from 'vitest';
import {toolsOf} from './proxies.ts';
import {expectEnd} from './run-situation.ts';
import type {Situation} from './situation.ts';
import {missingFor, type Tool} from './tools.ts';

/**
 * Defines a test that needs these tools besides the common ones. If one is missing, it is skipped, and its title
 * names the tool.
 */
export const testIn = (name: string, wanted: readonly Tool[], run: () => Promise<void>): void => {
  const missing = missingFor(wanted);
  if (missing === undefined) test(name, run);
  else test.skip(`${name}, left out: ${missing}`, run);
};

/** Defines one test for each situation of a table. */
export const describeSituations = (title: string, situations: readonly Situation[]): void => {
  describe(title, () => {
    for (const situation of situations) {
      const {platform, proxy} = situation;
      const python: readonly Tool[] = platform && platform.wantsCertificate === 'alert' ? ['python3'] : [];
      testIn(situation.name, [...toolsOf(proxy), ...python], () => expectEnd(situation));
    }
  });
};
