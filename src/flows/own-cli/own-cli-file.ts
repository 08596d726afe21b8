import type {Place} from '../../assistants/place.ts';
import type {Context, ContextCli} from '../../domain/context.ts';
import {isByHeader} from '../../domain/token-request.ts';
import {tokensAt} from '../../domain/token-spans.ts';
import {expiryOf} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {duration} from '../../text.ts';
import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow} from '../flow.ts';
import {holdTokens} from '../held-tokens.ts';
import {decodeText, diffOf, digest, readPlanned, type WritableFile, writePlanned} from '../planned-file.ts';
import {stoppable} from '../stoppable.ts';
import {byName, lists, maskCli, secretSpansIn, valuesIn, withoutEntry, withoutSecrets} from './cli-file.ts';
import {
  type CliRefreshTokenUse,
  type CliSecrets,
  composeCli,
  contextFields,
  knownRefreshTokenUse,
  type OwnCliInput,
  ownCliPath,
  secretsFor,
} from './compose-cli.ts';

export type PlannedCli = {
  readonly file: WritableFile;
  /** The record of the file after it is written. */
  readonly record: ContextCli;
  /** True if the CLI cannot renew the token that it gets. */
  readonly isTokenAlone?: true;
  /**
   * True if the plan assumes that the CLI can share the refresh token, and only a renewal can show whether it can. The
   * sign-in is renewed when the person has agreed to the plan.
   */
  readonly isUseUnknown?: true;
};

/**
 * Plans how the file of the platform's own CLI will change, without changing it. Warns of what the CLI cannot do with
 * this sign-in.
 *
 * @throws SetupError `local-file-invalid`, `local-write-failed`, `local-entry-exists` if a context of the same name
 *   leads elsewhere, `auth-sign-in-required` if nobody is signed in
 */
export const planOwnCli: Flow<OwnCliInput, PlannedCli> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const {platform, context, version, home, replace} = input;
    const path = ownCliPath(platform, home);
    await ports.files.check(path);
    const values = valuesIn(decodeText((await ports.files.read(path))?.bytes ?? Buffer.alloc(0), path), path);
    const use = input.use ?? (await knownRefreshTokenUse(input, ports));
    const isUseUnknown = input.use === undefined && use === 'unknown';
    const secrets = await secretsFor(input, ports);
    if (!secrets) throw new SetupError('auth-sign-in-required', `You are signed out of ${context.name}.`);
    const place = {platform, version, controlPlaneUrl: context.controlPlaneUrl, token: secrets.access.reveal()};
    const fields = await contextFields(values, context.name, place, run);
    const choice = {shares: use === 'stays' || isUseUnknown, fields};
    const change = await composeCli(input, choice, secrets, ports);
    if (change.isForeign && !replace) {
      throw new SetupError('local-entry-exists', `${path} already has “${context.name}”, pointing to another server.`, {
        about: {path},
      });
    }
    const message = isUseUnknown ? toBeAsked(input) : limitOf(input, use, secrets, ports);
    if (message !== undefined) tell({type: 'warning', message});
    const shown = maskCli(change.before?.toString('utf8') ?? '');
    const file: WritableFile = {
      path,
      change: change.change,
      summary: `${platform.ownCli?.name} signed in${choice.shares ? '' : ', no refresh token'}`,
      diff: change.change === 'unchanged' ? '' : await diffOf(shown, maskCli(change.after.reveal())),
      before: digest(change.before),
      write: {
        ...{after: change.after, mode: 0o600, tighten: true, tokens: change.tokens, signedOut: change.signedOut},
        directories: change.before ? [] : (change.record.directories ?? []),
      },
    };
    const {change: what, summary, diff} = file;
    tell({type: 'file-planned', path, change: what, summary, diff});
    if (isUseUnknown) return {file, record: change.record, isUseUnknown};
    return {file, record: change.record, ...(message === undefined ? {} : {isTokenAlone: true as const})};
  });

/** Says that the sign-in is renewed before the file is written, and why. */
const toBeAsked = ({platform: {ownCli}, context: {issuer}}: OwnCliInput): string =>
  `Before the file of ${ownCli?.name} is written, your sign-in is renewed once. If ${issuer} accepts each refresh token only once, ${ownCli?.name} gets the access token alone.`;

/** Says what the CLI cannot do with this sign-in, as sentences; undefined if there is nothing. */
const limitOf = (
  {platform, context}: OwnCliInput,
  use: CliRefreshTokenUse,
  {access}: CliSecrets,
  {clock}: Ports,
): string | undefined => {
  const {signIn, clientId, issuer, name: contextName} = context;
  const name = platform.ownCli?.name ?? '';
  if (use === 'stays' || (signIn !== 'browser' && !isByHeader(signIn))) return undefined;
  const expiresAt = expiryOf(access.reveal());
  const end = expiresAt === undefined ? 'expires' : `expires in ${duration(Math.max(0, expiresAt - clock.now()))}`;
  const after = `That token ${end}, and ${name} cannot renew it: ${SETUP} login --context ${contextName} gets another.`;
  if (signIn !== 'browser') {
    return `${name} gets the token of ${clientId} and not its secret: it cannot sign in with a client that sends its secret in the header (client_secret_basic). ${after}`;
  }
  const why = {
    'used-once': `${issuer} accepts each refresh token only once, and ${name} does not save the next one, so sharing yours would end your sign-in`,
    unknown: `${issuer} may accept a refresh token only once, and sharing such a token would end your sign-in`,
    none: `your sign-in came without a refresh token`,
  }[use];
  return `${name} gets the access token alone: ${why}. ${after}`;
};

/** The state of the platform's own CLI on this machine. */
export type FoundOwnCli = {readonly installed: boolean};

type FindInput = {readonly platform: Platform; readonly place: Place};

/**
 * Looks for the CLI's file, and for its program. Does not run the program, because any run writes into the person's
 * home. Never fails.
 */
export const findOwnCli: Flow<FindInput, FoundOwnCli> = ({platform, place}, run) =>
  stoppable(run, async ({ports}) => {
    if (await ports.files.exists(ownCliPath(platform, place.home))) return {installed: true};
    const name = platform.ownCli?.name;
    return {installed: name !== undefined && (await ports.processes.find(name)) !== undefined};
  });

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
 * if there was none, or if the person has signed in there with another client since.
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
  const {path, name, created, directories = []} = cli;
  let isRemoved = false;
  const isChanged = await files.withLock(path, async () => {
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
    if (created && isEmpty) {
      await files.remove(path, {journal: true, tokens});
      isRemoved = true;
    } else {
      await files.write(path, after, {
        ...{mode: 0o600, tighten: true, journal: true, tokens: {before: tokens, after: []}, expected: contents.bytes},
        ...(isSignOut ? ({isSignOut} as const) : {}),
      });
    }
    return true;
  });
  // Only after the lock is released, because the lock is in the same directory as the file.
  if (isRemoved) await files.removeEmpty(directories);
  return isChanged;
};
