import {createHash} from 'node:crypto';
import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import {SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {FileChange} from './flow.ts';
import type {McpEntry} from './mcp-entries.ts';

/** One assistant's file as it is and as it will be. Holds the token; never leaves a flow. */
export type AssistantFile = {
  readonly path: string;
  readonly change: FileChange;
  /** The bytes there are now, null for no file. */
  readonly before: Buffer | null;
  readonly after: string;
  /** The tokens that stand now in the entries that are replaced. */
  readonly tokens: readonly string[];
};

type Input = {
  readonly assistant: Assistant;
  readonly place: Place;
  readonly entries: readonly McpEntry[];
  readonly token: string;
};

/** @throws SetupError `local-file-invalid`, `local-write-failed` */
export const composeFile = async (
  {assistant, place, entries, token}: Input,
  {files}: Ports,
): Promise<AssistantFile> => {
  const path = pathOf(assistant, place);
  const contents = await files.read(path);
  const text = decode(contents?.bytes ?? Buffer.alloc(0), path);
  const wanted = entries.map(({label, url}) => [label, headerEntry(assistant, place, label, url, `Bearer ${token}`)]);
  const editor = await assistant.format.editor();
  const after = editor.set(text, Object.fromEntries(wanted), path);
  const change = !contents ? 'new' : after === text ? 'unchanged' : 'changed';
  const labels = entries.map(({label}) => label);
  return {path, change, before: contents?.bytes ?? null, after, tokens: await tokensIn(text, assistant, labels, path)};
};

/** The bearer tokens in these entries of an assistant's file. */
const tokensIn = async (
  text: string,
  assistant: Assistant,
  labels: readonly string[],
  path: string,
): Promise<readonly string[]> => {
  const present = (await assistant.format.editor()).read(text, path);
  return labels.flatMap(label => {
    const connection = assistant.entry.read(present[label]);
    const {Authorization = ''} = connection?.kind === 'header' ? connection.headers : {};
    const token = Authorization.replace(/^Bearer /i, '');
    return token === '' ? [] : [token];
  });
};

export const pathOf = (assistant: Assistant, place: Place): string => {
  const [path] = assistant.files('project', place);
  if (path !== undefined) return path;
  throw new SetupError('input-invalid', `${assistant.name} has no file in a project.`);
};

const headerEntry = (
  assistant: Assistant,
  {system}: Place,
  name: string,
  url: string,
  authorization: string,
): object => {
  const {header} = assistant.entry;
  if (header) return header({name, scope: 'project', system, url, authorization});
  throw new SetupError('input-invalid', `${assistant.name} cannot send a header.`);
};

/** An entry of ours as an assistant would read it from its file. */
export const readBack = async (assistant: Assistant, place: Place, label: string, {files}: Ports) => {
  const path = pathOf(assistant, place);
  const contents = await files.read(path);
  const editor = await assistant.format.editor();
  const entries = editor.read(decode(contents?.bytes ?? Buffer.alloc(0), path), path);
  const entry = assistant.entry.read(entries[label]);
  if (entry?.kind === 'header') return {path, ...entry};
  throw new SetupError('local-file-changed', `${path} does not hold the entry “${label}” that was written.`);
};

/** Names a file's contents without keeping them: null for no file. */
export const digest = (bytes: Buffer | null): string | null =>
  bytes === null ? null : createHash('sha256').update(bytes).digest('hex');

/** Text that would not come back as the same bytes is not touched. */
const decode = (bytes: Buffer, path: string): string => {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  throw new SetupError('local-file-invalid', `${path} is not a text file in UTF-8.`);
};

/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT = 'Bearer signed-out-run-npx-setup';

/**
 * Takes the token out of every entry of a context in an assistant's file, and leaves the rest as it is, so that the next
 * sign-in only has to put a new one in. Undefined when there was nothing to take out.
 */
export const withoutTokens = async (
  {assistant, place, context}: {assistant: Assistant; place: Place; context: string},
  {files}: Ports,
): Promise<string | undefined> => {
  const path = pathOf(assistant, place);
  const contents = await files.read(path);
  if (!contents) return undefined;
  const text = decode(contents.bytes, path);
  const editor = await assistant.format.editor();
  const entries = Object.entries(editor.read(text, path)).flatMap(([label, value]) => {
    const entry = label.startsWith(`${context}-`) ? assistant.entry.read(value) : undefined;
    return entry?.kind === 'header'
      ? [[label, headerEntry(assistant, place, label, entry.url, SIGNED_OUT)] as const]
      : [];
  });
  const after = editor.set(text, Object.fromEntries(entries), path);
  if (after === text) return undefined;
  const hidden = await tokensIn(
    text,
    assistant,
    entries.map(([label]) => label),
    path,
  );
  await files.write(path, after, {mode: 0o600, tighten: true, journal: true, hidden, expected: contents.bytes});
  return path;
};
