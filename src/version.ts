declare const SETUP_VERSION: string | undefined;

/** The version of this program, which is built into the bundle; `0.0.0` in tests, which run the sources. */
export const version: string = typeof SETUP_VERSION === 'undefined' ? '0.0.0' : SETUP_VERSION;
