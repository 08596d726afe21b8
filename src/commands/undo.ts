import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {contextFlag} from '../command-line/context-argument.ts';
import {portsTo} from '../command-line/network-flags.ts';
import {confirm} from '../command-line/output/confirm.ts';
import {writingRun} from '../command-line/output/writing-run.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import {type Context, hasClientSecret} from '../domain/context.ts';
import {isSamePath} from '../domain/paths.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import type {AssistantPlaces} from '../flows/assistants/moved-entries.ts';
import {leftAlone} from '../flows/assistants/ownership.ts';
import {sayGrantedAgain, sayTaken} from '../flows/sign-in/give-up-account.ts';
import {IF_ONLY_COPY} from '../flows/sign-out.ts';
import {
  chosenRun,
  editedBy,
  emptyBefore,
  type JournalRun,
  type Leaving,
  lostBy,
  overtakenBy,
  rolesTakenBy,
  type Undoable,
  type Undone,
  undoableRuns,
  undoWrites,
} from '../flows/undo.ts';
import type {Ports} from '../ports/ports.ts';
import type {JournalEntry} from '../ports/storage.ts';
import {SETUP} from '../setup-command.ts';
import {findOwnPaths, shortPath} from '../store/own-paths.ts';

/**
 * `setup undo`: reverts what the latest run wrote, or the run that `--run` names, or all of them with `--all`, if the
 * person agrees. Then it says what the next undo would revert. `--list` lists what can be reverted.
 */
export const runUndo: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  if (flags.list) return listRuns(await undoableRuns(ports), await ports.journal.damaged(), invocation);
  const run = await chosenRun(chosenBy(flags), ports);
  const where = {assistants: allAssistants, place: readPlace(invocation.env)};
  if (!flags.yes) await agree({run, where}, ports, invocation);
  const portsFor = (context: Context) => portsTo(context, invocation, ports);
  const undone = await undoWrites({which: run, where, portsFor}, writingRun(ports, signal, terminal));
  const left = await undoableRuns(ports);
  const handled = new Set(run.entries.map(({id}) => id));
  const next = left.find(({entries}) => !entries.some(({id}) => handled.has(id)));
  const changed = undone.files.filter(({outcome}) => outcome === 'changed-since');
  const overtaken = undone.files.filter(({because}) => because?.why === 'newer-run');
  tell(undone, next, invocation);
  if (next && !flags.json) tellNext(next, run, {number: left.indexOf(next) + 1, of: left.length}, invocation);
  if (changed.length + overtaken.length === 0) return left.length === 0 ? leaveNothing(ports) : undefined;
  const {home} = findOwnPaths(invocation.env);
  const namesOf = (files: readonly Undoable[]) => files.map(({path}) => shortPath(path, home)).join(', ');
  if (changed.length === 0) {
    const message = `Not everything was reverted: a newer run has also changed ${namesOf(overtaken)}.`;
    throw new SetupError('local-file-changed', message, {
      remedy: phrase`Revert the newer run first: ${setup('undo')}.`,
    });
  }
  const names = namesOf(changed);
  const have = changed.length === 1 ? 'has' : 'have';
  const exposed = undone.files.find(({because}) => because?.why === 'token-would-be-in-git');
  const number = 1 + left.findIndex(({entries}) => entries.some(({id}) => handled.has(id)));
  const remedy = exposed && `Keep ${shortPath(exposed.path, home)} out of git, then run ${commandFor(number)} again.`;
  throw new SetupError('local-file-changed', `Not everything was reverted: ${names} ${have} changed since.`, {
    remedy: remedy ?? (await remedyFor(changed, next, ports)),
  });
};

/** Removes this program's own files, once nothing is set up and nothing can be reverted. */
const leaveNothing = async ({config, journal, ownFiles}: Ports): Promise<void> => {
  if ((await config.read()).contexts.length > 0 || (await journal.damaged()).length > 0) return;
  await ownFiles.remove();
  await ownFiles.removeDirectories();
};

/** Says what would be reverted, and asks. If no person can be asked, `--yes` or a flag that names runs is required. */
const agree = async (
  {run, where}: {readonly run: JournalRun; readonly where: AssistantPlaces},
  ports: Ports,
  invocation: Invocation,
): Promise<void> => {
  const {entries, signOuts} = run;
  const {flags, env, terminal} = invocation;
  if (!terminal.interactive || flags.json) {
    if (flags.all || flags.run !== undefined) return;
  } else {
    const {home} = findOwnPaths(env);
    const [overtaken, edited, empty] = await Promise.all([
      overtakenBy(run, ports),
      editedBy(run, where, ports),
      emptyBefore(run, ports),
    ]);
    const becomes = (path: string, change: keyof typeof wouldBe) =>
      overtaken.includes(path)
        ? OVERTAKEN
        : edited.includes(path)
          ? EDITED
          : empty.includes(path)
            ? EMPTIED
            : wouldBe[change];
    const lines = filesIn(entries).map(({path, change}) => `  ${shortPath(path, home)}: ${becomes(path, change)}\n`);
    const since = flags.all ? 'everything that was written on this machine' : `what was written at ${whenAndBy(run)}`;
    const {signedOut, clients} = await lostBy(run, ports);
    const gone = [
      ...(await rolesTakenBy(run, ports)).map(
        ({place, bindings}) => `  ${bindings.join(', ')}: this role binding is deleted ${place}\n`,
      ),
      ...signedOut.map(leaving),
      ...clients.map(id => `  It also removes the secret of ${id}: ${IF_ONLY_COPY}.\n`),
    ];
    const ended = signOuts.length > 0 ? [`  ${alsoReverts(signOuts)}\n  This does not sign you in again.\n`] : [];
    terminal.stdout.tell(`This reverts ${since}:\n${[...lines, ...ended, ...gone].join('')}`);
  }
  const remedy = phrase`See what it would revert with ${setup('undo', '--list')}, then run ${setup('undo', '--yes')}.`;
  await confirm('Revert this?', {remedy}, invocation);
};

/** Says what is lost with a sign-in that is forgotten. A client's secret may have no other copy. */
const leaving = ({context, isOwn, isOfAssistants}: Leaving): string => {
  const {name, signIn, clientId, assistantsAccount} = context;
  const own = isOwn ? leavingOwn({name, signIn, clientId}) : '';
  const theirs = isOfAssistants && !isOwn ? `  It also signs your assistants out of ${name}.\n` : '';
  return isOfAssistants && assistantsAccount && hasClientSecret(assistantsAccount)
    ? `${own}${theirs}  It removes the secret of ${assistantsAccount.clientId}, the client of your assistants. The client itself stays at the identity provider.\n`
    : `${own}${theirs}`;
};

const leavingOwn = ({name, signIn, clientId}: Pick<Context, 'name' | 'signIn' | 'clientId'>): string =>
  hasClientSecret({signIn})
    ? `  It also signs you out of ${name}, and removes the secret of ${clientId}: ${IF_ONLY_COPY}.\n`
    : `  It also signs you out of ${name} and removes its secrets.\n`;

/** The effect of undo on a file that was changed after the run. */
const EDITED = 'its entries are removed; your other changes are kept';

const OVERTAKEN = 'stays as it is: a newer run has changed it as well';

const EMPTIED = 'is removed, because it was empty';

const wouldBe = {
  new: 'is removed, because it was new',
  changed: 'becomes what it was before',
  removed: 'comes back',
} as const;

const listRuns = (runs: readonly JournalRun[], damaged: readonly string[], {flags, env, terminal}: Invocation) => {
  const {home} = findOwnPaths(env);
  for (const path of damaged)
    terminal.stderr.write(`${shortPath(path, home)} cannot be read, so its changes cannot be reverted.\n`);
  if (flags.json) terminal.stdout.writeJson({runs: runs.map(listed)});
  else if (runs.length === 0) terminal.stdout.tell('There is nothing to revert.\n');
  for (const [index, run] of flags.json ? [] : runs.entries()) terminal.stdout.tell(rowOf(index + 1, run, home));
};

const listed = ({id, at, command, entries, signOuts}: JournalRun) => ({
  id,
  at,
  command: command ?? null,
  files: filesIn(entries),
  signOuts,
});

const rowOf = (number: number, run: JournalRun, home: string): string => {
  const {entries, signOuts} = run;
  const lines = filesIn(entries).map(({path, change}) => `   ${shortPath(path, home)}: ${change}\n`);
  const ended = signOuts.length > 0 ? `   ${alsoReverts(signOuts)}\n` : '';
  return `${number}  ${whenAndBy(run)}\n${lines.join('')}${ended}`;
};

const whenAndBy = ({at, command}: JournalRun): string =>
  `${localTime(at)}${command === undefined ? '' : ` by ${command}`}`;

/**
 * Returns the sentence about the sign-outs that belong to a run. Reverting the run also reverts what they did to its
 * files, but signs nobody in again.
 */
const alsoReverts = (signOuts: readonly string[]): string =>
  `Also reverts what the sign-out at ${signOuts.map(localTime).join(' and at ')} did to these files.`;

const commandFor = (number: number): string => `${SETUP} undo${number === 1 ? '' : ` --run ${number}`}`;

/** Prints the run that is left to revert, and the command that reverts it. */
const tellNext = (
  next: JournalRun,
  handled: JournalRun,
  {number, of}: {number: number; of: number},
  {env, terminal}: Invocation,
) => {
  const {home} = findOwnPaths(env);
  const command = commandFor(number);
  const rest = of > 1 ? ` ${SETUP} undo --all reverts everything.` : '';
  const isNewer = next.at > handled.at;
  const one = `${isNewer ? 'A newer' : 'An earlier'} run is still there. ${command} reverts it.`;
  const left = of > 1 && !isNewer ? `${of} earlier runs are still there. ${command} reverts the next one.` : one;
  terminal.stdout.tell(`\n${left}${rest}\n${rowOf(number, next, home)}`);
};

/** Returns what a run did to each file, from its entries, which are sorted from the newest. */
const filesIn = (entries: readonly JournalEntry[]) =>
  [...Map.groupBy(entries, ({path}) => path)].map(([path, own]) => {
    // Several runs may have written the file: it is new if it did not exist before the first of them.
    const change = own.at(-1)?.before === null ? 'new' : own[0]?.after === null ? 'removed' : 'changed';
    return {path, change} as const;
  });

/** Formats a time to the minute, in this machine's time zone, and the same in every language. */
const localTime = (time: string): string => {
  const at = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

const tell = (
  {files, roles, granted, signedOut, assistantsSignedOut, older}: Undone,
  next: JournalRun | undefined,
  {flags, env, terminal}: Invocation,
) => {
  const {home} = findOwnPaths(env);
  if (flags.json) {
    terminal.stdout.writeJson({
      files,
      roles,
      granted,
      signedOut,
      assistantsSignedOut,
      older,
      next: next ? listed(next) : null,
    });
    return;
  }
  for (const file of files) {
    const {path, diff} = file;
    terminal.stdout.tell(`${shortPath(path, home)}: ${wordsFor(file, home)}\n`);
    if (diff) terminal.stdout.write(`${diff}\n`);
  }
  for (const {path, assistants, isSignedOut} of older) {
    const connect = `${SETUP} mcp connect ${assistants.join(' ')}`;
    const what = isSignedOut
      ? 'contains no token, because you had signed out. To connect again:'
      : 'contains an older token, which may have expired. To renew it:';
    terminal.stdout.tell(`${shortPath(path, home)} ${what} ${connect}\n`);
  }
  for (const role of roles) terminal.stdout.tell(`${sayTaken(role)}\n`);
  for (const role of granted) terminal.stdout.tell(`${sayGrantedAgain(role)}\n`);
  for (const name of signedOut) terminal.stdout.tell(`Signed out of ${name}: its secrets are removed.\n`);
  for (const name of assistantsSignedOut) {
    terminal.stdout.tell(`Signed your assistants out of ${name}: the secrets of their account are removed.\n`);
  }
};

const wordsFor = ({path, outcome, because, wasBack, left}: Undoable, home: string): string => {
  if (wasBack && outcome === 'edited') return 'its entries were removed already; your other changes are kept';
  if (wasBack) return outcome === 'removed' ? 'was removed already' : 'was restored already';
  if (outcome === 'restored') return 'restored';
  if (outcome === 'removed') return 'removed';
  if (outcome === 'edited')
    return `its entries are removed; your other changes are kept${left ? `. ${leftAlone(shortPath(path, home), left)}` : ''}`;
  if (!because) return 'left alone: it has changed since';
  const other = shortPath(because.path, home);
  if (because.why === 'newer-run') return 'left alone: a newer run has changed it as well';
  if (because.why === 'token-would-be-in-git')
    return `left alone: restoring it would bring back a token that git would commit, because ${other} has changed since`;
  if (because.why === 'would-keep-it-out-of-git')
    return `left alone: restoring it would keep ${other} out of git, and that file has changed since`;
  const does = because.why === 'knows-its-entries' ? 'lists the entries in' : 'keeps out of git';
  return `stays: it ${does} ${other}`;
};

/**
 * Says how to go on after files have changed. This program can remove entries that it still knows; the rest only the
 * person can fix.
 */
const remedyFor = async (
  changed: readonly Undoable[],
  next: JournalRun | undefined,
  {config}: Ports,
): Promise<string> => {
  const earlier = next ? `To revert an earlier run, use ${SETUP} undo --run N.` : '';
  const groups = Map.groupBy(
    changed.flatMap(({entries = []}) => entries),
    ({context}) => context,
  );
  const saved = await config.read();
  const signedInCli = saved.contexts.find(({cli}) => cli && changed.some(({path}) => isSamePath(path, cli.path)));
  const [broken] = changed.flatMap(({problem}) => problem ?? []);
  if (broken !== undefined) return `${broken} Fix the file, then run ${SETUP} undo again. ${earlier}`.trimEnd();
  if (signedInCli)
    return `Run ${SETUP} logout --context ${signedInCli.name} to remove the sign-in and nothing else. ${earlier}`.trimEnd();
  if (groups.size === 0) return `Fix it by hand. ${earlier}`.trimEnd();
  const commands = [...groups].map(([name, entries]) => {
    const ids = [...new Set(entries.map(({assistant}) => assistant))].join(' ');
    return `${SETUP} mcp disconnect ${ids}${contextFlag(name, saved)}`;
  });
  return `Run ${commands.join(' and ')} to remove the entries and nothing else. ${earlier}`.trimEnd();
};

/** Returns the chosen run, 1 for the latest, or all. @throws SetupError `input-invalid`, `input-usage` */
const chosenBy = ({all, run}: Invocation['flags']): number | 'all' => {
  if (all && run !== undefined) {
    throw new SetupError('input-usage', '--all and --run contradict each other.', {
      remedy: 'Pass one of them.',
      about: {flag: 'all'},
    });
  }
  if (all) return 'all';
  const text = run ?? '1';
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new SetupError('input-invalid', `--run takes a number from ${SETUP} undo --list, not ${text}.`, {
    about: {flag: 'run'},
  });
};
