import type {Assistant} from '../../assistants/assistant.ts';
import {bearerIn} from '../../assistants/connection.ts';
import type {Entries} from '../../assistants/formats/entry-format.ts';
import {SIGNED_OUT_TOKEN} from '../../domain/credentials.ts';
import {type TokenSpan, tokenIn} from '../../domain/token-spans.ts';
import type {TokensInFile} from '../../ports/storage.ts';
import type {OpenText} from '../planned-file.ts';
import type {Ownership} from './ownership.ts';

/**
 * Returns the positions of the bearer tokens of these entries, among the bytes of a file.
 *
 * @param text the text of the opened file, as it is or after an edit
 * @param entries the entries in the text
 */
export const tokenSpansIn = (
  {editor, placeOf}: Pick<OpenText, 'editor' | 'placeOf'>,
  {text, entries, names}: {readonly text: string; readonly entries: Entries; readonly names: readonly string[]},
  {entry}: Pick<Assistant, 'entry'>,
): readonly TokenSpan[] =>
  names.flatMap(name => {
    const token = bearerIn(entry.read(entries[name]));
    if (token === '' || token === SIGNED_OUT_TOKEN) return [];
    const header = editor.textsOf(text, name).find(({path}) => path.at(-1) === 'Authorization');
    if (!header) return [];
    const literal = text.slice(header.start, header.end);
    const {start, end} = tokenIn(literal, token);
    const first = placeOf(text, header.start + start);
    return [{start: first, end: first + Buffer.byteLength(literal.slice(start, end))}];
  });

/** Returns the positions of our tokens in a file before and after entries are removed from it. */
export const tokensAround = (
  open: OpenText,
  {present, after, removed}: {readonly present: Entries; readonly after: string; readonly removed: readonly string[]},
  assistant: Assistant,
  ownership: Ownership,
): TokensInFile => {
  const names = Object.keys(present).filter(name => ownership.isOurs({name, entry: present[name]}, assistant));
  const left = names.filter(name => !removed.includes(name));
  return {
    before: tokenSpansIn(open, {text: open.text, entries: present, names}, assistant),
    after: tokenSpansIn(open, {text: after, entries: present, names: left}, assistant),
  };
};
