declare const SETUP_VERSION: string | undefined;

/** The version of this program. The bundle has it built in; in tests, which run the sources, there is none. */
export const version: string = typeof SETUP_VERSION === 'undefined' ? '0.0.0' : SETUP_VERSION;
