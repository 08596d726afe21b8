import type {Context} from '../../domain/context.ts';
import {tokensAt} from '../../domain/token-spans.ts';
import type {Ports} from '../../ports/ports.ts';
import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow} from '../flow.ts';
import {holdTokens} from '../held-tokens.ts';
import {decodeText, readPlanned, writePlanned} from '../planned-file.ts';
import {byName, lists, secretSpansIn, valuesIn, withoutEntry, withoutSecrets} from './cli-file.ts';
import type {PlannedCli} from './plan-own-cli.ts';

type Input = {
  /** The name of the context that the CLI is signed in to. */
  readonly context: string;
  readonly planned: PlannedCli;
};

/**
 * Writes the planned file of the platform's own CLI, readable by its owner only, after its record. The sign-in is
 * already stored by then. Returns the path.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeOwnCli: Flow<Input, string> = (input, run) => whileNobodyWrites(run, held => write(input, held));

const write: Flow<Input, string> = async ({context, planned}, {ports, tell}) => {
  const {file, record} = planned;
  const {path, change} = file;
  // Also checks a file that is not going to change: the sign-in may have been removed from it meanwhile.
  await readPlanned({...file, change: 'changed'}, ports);
  await ports.config.saveCli(context, record);
  await writePlanned(file, ports);
  tell({type: 'file-written', path, change});
  return path;
};

/**
 * Removes the sign-in of a context from the file of the platform's own CLI, and leaves the rest as it is. Returns false
 * if there was none.
 *
 * @throws SetupError `local-file-invalid`, `local-write-failed`
 */
export const clearOwnCli = (context: Context, ports: Ports): Promise<boolean> =>
  edit(context, ports, true, (text, path, name) => withoutSecrets(text, name, path));

/**
 * Removes the deployment itself, as far as this program entered it. Removes the file if it was created for that and has
 * nothing else in it. Returns false if there was nothing to remove.
 *
 * @throws SetupError as `clearOwnCli` does
 */
export const removeOwnCli = (context: Context, ports: Ports): Promise<boolean> =>
  edit(context, ports, false, (text, path, name) => {
    const {added = [], previous} = context.cli ?? {};
    const from = {name, from: added, ...(previous === undefined ? {} : {previous})};
    return withoutEntry(withoutSecrets(text, name, path), from, path);
  });

type Change = (text: string, path: string, name: string) => string;

const edit = async ({cli, clientId}: Context, ports: Ports, isSignOut: boolean, change: Change): Promise<boolean> => {
  const {files} = ports;
  if (!cli || !(await files.exists(cli.path))) return false;
  const {path, name, created} = cli;
  return files.withLock(path, async () => {
    const contents = await files.read(path);
    if (!contents) return false;
    const text = decodeText(contents.bytes, path);
    const values = valuesIn(text, path);
    const {clientId: found} = byName(values.credentials, name) ?? {};
    // Credentials of another client are a sign-in that the person has made since.
    if (found !== undefined && found !== clientId) return false;
    const after = change(text, path, name);
    if (after === text) return false;
    const tokens = secretSpansIn(text, name);
    await holdTokens(path, tokensAt(contents.bytes, tokens), ports);
    const left = valuesIn(after, path);
    const isEmpty = lists.every(list => left[list].length === 0);
    if (created && isEmpty) await files.remove(path, {journal: true, tokens});
    else {
      await files.write(path, after, {
        ...{mode: 0o600, tighten: true, journal: true, tokens: {before: tokens, after: []}, expected: contents.bytes},
        ...(isSignOut ? ({isSignOut} as const) : {}),
      });
    }
    return true;
  });
};
