import {type Secret, secretFrom} from '../domain/secret.ts';
import {SetupError} from '../errors/errors.ts';
import {onAbort} from '../on-abort.ts';
import type {Invocation} from './command.ts';
import type {FlagName} from './flags.ts';

/** Longer than any secret, in UTF-16 code units, so that a file that is piped in by mistake is not read to its end. */
const LONGEST = 8192;

/** Secrets that need not be typed. `from` says where the client's secret came from, in words. */
export type GivenSecrets = {readonly clientSecret?: Secret; readonly adminPassword?: Secret; readonly from?: string};

/**
 * Reads secrets from flags, standard input or the environment, in that order of precedence. A secret in the arguments
 * is accepted with a warning.
 *
 * @throws SetupError `input-invalid` if standard input has none, or is the terminal
 */
export const readSecrets = async (invocation: Invocation): Promise<GivenSecrets> => {
  const {flags, typed, env, terminal, recorder} = invocation;
  if (typed.has('client-secret')) {
    terminal.stderr.write('Warning: others on this machine can see --client-secret. Use --client-secret-stdin.\n');
  }
  const wanted = [
    ...(flags['client-secret-stdin'] && !typed.has('client-secret') ? (['client-secret'] as const) : []),
    ...(flags['admin-password-stdin'] ? (['admin-password'] as const) : []),
  ];
  const [first] = wanted;
  const lines = first === undefined ? [] : await readLines(invocation, `${first}-stdin`);
  const lineFor = (name: (typeof wanted)[number]) => {
    const at = wanted.indexOf(name);
    if (at >= 0 && !lines[at]) {
      throw new SetupError('input-invalid', `Standard input has no line for --${name}-stdin.`, {
        about: {flag: `${name}-stdin`},
      });
    }
    return at >= 0 ? lines[at] : undefined;
  };
  const clientSecret = secretFrom(lineFor('client-secret') ?? flags['client-secret']);
  const adminPassword = secretFrom(lineFor('admin-password') ?? env.SETUP_ADMIN_PASSWORD);
  for (const secret of [clientSecret, adminPassword]) recorder?.redactor.learn(secret?.reveal());
  const from = sourceOf(invocation);
  return {
    ...(clientSecret ? {clientSecret} : {}),
    ...(adminPassword ? {adminPassword} : {}),
    ...(from ? {from} : {}),
  };
};

const sourceOf = ({flags, typed}: Invocation): string | undefined => {
  if (typed.has('client-secret')) return 'the command line';
  if (flags['client-secret-stdin']) return 'standard input';
  return flags['client-secret'] ? 'CLI_CLIENT_SECRET' : undefined;
};

const readLines = async ({terminal: {stdin}, signal}: Invocation, flag: FlagName): Promise<readonly string[]> => {
  if (stdin.isTTY) {
    throw new SetupError('input-invalid', `--${flag} reads from a pipe, but standard input is the terminal.`, {
      remedy: 'Pipe the secret in, or leave out the flag and type the secret when asked.',
      about: {flag},
    });
  }
  const stopListening = onAbort(signal, () => stdin.destroy(signal.reason));
  let read = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      read += chunk;
      if (read.length > LONGEST) break;
    }
  } finally {
    stopListening();
  }
  // Some Windows programs begin a text with a byte order mark.
  return read
    .slice(0, LONGEST)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
};
