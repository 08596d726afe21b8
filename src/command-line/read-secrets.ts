import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {Invocation} from './command.ts';
import type {FlagName} from './flags.ts';

/** More than any secret is long, in bytes: a file piped in by mistake is not read to its end. */
const LONGEST = 8192;

/**
 * Puts the secrets that came by flag, environment or standard input into the vault, in that order of precedence: a flag
 * wins over standard input, and that over the environment. A secret in the arguments works, and warns.
 *
 * @returns where the client secret came from, in words
 * @throws SetupError `input-invalid` when standard input has nothing to offer
 */
export const readSecrets = async (invocation: Invocation, {vault}: Ports): Promise<string | undefined> => {
  const {flags, typed, env, terminal} = invocation;
  if (typed.has('client-secret')) {
    terminal.stderr.write('Warning: others on this machine can see --client-secret. Use --client-secret-stdin.\n');
  }
  const setClientSecret = (secret: string | undefined) => {
    // Which kind of client it belongs to is not known before the way to sign in is.
    vault.set('service-account-secret', secret);
    vault.set('mcp-client-secret', secret);
  };
  setClientSecret(flags['client-secret'] || undefined);
  vault.set('admin-password', env.SETUP_ADMIN_PASSWORD || undefined);

  const wanted = [
    ...(flags['client-secret-stdin'] && !typed.has('client-secret') ? (['client-secret'] as const) : []),
    ...(flags['admin-password-stdin'] ? (['admin-password'] as const) : []),
  ];
  const source = sourceOf(invocation);
  const [first] = wanted;
  if (first === undefined) return source;
  const lines = await readLines(invocation, `${first}-stdin`);
  for (const [index, name] of wanted.entries()) {
    const line = lines[index];
    if (!line)
      throw new SetupError('input-invalid', `Standard input has no line for --${name}-stdin.`, {
        about: {flag: `${name}-stdin`},
      });
    if (name === 'client-secret') setClientSecret(line);
    else vault.set(name, line);
  }
  return source;
};

const sourceOf = ({flags, typed}: Invocation): string | undefined => {
  if (typed.has('client-secret')) return 'the command line';
  if (flags['client-secret-stdin']) return 'standard input';
  return flags['client-secret'] ? 'CLI_CLIENT_SECRET' : undefined;
};

const readLines = async ({terminal: {stdin}, signal}: Invocation, flag: FlagName): Promise<readonly string[]> => {
  if (stdin.isTTY) {
    throw new SetupError('input-invalid', `--${flag} reads from a pipe, and standard input is the terminal.`, {
      remedy: 'Pipe the secret in, or leave the flag out and type it when you are asked.',
      about: {flag},
    });
  }
  const end = () => stdin.destroy(signal.reason);
  signal.addEventListener('abort', end, {once: true});
  let read = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      read += chunk;
      if (read.length > LONGEST) break;
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
  return read.slice(0, LONGEST).split(/\r?\n/);
};
