import {dirname, join} from 'node:path';
import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import {SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import {type AssistantFile, composeFile, digest} from './assistant-file.ts';
import type {FileChange, Flow} from './flow.ts';
import type {McpEntry} from './mcp-entries.ts';
import {reporting} from './reporting.ts';

export type PlannedFile = {
  readonly path: string;
  readonly change: FileChange;
  readonly summary: string;
  /** Unified diff, secrets replaced; empty for files of the program's own. */
  readonly diff: string;
  /** What was found when the plan was made; SHA-256 in hex, null for no file. */
  readonly before: string | null;
};

export type Plan = {readonly files: readonly PlannedFile[]};

type Input = {
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  readonly entries: readonly McpEntry[];
  /** Whether the files of the program's own change too. */
  readonly own: boolean;
};

/**
 * Works out every file that will change, and how, without changing one. Secrets are replaced in what is shown.
 *
 * @throws SetupError `local-file-invalid` for an assistant's file that cannot be edited safely
 */
export const planFiles: Flow<Input, Plan> = (input, ports, signal) =>
  reporting(signal, async tell => {
    const token = ports.vault.get('access-token');
    if (token === undefined) throw new SetupError('auth-sign-in-required', 'There is no access token to write.');

    // What cannot be read or written is better known before anything is.
    await ports.config.read();
    const planned: PlannedFile[] = [];
    for (const assistant of input.assistants) {
      const file = await composeFile({assistant, place: input.place, entries: input.entries, token}, ports);
      await ports.files.check(file.path);
      planned.push(await describe(file, assistant, input.entries));
      if (file.change !== 'unchanged' && (await isInRepository(file.path, ports))) {
        tell({
          type: 'warning',
          message: `${file.path} is in a git repository and will hold an access token. Do not commit it.`,
        });
      }
    }
    if (input.own) planned.push(...(await ownFiles(ports)));
    for (const {path, change, summary, diff} of planned) tell({type: 'file-planned', path, change, summary, diff});
    return {files: planned};
  });

const ownFiles = async ({config, credentials, files}: Ports): Promise<readonly PlannedFile[]> => {
  const where = await credentials.where();
  const kept = where === 'file' ? 'secret and token, readable by you only' : `secret and token, in ${where}`;
  const summaries = [
    [config.path, 'addresses, no secrets'],
    [credentials.path, kept],
  ] as const;
  return Promise.all(
    summaries.map(async ([path, summary]) => {
      await files.check(path);
      const contents = await files.read(path);
      return {
        path,
        change: contents ? 'changed' : 'new',
        summary,
        diff: '',
        before: digest(contents?.bytes ?? null),
      } as const;
    }),
  );
};

const describe = async (
  file: AssistantFile,
  assistant: Assistant,
  entries: readonly McpEntry[],
): Promise<PlannedFile> => {
  const {path, change, before, after} = file;
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  const summary = change === 'unchanged' ? `${count}, as they are` : `${count} set`;
  const labels = entries.map(({label}) => label);
  const editor = await assistant.format.editor();
  const hide = (text: string) => editor.hide(text, labels);
  const diff = change === 'unchanged' ? '' : await diffOf(hide(before?.toString('utf8') ?? ''), hide(after));
  return {path, change, summary, diff, before: digest(before)};
};

/** The hunks of a unified diff, without its file header. */
const diffOf = async (before: string, after: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const {hunks} = structuredPatch('', '', before, after, '', '', {context: 2});
  return hunks.flatMap(({lines}) => lines).join('\n');
};

const isInRepository = async (path: string, {files}: Ports): Promise<boolean> => {
  for (let at = dirname(path); ; at = dirname(at)) {
    // A worktree and a submodule have a file of that name, a clone has a directory with HEAD in it.
    const found = (await exists(files, join(at, '.git', 'HEAD'))) || (await exists(files, join(at, '.git')));
    if (found) return true;
    if (dirname(at) === at) return false;
  }
};

const exists = (files: Ports['files'], path: string) =>
  files.read(path).then(
    contents => contents !== undefined,
    () => false,
  );
