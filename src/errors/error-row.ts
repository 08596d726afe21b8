/** Whose turn it is after a failure: the person's, the platform's operators', or this project's. */
export type Whose = 'you' | 'platform' | 'us';

export type Row = {readonly exit: number; readonly whose: Whose; readonly remedy: string};

export const row = (exit: number, whose: Whose, remedy: string): Row => ({exit, whose, remedy});

/** Exit codes by family: what a script can act on without knowing every code. */
export const INPUT = 2;
export const NETWORK = 3;
export const AUTH = 4;
export const PLATFORM = 5;
export const LOCAL = 6;
