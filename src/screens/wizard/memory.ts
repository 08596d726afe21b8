/** Remembers the choices on screens that a person may come back to, by the key of the screen. */
export type Memory = {
  keep(key: string, chosen: unknown): void;
  /** Makes everything that is kept available to `recall`: the person has gone back. */
  goBack(): void;
  /** Returns the choice before the person went back; undefined if they reach the screen for the first time. */
  recall(key: string): unknown;
};

/**
 * Creates the memory. A question that the program asks again starts at its own first offer: only a person who goes back
 * finds their earlier choice.
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
