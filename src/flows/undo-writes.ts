import {createHash} from 'node:crypto';
import {hideFile} from '../assistants/hide-file.ts';
import {SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import {ACCESS_TOKEN, type CredentialsKey, type JournalEntry, type KeptContents, SIGNED_OUT} from '../ports/storage.ts';
import type {Flow} from './flow.ts';
import {reportingToItsEnd} from './reporting.ts';

/** A file as `undo` finds it: to be put back, or changed by somebody since. */
export type Undoable = {
  readonly path: string;
  readonly outcome: 'restored' | 'removed' | 'changed-since';
  /** What was changed since, for a file that is left alone; texts are hidden. */
  readonly diff?: string;
};

/** The writes of one start of the program, newest first. */
export type Run = {readonly id: string; readonly at: string; readonly entries: readonly JournalEntry[]};

/** What can be undone, the latest run first. */
export const undoableRuns = async ({journal}: Ports): Promise<readonly Run[]> => {
  const runs = Map.groupBy(await journal.list(), ({run}) => run);
  return [...runs].reverse().map(([id, entries]) => ({id, at: entries[0]?.at ?? '', entries: entries.toReversed()}));
};

/**
 * Puts back what a run wrote, newest write first: files as they were, or none where there was none. A file that is not
 * what was written any more is left alone, and said, unless it is as it was already. What a sign-out did to it does not count. Secrets of deployments that nobody
 * knows afterwards are removed.
 *
 * @param back which run, 1 for the latest
 * @throws SetupError `local-nothing-to-undo`, `local-write-failed`
 */
export const undoWrites: Flow<number, readonly Undoable[]> = (back, ports) =>
  reportingToItsEnd(async tell => {
    const runs = await undoableRuns(ports);
    const run = runs[back - 1];
    if (!run) {
      const what = runs.length === 0 ? 'Nothing that was written can' : `There is no run ${back}: ${runs.length} can`;
      throw new SetupError('local-nothing-to-undo', `${what} be put back.`);
    }
    const before = await keysIn(ports);
    const results = new Map<string, Undoable>();
    for (const entry of run.entries) {
      if (results.get(entry.path)?.outcome === 'changed-since') continue;
      const result = await putBack(entry, ports);
      results.set(entry.path, result);
      if (result.outcome === 'changed-since') continue;
      tell({type: 'file-written', path: entry.path, change: 'changed'});
      await ports.journal.forget(entry);
    }
    const after = await keysIn(ports);
    for (const key of before.filter(one => !after.some(other => isSame(one, other)))) {
      await ports.credentials.replace(key, undefined);
    }
    return [...results.values()];
  });

const putBack = async (entry: JournalEntry, ports: Ports): Promise<Undoable> => {
  const {path, before, after, signedOut} = entry;
  const found = await ports.files.read(path);
  // Somebody mended it by hand.
  if (found ? before && bytesOf(before).equals(found.bytes) : !before) {
    return {path, outcome: before ? 'restored' : 'removed'};
  }
  const digest = found ? createHash('sha256').update(found.bytes).digest('hex') : null;
  if (digest !== after && (digest === null || digest !== signedOut)) {
    const diff = await difference(path, before, found?.bytes.toString('utf8') ?? '');
    return {path, outcome: 'changed-since', diff};
  }
  if (!before) {
    await ports.files.remove(path);
    return {path, outcome: 'removed'};
  }
  const options = {mode: before.mode, tighten: true, journal: false, expected: found?.bytes ?? null};
  await ports.files.write(path, bytesOf(before), options);
  return {path, outcome: 'restored'};
};

/** Where a token of ours stood, the entry is put back as one that is signed out: the old token has ended. */
const bytesOf = (kept: KeptContents): Buffer =>
  'text' in kept
    ? Buffer.from(kept.text.replaceAll(`Bearer ${ACCESS_TOKEN}`, SIGNED_OUT), 'utf8')
    : Buffer.from(kept.base64, 'base64');

const difference = async (path: string, before: KeptContents | null, now: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const old = before && 'text' in before ? before.text : '';
  const {hunks} = structuredPatch('', '', await hideFile(now, path), await hideFile(old, path), '', '', {context: 2});
  return hunks.flatMap(({lines}) => lines).join('\n');
};

const keysIn = async ({config}: Ports): Promise<readonly CredentialsKey[]> =>
  (await config.read()).contexts.map(({issuer, clientId}) => ({issuer, clientId}));

const isSame = (one: CredentialsKey, other: CredentialsKey) =>
  one.issuer === other.issuer && one.clientId === other.clientId;
