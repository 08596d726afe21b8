/** Every exit code, with its meaning for a script. The table of errors uses no other code. */
export const exitCodes = {
  0: {says: 'It worked.'},
  1: {
    says: '`status`: you are not signed in. `doctor --strict` and `provider check --strict`: there are warnings, but no failures (`warnings-only`).',
  },
  2: {family: 'input', says: 'Something on the command line is missing or not understood.'},
  3: {family: 'network', says: 'An address cannot be reached or trusted.'},
  4: {family: 'auth', says: 'A sign-in, a token or a permission was refused.'},
  5: {family: 'platform', says: 'A server answered with an error, or with something unexpected.'},
  6: {
    family: 'local',
    says: 'Something on this machine causes the failure: a file, a lock, a port, the keychain, npm.',
  },
  70: {family: 'bug', says: 'This program has a bug.'},
  75: {says: '`login --resume --no-wait`: nobody has typed the code yet (`auth-sign-in-pending`).'},
  130: {family: 'cancelled', says: 'You quit or cancelled.'},
  141: {says: 'The reader closed the output before its end. The program finished the work that it had begun.'},
} as const satisfies Readonly<Record<number, {readonly family?: string; readonly says: string}>>;

export type ExitCode = keyof typeof exitCodes;

/** Exit codes by family, which a script can act on without knowing every error code. */
export const INPUT = 2;
export const NETWORK = 3;
export const AUTH = 4;
export const PLATFORM = 5;
export const LOCAL = 6;
/** A fault in this program (EX_SOFTWARE of sysexits.h). */
export const BUG = 70;
/** Nothing is wrong yet: try again later (EX_TEMPFAIL of sysexits.h). */
export const PENDING = 75;
/** The person ended the program: 128 plus the number of SIGINT, which is 2. */
export const CANCELLED = 130;

/** Returns the exit code of an error by the family of its code. The table of errors has another one for a few. */
export const usualExitCode = (code: string): ExitCode => byFamily[code.split('-', 1)[0] ?? ''] ?? BUG;

const byFamily: Readonly<Record<string, ExitCode>> = {
  input: INPUT,
  network: NETWORK,
  auth: AUTH,
  platform: PLATFORM,
  local: LOCAL,
  cancelled: CANCELLED,
};
