import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import {asAssistants, type Context, type ContextEntry, hasClientSecret} from '../domain/context.ts';
import {hasSecrets} from '../domain/credentials.ts';
import {isSamePath} from '../domain/paths.ts';
import {signInsOf} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {JournalEntry} from '../ports/storage.ts';
import {type Disconnected, disconnectAssistants} from './assistants/disconnect-assistants.ts';
import {removeIgnoreLine} from './assistants/ignore-lines.ts';
import {whileNobodyWrites} from './entries-lock.ts';
import type {Flow} from './flow.ts';
import {removeOwnCli} from './own-cli/own-cli-file.ts';
import {grantedIn, rolePlace, type TakenRole, takeRoleBack} from './sign-in/give-up-account.ts';
import {type SignedOut, signOut, unusedClients} from './sign-out.ts';
import {type JournalRun, revertible, undoableRuns, undoWrites} from './undo.ts';

/** Everything that `uninstall` is about to remove. */
export type UninstallPlan = {
  readonly contexts: readonly {
    readonly name: string;
    readonly isSignedIn: boolean;
    /** The MCP client whose secret is removed, which may exist nowhere else. */
    readonly secretOf?: string;
    /** The client of the assistants' account, which stays at the identity provider. */
    readonly clientOfAssistants?: string;
    /** The role that this program granted to that account: its bindings, and where they are. */
    readonly role?: Pick<TakenRole, 'place' | 'bindings'>;
    /** Files with entries of this program, by the assistants that read them. */
    readonly entries: readonly {readonly assistant: string; readonly path: string}[];
    /** The file of the platform's own CLI, if this program has entered the deployment there. */
    readonly cli?: string;
  }[];
  /** Clients that this program created and that no context uses, whose secrets may exist nowhere else. */
  readonly unusedClients: readonly string[];
  /** Other programs' files that were written and that no context knows: they become what they were before. */
  readonly files: readonly string[];
  /** Where secrets are stored: `file`, or the keychain's name. */
  readonly secretsIn: string;
  /** Paths of this program's own files and directories. */
  readonly own: readonly string[];
};

/** Returns what runs wrote, without the changes of sign-outs. */
export const writesOf = (runs: readonly JournalRun[]): readonly JournalEntry[] =>
  runs.flatMap(({entries}) => entries).filter(({isSignOut}) => !isSignOut);

/** Finds what there is to remove, and changes nothing. @throws SetupError `local-*` if the config cannot be read */
export const planUninstall = async (assistants: readonly Assistant[], ports: Ports): Promise<UninstallPlan> => {
  const {contexts} = await ports.config.read();
  const own = await ports.ownFiles.list();
  const runs = await undoableRuns(ports);
  const known = [
    ...own,
    ports.config.path,
    ...contexts.flatMap(({entries = [], cli}) => [...entries, ...(cli ? [cli] : [])]).map(({path}) => path),
  ];
  const nameOf = (id: string) => assistants.find(one => one.id === id)?.name ?? id;
  return {
    contexts: await Promise.all(
      contexts.map(async context => {
        // Credentials that cannot be read may be a sign-in.
        const hadSecrets = await Promise.all(
          signInsOf(context).map(one => ports.credentials.get(one).then(hasSecrets, () => true)),
        );
        const {name, entries = [], cli, signIn, clientId, assistantsAccount} = context;
        const granted = grantedIn(context);
        return {
          name,
          isSignedIn: hadSecrets.includes(true),
          ...(hadSecrets.includes(true) && hasClientSecret({signIn}) ? {secretOf: clientId} : {}),
          ...(assistantsAccount && hasClientSecret(assistantsAccount)
            ? {clientOfAssistants: assistantsAccount.clientId}
            : {}),
          ...(granted ? {role: rolePlace(context, granted)} : {}),
          entries: entries.map(({assistant, path}) => ({assistant: nameOf(assistant), path})),
          ...(cli ? {cli: cli.path} : {}),
        };
      }),
    ),
    unusedClients: await unusedClients(contexts, ports),
    secretsIn: await ports.credentials.where(),
    files: [...new Set(await revertible(writesOf(runs), ports))].filter(
      path => !known.some(one => isSamePath(one, path)),
    ),
    own,
  };
};

export type Uninstalled = {
  /** The roles of assistants' accounts that were taken back at their control planes, or could not be. */
  readonly roles: readonly TakenRole[];
  readonly signedOut: readonly (Pick<SignedOut, 'revocation' | 'goodUntil'> & {readonly context: string})[];
  /**
   * Other programs' files, by their outcome: as they were before, removed because they did not exist before, or edited.
   */
  readonly files: readonly {readonly path: string; readonly outcome: Outcome}[];
  /** The paths that are left in this program's own directories: they are not its own, or could not be removed. */
  readonly left: readonly string[];
};

type Outcome = 'restored' | 'removed' | 'edited';

type Input = {
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  /** Returns the ports that reach a context, through its proxy and with its authority. */
  readonly portsFor: (context: Context) => Promise<Ports>;
};

/**
 * Signs out of every context, puts back every file as it was before this program wrote to it, and removes this
 * program's own files. From a file that was changed since, only the entries are removed. This program's records are
 * removed last, and only once nothing needs them any more: another run after a failure goes on where this one stopped.
 *
 * @throws SetupError `local-uninstall-unfinished` with everything that could not be removed
 */
export const uninstall: Flow<Input, Uninstalled> = async ({assistants, place, portsFor}, run) => {
  const {ports} = run;
  const failures = new Set<string>();
  const note = (error: unknown) => {
    if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
    failures.add(error.message);
  };
  const {contexts} = await ports.config.read();
  const leaving = contexts.map(({name}) => name);
  const signedOut: Uninstalled['signedOut'][number][] = [];
  const signIns = contexts.flatMap(context => [context, asAssistants(context) ?? []].flat());
  const roles: TakenRole[] = [];
  for (const context of contexts) {
    const taking = takeRoleBack(context, {...run, ports: await portsFor(context)});
    const taken = await noting(taking, note);
    if (taken) roles.push(taken);
  }
  for (const context of signIns) {
    const signingOut = signOut({context, assistants, place, leaving}, {...run, ports: await portsFor(context)});
    const done = await noting(signingOut, note);
    if (!done) continue;
    const {revocation, goodUntil} = done;
    signedOut.push({context: context.name, revocation, ...(goodUntil === undefined ? {} : {goodUntil})});
  }
  const removal = {assistants, place, failures, note};
  const files = await whileNobodyWrites(run, held => removeAll(removal, held));
  // At the end, because the lock is in one of these directories.
  return {roles, signedOut, files, left: await ports.ownFiles.removeDirectories()};
};

type Removal = Omit<Input, 'portsFor'> & {
  /** The failures so far, as sentences. */
  readonly failures: ReadonlySet<string>;
  /** Records a SetupError as a failure. @throws any other error, and `cancelled` */
  readonly note: (error: unknown) => void;
};

/** Removes every entry and then, once none is left, this program's records of them. */
const removeAll: Flow<Removal, Uninstalled['files']> = async ({assistants, place, failures, note}, run) => {
  const {ports} = run;
  const outcomes = new Map<string, Outcome>();
  const runs = await undoableRuns(ports);
  // Undo does not know a file that its assistant has moved, and afterwards there would be no record of it.
  const written = writesOf(runs).flatMap(({path, link}) => [path, ...(link === undefined ? [] : [link])]);
  const before = await contentsOf(written, ports);
  const isMoved = ({path}: ContextEntry) => !written.some(one => isSamePath(one, path));
  for (const context of (await ports.config.read()).contexts) {
    const input = {context, assistants, place, chosen: isMoved};
    const disconnected = await noting(disconnectAssistants(input, run), note);
    for (const path of changedBy(disconnected)) outcomes.set(path, 'edited');
  }
  const lines = (await ports.config.read()).contexts.flatMap(({entries = []}) =>
    entries.flatMap(one => one.ignored ?? []),
  );
  const changed: string[] = [];
  for (const which of runs) {
    const undone = await noting(undoWrites({which, where: {assistants, place}}, run), note);
    for (const {path, outcome, wasBack} of undone?.files ?? []) {
      if (outcome === 'edited' && wasBack) continue;
      if (outcome === 'changed-since') changed.push(path);
      if (outcome === 'restored' || outcome === 'removed' || outcome === 'edited') outcomes.set(path, outcome);
    }
  }
  // The entries that are still recorded are in files that were changed since. Only this program's own parts are removed
  // from these files.
  for (const context of (await ports.config.read()).contexts) {
    const disconnected = await noting(
      disconnectAssistants({context, assistants, place, chosen: () => true}, run),
      note,
    );
    for (const path of changedBy(disconnected)) outcomes.set(path, 'edited');
    const isRemoved = await removeOwnCli(context, ports).catch(note);
    if (context.cli && isRemoved) outcomes.set(context.cli.path, 'edited');
  }
  // No record is left of the lines in an ignore file that was changed since: undo has put back a config without it.
  for (const [index, line] of lines.entries()) {
    if (!changed.some(path => isSamePath(path, line.path))) continue;
    const isLast = !lines.slice(index + 1).some(({path}) => isSamePath(path, line.path));
    if (await removeIgnoreLine(line, isLast, ports).catch(note)) outcomes.set(line.path, 'edited');
  }
  if (failures.size > 0) {
    throw new SetupError('local-uninstall-unfinished', `Not everything could be removed. ${[...failures].join(' ')}`);
  }
  const own = new Set([...(await ports.ownFiles.list()), ports.config.path]);
  // A file whose entries were removed earlier is written twice, and is as it was when the uninstall began.
  const after = await contentsOf([...outcomes.keys()], ports);
  const files = [...outcomes]
    .map(([path, outcome]) => ({path, outcome}))
    .filter(({path}) => !own.has(path) && !(before.has(path) && before.get(path) === after.get(path)));
  await ports.ownFiles.remove();
  return files;
};

/** Returns the contents of files as base64; undefined for a file that does not exist or cannot be read. */
const contentsOf = async (paths: readonly string[], {files}: Ports): Promise<ReadonlyMap<string, string | undefined>> =>
  new Map(
    await Promise.all(
      [...new Set(paths)].map(async path => {
        const found = await files.read(path).catch(() => undefined);
        return [path, found?.bytes.toString('base64')] as const;
      }),
    ),
  );

const changedBy = (disconnected: readonly Disconnected[] = []): readonly string[] =>
  disconnected.flatMap(({path, outcome, ignoreFile}) => [
    ...(outcome === 'removed' ? [path] : []),
    ...(ignoreFile === undefined ? [] : [ignoreFile]),
  ]);

/** Returns the result of a flow; undefined if it failed, which `note` records. */
const noting = async <Output>(flow: Promise<Output>, note: (error: unknown) => void): Promise<Output | undefined> => {
  try {
    return await flow;
  } catch (error) {
    note(error);
    return undefined;
  }
};
