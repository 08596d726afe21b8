import {describe} from 'vitest';
import {chromiumPath, noChromium} from '../../e2e/support/sign-in/chromium.ts';
import {missing} from './admin.ts';

/** Runs tests on the Keycloak that all of them share. If it or a browser is missing, they are skipped, and say why. */
export const describeKeycloak = (title: string, tests: () => void) => {
  const why = missing ?? (chromiumPath === undefined ? noChromium : undefined);
  if (why === undefined) describe(title, tests);
  else describe.skip(`${title} (left out: ${why})`, tests);
};
