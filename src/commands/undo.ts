import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {finishWriting} from '../command-line/output/finish.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {currentContextIn} from '../domain/config.ts';
import {isSamePath} from '../domain/paths/same-path.ts';
import {SetupError} from '../errors/errors.ts';
import {type Undoable, type Undone, undoableRuns, undoWrites, type Run as WrittenRun} from '../flows/undo/entry.ts';
import type {Ports} from '../ports/ports.ts';
import type {JournalEntry} from '../ports/storage.ts';
import {SETUP} from '../setup-command.ts';
import {findOwnPaths, shortPath} from '../state/stores/own-paths.ts';

/** `setup undo`: puts back what the latest run wrote, or the one that `--run` names; `--list` says what can be. */
export const runUndo: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  if (flags.list) return listRuns(await undoableRuns(ports), invocation);
  const undone = await finishWriting(undoWrites(runIn(flags.run), ports, signal), terminal);
  tell(undone, invocation);
  const changed = undone.files.filter(({outcome}) => outcome === 'changed-since');
  if (changed.length === 0) return;
  const {home} = findOwnPaths(invocation.env);
  const names = changed.map(({path}) => shortPath(path, home)).join(', ');
  throw new SetupError('local-file-changed', `Not everything was reverted: ${names} has changed since.`, {
    remedy: await remedyFor(changed, ports),
  });
};

const listRuns = (runs: readonly WrittenRun[], {flags, env, terminal}: Invocation) => {
  const {home} = findOwnPaths(env);
  const listed = runs.map(({id, at, entries}) => ({id, at, files: filesIn(entries)}));
  if (flags.json) terminal.stdout.writeJson({runs: listed});
  else if (runs.length === 0) terminal.stdout.write('There is nothing to revert.\n');
  for (const [index, {at, files}] of flags.json ? [] : listed.entries()) {
    const lines = files.map(({path, change}) => `   ${shortPath(path, home)}: ${change}\n`);
    terminal.stdout.write(`${index + 1}  ${localTime(new Date(at))}\n${lines.join('')}`);
  }
};

/** What a run did to each file, from its entries, the newest first. */
const filesIn = (entries: readonly JournalEntry[]) =>
  [...Map.groupBy(entries, ({path}) => path)].map(([path, own]) => {
    const change = own[0]?.after === null ? 'removed' : own.at(-1)?.before === null ? 'new' : 'changed';
    return {path, change} as const;
  });

/** To the minute, in this machine's time zone, and the same in every language. */
const localTime = (at: Date): string => {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

const tell = ({files, signedOut}: Undone, {flags, env, terminal}: Invocation) => {
  const {home} = findOwnPaths(env);
  if (flags.json) {
    terminal.stdout.writeJson({files, signedOut});
    return;
  }
  for (const file of files) {
    const {path, diff} = file;
    terminal.stdout.write(`${shortPath(path, home)}: ${wordsFor(file, home)}\n${diff ? `${diff}\n` : ''}`);
  }
  for (const name of signedOut) terminal.stdout.write(`Signed out of ${name}: its secrets are removed.\n`);
};

const wordsFor = ({outcome, because}: Undoable, home: string): string => {
  if (outcome === 'restored') return 'restored';
  if (outcome === 'removed') return 'removed';
  if (!because) return 'left alone: it has changed since';
  const does = because.why === 'knows-its-entries' ? 'knows the entries in' : 'keeps out of git';
  return `stays: it ${does} ${shortPath(because.path, home)}`;
};

/** Entries that are still known can be taken out by this program; the rest only its owner can mend. */
const remedyFor = async (changed: readonly Undoable[], {config}: Ports): Promise<string> => {
  const earlier = `To revert an earlier run, use ${SETUP} undo --run N.`;
  const groups = Map.groupBy(
    changed.flatMap(({entries = []}) => entries),
    ({context}) => context,
  );
  const saved = await config.read();
  const current = currentContextIn(saved);
  const signedInCli = saved.contexts.find(({cli}) => cli && changed.some(({path}) => isSamePath(path, cli.path)));
  if (signedInCli)
    return `${SETUP} logout --context ${signedInCli.name} removes the sign-in, and nothing else. ${earlier}`;
  if (groups.size === 0) return `Fix it by hand. ${earlier}`;
  const commands = [...groups].map(([name, entries]) => {
    const ids = [...new Set(entries.map(({assistant}) => assistant))].join(' ');
    return `${SETUP} mcp disconnect ${ids}${name === current?.name ? '' : ` --context ${name}`}`;
  });
  return `${commands.join(' and ')} removes the entries, and nothing else. ${earlier}`;
};

/** Which run is meant, 1 for the latest. @throws SetupError `input-invalid` */
const runIn = (text = '1'): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new SetupError('input-invalid', `--run takes a number from ${SETUP} undo --list, not ${text}.`);
};
