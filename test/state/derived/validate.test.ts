import {describe, expect, test} from 'vitest';
import {addressIn, baseDomainIn, clientSecretIn} from '../../../src/state/derived/validate.ts';
import {at} from '../../support/states.ts';

describe('what a person types', () => {
  test('is a base domain, or why it is none', () => {
    const validate = baseDomainIn(at['find-deployment']);
    expect(validate('acme.localhost')).toBeUndefined();
    expect(validate('no good')).toBe('“no good” is not a base domain. A base domain looks like acme.example.com.');
  });

  test('is an address, or why it is none', () => {
    const validate = addressIn('The observer');
    expect(validate('http://observer.acme.localhost')).toBeUndefined();
    expect(validate('no good')).toMatch(/^“no good” is not an address. The observer needs/);
  });

  test('is read by the rules alone: a fault of ours is no answer', () => {
    expect(() => baseDomainIn(at['find-deployment'])(7 as never)).toThrow(TypeError);
  });
});

test.each([
  'the-secret',
  '  the-secret\n',
  'Bearer the-secret',
  'authorization: bearer the-secret',
  'Authorization:Bearer  the-secret',
])('%j is a client secret with what stood before it in a header', typed => {
  expect(clientSecretIn(typed)).toBe('the-secret');
});

test.each(['bearerish', 'authorization: the-secret', 'my bearer token', 'the-secret:1'])('%s stays as it is', typed => {
  expect(clientSecretIn(typed)).toBe(typed);
});
