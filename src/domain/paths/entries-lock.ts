/**
 * The path whose lock a journey holds that writes or removes entries. There is never a file of this name, only its lock.
 *
 * @param config path of the config, which knows of all entries
 */
export const entriesLockOf = (config: string): string => `${config}.entries`;
