import {expect} from 'vitest';

/** Long enough that no other text has it by chance, short enough that a cut or wrapped secret is still seen. */
const PIECE = 12;

/** No piece of a secret stands in a text: a screen may have shown it cut to its width, or broken over lines. */
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
