let isChanging = false;

/** Notes that this process has begun to change files that are more than a cache for the next process. */
export const noteChange = (): void => {
  isChanging = true;
};

/** Whether this process has begun such changes. It then completes them, even if no client is connected any more. */
export const hasBegunChanges = (): boolean => isChanging;

const unfinished = new Set<Promise<unknown>>();

/** Keeps the process from ending before this work has ended, even after a signal. The work must end eventually. */
export const holdProcess = (work: Promise<unknown>): void => {
  const settled = work.then(
    () => {},
    () => {},
  );
  unfinished.add(settled);
  void settled.then(() => unfinished.delete(settled));
};

/** Resolves when no work holds the process any more; undefined if none does now. */
export const unfinishedWork = (): Promise<void> | undefined => {
  if (unfinished.size === 0) return undefined;
  return Promise.all(unfinished).then(unfinishedWork);
};
