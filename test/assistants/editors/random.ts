/** Returns functions for choices that look random and are the same in every run with a seed. */
export const randomFrom = (seed: number) => {
  let state = seed;
  /** Returns an integer from 0 up to, but not including, `below` (mulberry32). */
  const number = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const one = <T extends {}>(choices: readonly T[]): T => {
    const choice = choices[number(choices.length)];
    if (choice === undefined) throw new Error('There is nothing to choose from.');
    return choice;
  };
  const some = <T>(most: number, make: () => T): readonly T[] => Array.from({length: number(most + 1)}, make);
  return {number, one, some};
};

export type Random = ReturnType<typeof randomFrom>;
