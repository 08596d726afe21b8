import {expect, test} from 'vitest';
import {checkTrusted} from '../../../src/flows/deployment/examine-platform.ts';

const controlPlane = 'https://api.acme.example';
const found = {url: 'https://other.example/realms/acme', issuer: 'https://other.example/realms/acme/'};
const given = {authUrl: found.url};

test('an identity provider that the control plane does not trust is a question', () => {
  expect(() => checkTrusted(controlPlane, 'https://idp.acme.example', found, given)).toThrow(
    expect.objectContaining({
      code: 'auth-issuer-mismatch',
      message: `${controlPlane} trusts https://idp.acme.example, not ${found.issuer}.`,
      remedy: expect.objectContaining({flag: expect.stringContaining(`pass --issuer ${found.issuer} as well`)}),
      about: expect.objectContaining({issuers: {trusted: 'https://idp.acme.example', given: found.issuer}}),
    }),
  );
});

test.each([
  ['it trusts that one', found.url, given],
  ['it trusts that one but for a slash', found.issuer, given],
  ['it does not say', undefined, given],
  ['nobody named one', 'https://idp.acme.example', {}],
  ['the person has named the issuer as well', 'https://idp.acme.example', {...given, issuer: found.issuer}],
])('there is none where %s', (_why, trusted, named) => {
  expect(() => checkTrusted(controlPlane, trusted, found, named)).not.toThrow();
});
