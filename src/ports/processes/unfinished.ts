const unfinished = new Set<Promise<unknown>>();

/** Keeps the process from ending before this work has, whoever asks it to end. Work that never ends must not come here. */
export const holdProcess = (work: Promise<unknown>): void => {
  const settled = work.then(
    () => {},
    () => {},
  );
  unfinished.add(settled);
  void settled.then(() => unfinished.delete(settled));
};

/** Resolves when nothing holds the process any more; undefined when nothing does now. */
export const unfinishedWork = (): Promise<void> | undefined => {
  if (unfinished.size === 0) return undefined;
  return Promise.all(unfinished).then(unfinishedWork);
};
