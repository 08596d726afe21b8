/** What was chosen on screens that a person may come back to, by the key of the screen. */
export type Memory = {
  keep(key: string, chosen: unknown): void;
  /** Everything that is kept counts from now on: the person has gone back. */
  goBack(): void;
  /** What was chosen there before the person went back; undefined where they came forward for the first time. */
  recall(key: string): unknown;
};

/**
 * A question that is put again because its answer was looked into stands at its own first offer: only who goes back finds
 * what they chose.
 */
export const createMemory = (): Memory => {
  const chosen = new Map<string, unknown>();
  let before: ReadonlyMap<string, unknown> = new Map();
  return {
    keep: (key, value) => {
      chosen.set(key, value);
      before = new Map([...before].filter(([other]) => other !== key));
    },
    goBack: () => {
      before = new Map(chosen);
    },
    recall: key => before.get(key),
  };
};
