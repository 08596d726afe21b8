let isChanging = false;

/** Notes that this process has begun to change files that are not merely a help for the next one. */
export const noteChange = (): void => {
  isChanging = true;
};

/** Whether it has: then it goes on to its end, though nobody may hear of it any more. */
export const hasBegunChanges = (): boolean => isChanging;
