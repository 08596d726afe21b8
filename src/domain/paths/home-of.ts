type Env = Readonly<Record<string, string | undefined>>;

/**
 * The person's home directory as the environment says it, or undefined. On Windows that is USERPROFILE: HOME is there
 * where a program with a Unix past has set it, to whatever suits that.
 */
export const homeOf = ({HOME, USERPROFILE}: Env, platform: NodeJS.Platform = process.platform): string | undefined =>
  (platform === 'win32' ? USERPROFILE || HOME : HOME || USERPROFILE) || undefined;
