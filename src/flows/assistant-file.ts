import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Assistant, Place} from '../assistants/assistant.ts';
import {readEntries, setEntries} from '../assistants/json-entries.ts';
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
  const wanted = entries.map(({label, url}) => [
    label,
    assistant.entry.header({url, authorization: `Bearer ${token}`}),
  ]);
  const after = setEntries(text, assistant.root, Object.fromEntries(wanted), path);
  const change = !contents ? 'new' : after === text ? 'unchanged' : 'changed';
  return {path, change, before: contents?.bytes ?? null, after};
};

export const pathOf = (assistant: Assistant, place: Place): string => join(...assistant.file(place));

/** An entry of ours as an assistant would read it from its file. */
export const readBack = async (assistant: Assistant, place: Place, label: string, {files}: Ports) => {
  const path = pathOf(assistant, place);
  const contents = await files.read(path);
  const entries = readEntries(decode(contents?.bytes ?? Buffer.alloc(0), path), assistant.root, path);
  const entry = assistant.entry.read(entries[label]);
  if (entry) return {path, ...entry};
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
