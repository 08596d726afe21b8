import fc from 'fast-check';
import {expect} from 'vitest';
import type {Editor} from '../../../src/assistants/formats/entry-format.ts';
import {isWhole, propertyRuns} from '../../support/property-runs.ts';

export type Value = string | number | boolean | readonly Value[] | {readonly [key: string]: Value};
export type Members = {readonly [key: string]: Value};

const word = fc.string({unit: 'grapheme-ascii', minLength: 0, maxLength: 12});
const key = fc.stringMatching(/^[a-z][\w.-]{0,7}$/).filter(name => !['mcpServers', 'servers', 'name'].includes(name));
const scalar: fc.Arbitrary<Value> = fc.oneof(word, fc.integer({min: -999, max: 999}), fc.boolean());
const {value} = fc.letrec<{value: Value; members: Members}>(tie => ({
  value: fc.oneof({maxDepth: 3}, scalar, fc.array(scalar, {maxLength: 3}), tie('members')),
  members: fc.dictionary(key, tie('value'), {maxKeys: 3, noNullPrototype: true}),
}));

/** A person's server: a map, as in every client. */
const server = fc.dictionary(key, value, {minKeys: 1, maxKeys: 4, noNullPrototype: true});

const address = fc.stringMatching(/^https:\/\/[a-z0-9.-]{1,12}(:[1-9]\d{1,3})?\/[\w./?=&%#-]{0,12}$/);

/** An entry as this program writes it. */
const entry = fc.oneof(
  fc.record({url: address, headers: fc.record({Authorization: word.map(text => `Bearer ${text}`)})}),
  fc.record({command: word, args: fc.array(word, {maxLength: 3}), env: fc.constant({})}),
) as fc.Arbitrary<Members>;

const contentOf = (maxKeys: number) =>
  fc.record({
    /** The person's servers. Undefined if the file has no place for any. */
    servers: fc.option(fc.dictionary(key, server, {maxKeys, noNullPrototype: true}), {nil: undefined}),
    around: fc.dictionary(key, value, {maxKeys, noNullPrototype: true}),
    style: fc.record({
      eol: fc.constantFrom('\n', '\r\n'),
      indent: fc.constantFrom('', '  ', '    ', '\t'),
      comments: fc.boolean(),
      trails: fc.boolean(),
      last: fc.boolean(),
      mark: fc.boolean(),
      /** True if another program than usual has written the file, for formats with two styles. */
      other: fc.boolean(),
    }),
  });
/** A file to begin with. */
export type Content = ReturnType<typeof contentOf> extends fc.Arbitrary<infer C> ? C : never;

/** An editor, the text of its files, and another parser that reads their entries. */
type Format = {
  readonly editor: Editor;
  readonly textOf: (content: Content) => string;
  readonly parse: (text: string) => object;
};

type Amount = {
  /** The number of generated files in `npm test`, and in the suite of properties. */
  readonly some: number;
  readonly all: number;
  /** The most servers of a file in `npm test`, and the most other members beside them. */
  readonly maxKeys?: number;
};

/** Fails if adding, changing or removing an entry changes any other byte. */
export const expectEveryByteKept = ({editor, textOf, parse}: Format, {some, all, maxKeys = 3}: Amount): void => {
  const property = fc.property(
    contentOf(isWhole ? 3 : maxKeys),
    entry,
    entry,
    server,
    (content, first, second, mine) => {
      const {eol, mark} = content.style;
      const body = textOf(content).replaceAll('\n', eol);
      const text = (mark ? '\uFEFF' : '') + body;
      const before = editor.read(text, 'file');
      expect(before).toEqual(body.trim() === '' ? {} : parse(body));
      const made = editor.made(text, 'file');
      const bare = (one: string) => (one.startsWith('\uFEFF') ? one.slice(1) : one);
      // The added entry is there, and so is everything else.
      const added = editor.set(text, {ours: first}, 'file');
      expect(parse(bare(added))).toEqual({...before, ours: first});
      expect(editor.remove(added, ['ours'], 'file', made)).toBe(text);
      // An entry of a second context, removed after the first one's entry and before it.
      const both = editor.set(added, {'ours-2': second}, 'file');
      expect(parse(bare(both))).toEqual({...before, ours: first, 'ours-2': second});
      expect(editor.remove(both, ['ours-2'], 'file', made)).toBe(added);
      const other = editor.remove(both, ['ours'], 'file', made);
      expect(parse(bare(other))).toEqual({...before, 'ours-2': second});
      expect(editor.remove(other, ['ours-2'], 'file', made)).toBe(text);
      // A person's members in the entry stay, whatever happens to the others.
      const theirs = {...first, mine};
      const changed = editor.set(added, {ours: theirs}, 'file');
      const renewed = editor.set(changed, {ours: {...second, mine}}, 'file');
      expect(parse(bare(renewed))).toEqual({...before, ours: {...second, mine}});
      expect(editor.set(renewed, {ours: {...second, mine}}, 'file')).toBe(renewed);
    },
  );
  fc.assert(property, {...propertyRuns(some, all), includeErrorInReport: true});
};
