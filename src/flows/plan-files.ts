import {dirname, join} from 'node:path';
import type {Assistant, Place} from '../assistants/assistant.ts';
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

    const planned: PlannedFile[] = [];
    for (const assistant of input.assistants) {
      const file = await composeFile({assistant, place: input.place, entries: input.entries, token}, ports);
      planned.push(await describe(file, token, input.entries));
      if (file.change !== 'unchanged' && (await isInRepository(file.path, ports))) {
        tell({
          type: 'warning',
          message: `${file.path} is in a git repository and will hold an access token. Do not commit it.`,
        });
      }
    }
    for (const [path, summary] of [
      [ports.config.path, 'addresses, no secrets'],
      [ports.credentials.path, 'client secret and token, readable by you only'],
    ] as const) {
      const contents = await ports.files.read(path);
      const change = contents ? 'changed' : 'new';
      planned.push({path, change, summary, diff: '', before: digest(contents?.bytes ?? null)});
    }
    for (const {path, change, summary, diff} of planned) tell({type: 'file-planned', path, change, summary, diff});
    return {files: planned};
  });

const describe = async (file: AssistantFile, token: string, entries: readonly McpEntry[]): Promise<PlannedFile> => {
  const {path, change, before, after} = file;
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  const summary = change === 'unchanged' ? `${count}, as they are` : `${count} set`;
  const diff = change === 'unchanged' ? '' : await diffOf(before?.toString('utf8') ?? '', after, token);
  return {path, change, summary, diff, before: digest(before)};
};

/** The hunks of a unified diff, without its file header. */
const diffOf = async (before: string, after: string, token: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const hide = (text: string) => hideSecrets(text.replaceAll(token, '<access token>'));
  const {hunks} = structuredPatch('', '', hide(before), hide(after), '', '', {context: 2});
  return hunks.flatMap(({lines}) => lines).join('\n');
};

/** Other programs' secrets in the same file are not for the screen either. */
const hideSecrets = (text: string) =>
  text
    .replaceAll(/((?:Bearer|Basic|token) )[\w.~+/=-]{8,}/gi, '$1<secret>')
    .replaceAll(/("[^"\n]*(?:token|secret|password|api_?key)[^"\n]*"\s*:\s*)"[^"\n]+"/gi, '$1"<secret>"');

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
