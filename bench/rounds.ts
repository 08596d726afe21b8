/**
 * Measures several things in turn, round after round, so that other load on the machine affects all of them equally.
 * Each round starts with another one. The samples are returned under the same names.
 */
export const inRounds = async <Name extends string, Sample>(
  count: number,
  measures: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Readonly<Record<Name, readonly Sample[]>>> => {
  const names = Object.keys(measures) as Name[];
  const samples = Object.fromEntries(names.map(name => [name, [] as Sample[]])) as Record<Name, Sample[]>;
  for (let round = 0; round < count; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      if (name !== undefined) samples[name].push(await measures[name]());
    }
  }
  return samples;
};
