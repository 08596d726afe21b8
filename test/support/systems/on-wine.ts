/** Whether the system is Wine, as `npm run suite windows` says: what is left out there is tested on Windows. */
export const isOnWine = process.env.TESTS_ON_WINE !== undefined;
