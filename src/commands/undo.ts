import {SetupError} from '../errors.ts';
import {undoableRuns, undoWrites} from '../flows/undo-writes.ts';
import {findPlaces, shortPath} from '../state/places.ts';
import type {Run} from './command.ts';
import {finish} from './finish.ts';
import {portsOf} from './ports-of.ts';

/** `setup undo`: puts back what the latest run wrote, or the one that `--run` names; `--list` says what can be. */
export const runUndo: Run = async invocation => {
  const {flags, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const {home} = findPlaces(env);
  if (flags.list) {
    const runs = (await undoableRuns(ports)).map(({id, at, entries}) => ({
      id,
      at,
      files: [...new Set(entries.map(({path}) => path))],
    }));
    if (flags.json) terminal.stdout.write(`${JSON.stringify({runs})}\n`);
    else if (runs.length === 0) terminal.stdout.write('Nothing that was written can be put back.\n');
    for (const [index, {at, files}] of flags.json ? [] : runs.entries()) {
      terminal.stdout.write(`${index + 1}  ${at}\n${files.map(path => `   ${shortPath(path, home)}\n`).join('')}`);
    }
    return;
  }

  const results = await finish(undoWrites(runIn(flags.run), ports, signal));
  const words = {
    restored: 'put back',
    removed: 'removed',
    'changed-since': 'left alone: it was changed since',
  } as const;
  if (flags.json) terminal.stdout.write(`${JSON.stringify({files: results})}\n`);
  for (const {path, outcome, diff} of flags.json ? [] : results) {
    terminal.stdout.write(`${shortPath(path, home)}: ${words[outcome]}\n${diff ? `${diff}\n` : ''}`);
  }
  const changed = results.filter(({outcome}) => outcome === 'changed-since');
  if (changed.length > 0) {
    const names = changed.map(({path}) => shortPath(path, home)).join(', ');
    throw new SetupError('local-file-changed', `Not everything was put back: ${names} was changed since.`, {
      remedy: 'Mend it by hand; the rest is as it was. Earlier runs are put back by npx setup undo --run N.',
    });
  }
};

/** Which run is meant, 1 for the latest. @throws SetupError `input-invalid` */
const runIn = (text = '1'): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new SetupError('input-invalid', `--run takes a number from npx setup undo --list, not ${text}.`);
};
