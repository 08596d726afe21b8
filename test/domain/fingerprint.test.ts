import {expect, test} from 'vitest';
import {fingerprintOf} from '../../src/domain/fingerprint.ts';

test('a fingerprint tells two tokens apart without being one', () => {
  // The first twelve digits of SHA-256 (FIPS 180-4).
  expect(fingerprintOf('abc')).toBe('ba7816bf8f01');
});
