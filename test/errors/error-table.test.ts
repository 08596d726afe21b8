import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {errorPages} from '../../scripts/error-pages.ts';
import {errorCodes, rowOf} from '../../src/errors/error-table.ts';
import {checksOf} from '../../src/flows/diagnosis/all-checks.ts';
import {codeOfCheck, explanationOfCheck} from '../../src/flows/diagnosis/check-explanations.ts';
import {openchoreo} from '../../src/platform/platforms.ts';
import {contextAt} from '../support/context.ts';

test.each(errorCodes)('%s is explained in sentences, and in a name that fits behind a colon', code => {
  const {name, means, why} = rowOf(code);
  expect(name).toMatch(/^[^.]{3,40}$/);
  expect(means).toMatch(/^\p{Lu}.*\.$/u);
  expect(why).toMatch(/^\p{Lu}.*\.$/u);
});

test('no two codes have the same name', () => {
  const names = errorCodes.map(code => rowOf(code).name);
  expect(new Set(names).size).toBe(names.length);
});

test('every check has a layer, and a code for its warnings that is explained', () => {
  const context = {...contextAt('https://idp.acme.example'), controlPlaneUrl: 'https://api.acme.example'};
  const {controlPlaneUrl, authUrl, issuer} = context;
  const subject = {
    platform: openchoreo,
    context,
    controlPlaneUrl,
    observerUrl: 'https://o.acme.example',
    authUrl,
    issuer,
  };
  for (const {id, layer} of checksOf(subject)) {
    expect({id, layer}).toEqual({id, layer: expect.any(String)});
    expect(explanationOfCheck(codeOfCheck(id)), id).toBeDefined();
  }
});

test('the page of codes is what is explained; npm run docs error-pages writes it', () => {
  expect(readFileSync(new URL('../../docs/error-codes.md', import.meta.url), 'utf8')).toBe(errorPages());
});
