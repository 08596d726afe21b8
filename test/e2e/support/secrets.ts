import {expect} from 'vitest';

/** Long enough not to occur in other text by chance, short enough to find a cut or wrapped secret. */
const PIECE = 12;

/**
 * Checks that no piece of a secret is in a text: a screen may have cut the secret to its width, or broken it over
 * lines.
 */
export const expectWithout = (text: string, ...secrets: readonly string[]) => {
  for (const secret of secrets) {
    const pieces = Array.from({length: secret.length - PIECE + 1}, (_, at) => secret.slice(at, at + PIECE));
    expect(pieces.length, 'a secret that is long enough to look for').toBeGreaterThan(0);
    expect(
      pieces.find(piece => text.includes(piece)),
      'a piece of a secret',
    ).toBeUndefined();
  }
};
