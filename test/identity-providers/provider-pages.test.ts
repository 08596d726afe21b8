import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {providerPages} from '../../scripts/provider-pages.ts';

test('the pages of the documentation say what the data says: npm run docs provider-pages', () => {
  expect(readFileSync(resolve(import.meta.dirname, '../../docs/identity-providers.md'), 'utf8')).toBe(providerPages());
});
