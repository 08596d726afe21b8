import type {Assistant} from '../../assistants/assistant.ts';
import {keepChoices} from '../../assistants/formats/keep-choices.ts';
import type {Place} from '../../assistants/place.ts';
import type {Scope} from '../../domain/assistant-entry.ts';
import type {ContextEntry} from '../../domain/context.ts';
import {SIGNED_OUT} from '../../domain/sign-in/signed-out.ts';
import type {Ports} from '../../ports/ports.ts';
import {isAbsent, openText} from '../file-contents.ts';
import {confinementOf} from '../project-files.ts';
import {ourTokensIn} from './assistant-file.ts';

type Held = {
  readonly assistant: Assistant;
  readonly scope: Scope;
  /** The directory of the project that the person was in, absolute. */
  readonly project: string;
  readonly place: Place;
  readonly path: string;
  /** The names of our entries. */
  readonly names: readonly string[];
};

/**
 * Takes the token out of every entry that holds one, and leaves the rest as it is, so that the next sign-in only has to
 * put a new one in. False when there was nothing to take out. Nothing that undo takes back: the token has ended.
 */
export const clearTokens = async (held: Held, ports: Ports): Promise<boolean> => {
  const {assistant, scope, place, path, names} = held;
  const {header} = assistant.entry;
  if (!header) return false;
  return edit({...held, journal: false}, ports, (editor, text, present) => {
    const entries = names.flatMap(name => {
      const connection = assistant.entry.read(present[name]);
      if (connection?.kind !== 'header') return [];
      const {system} = place;
      const signedOut = header({name, scope, system, url: connection.url, authorization: SIGNED_OUT});
      return [[name, keepChoices(signedOut, present[name], assistant.entry, scope)] as const];
    });
    return editor.set(text, Object.fromEntries(entries), path);
  });
};

/** Takes our entries away, with what was made for them, the file itself included. False when there were none. */
export const removeEntries = async (
  held: Omit<Held, 'place'> & Pick<ContextEntry, 'made' | 'created'>,
  ports: Ports,
): Promise<boolean> => {
  const {path, names, made, created} = held;
  return edit({...held, created: created === true, journal: true}, ports, (editor, text, present) =>
    names.some(name => name in present) ? editor.remove(text, names, path, made) : text,
  );
};

type Change = (
  editor: Awaited<ReturnType<Assistant['format']['editor']>>,
  text: string,
  present: Readonly<Record<string, unknown>>,
) => string;

type Edited = Pick<Held, 'assistant' | 'path' | 'names' | 'scope' | 'project'> & {
  /** Whether the file was made for the entries. */
  readonly created?: boolean;
  readonly journal: boolean;
};

const edit = async (edited: Edited, ports: Ports, change: Change): Promise<boolean> => {
  const {files} = ports;
  // A lock that a killed process has left beside a file that is gone goes with the directory that was made for that.
  if (!(await files.exists(edited.path)) && !(await files.isLocked(edited.path))) return false;
  return files.withLock(edited.path, () => editUnderLock(edited, ports, change), {within: confinementOf(edited)});
};

const editUnderLock = async (
  {assistant, path, names, created = false, journal, ...entry}: Edited,
  {files, config}: Ports,
  change: Change,
): Promise<boolean> => {
  const within = confinementOf(entry);
  const contents = await files.read(path);
  if (!contents) return false;
  const {editor, text, whole} = await openText(assistant.format, contents.bytes, path);
  const present = editor.read(text, path);
  const after = change(editor, text, present);
  // What a killed writer has left of a file that was made for our entries.
  if (created && isAbsent(contents.bytes)) await files.remove(path, {within});
  if (after === text) return false;
  const hidden = await ourTokensIn(present, {assistant, path, names}, {config});
  // A file that was made for our entries, and holds nothing without them, is not left behind; nor is one without a byte,
  // whoever made it: some clients take an empty file for a broken one.
  if (after === '' || (created && after.trim() === '')) {
    await files.remove(path, {journal, hidden, within});
    return true;
  }
  const options = {mode: 0o600, tighten: hidden.length > 0, journal, hidden, expected: contents.bytes, within};
  await files.write(path, whole(after), options);
  return true;
};
