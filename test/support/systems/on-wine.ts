/** True if the system is Wine, as `npm run suite windows` says. Tests that are skipped there run on Windows. */
export const isOnWine = process.env.TESTS_ON_WINE !== undefined;
