let isChanging = false;

/** Notes that this process has begun to change files that are not only a cache for the next process. */
export const noteChange = (): void => {
  isChanging = true;
};

/** Whether this process has begun such changes. It then completes them, even if no client is connected any more. */
export const hasBegunChanges = (): boolean => isChanging;
