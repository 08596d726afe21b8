/** Every exit code, with its meaning for a script. The table of errors uses no other code. */
export const exitCodes = {
  0: {says: 'It worked.'},
  1: {says: '`status`: nobody is signed in. `doctor --strict` and `provider check --strict`: only warnings.'},
  2: {family: 'input', says: 'Something on the command line is missing or not understood.'},
  3: {family: 'network', says: 'An address cannot be reached or trusted.'},
  4: {family: 'auth', says: 'A sign-in, a token or a permission was refused.'},
  5: {family: 'platform', says: 'A server answered, but not as it should.'},
  6: {family: 'local', says: 'Something on this machine is in the way: a file, a lock, a port, the keychain, npm.'},
  70: {family: 'bug', says: 'A fault of this program.'},
  75: {says: '`login --resume --no-wait`: nobody has typed the code yet (`auth-sign-in-pending`).'},
  130: {family: 'cancelled', says: 'You left.'},
  141: {says: 'Nobody read the output to its end. What was begun is done.'},
} as const satisfies Readonly<Record<number, {readonly family?: string; readonly says: string}>>;

export type ExitCode = keyof typeof exitCodes;
