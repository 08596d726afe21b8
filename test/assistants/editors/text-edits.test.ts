import {describe, expect, test, vi} from 'vitest';
import {
  applyEdits,
  type Brackets,
  beforeNewline,
  beginsLine,
  haveCommonMembers,
  insertFirst,
  lineEnd,
  lineStart,
  memberChanges,
  parsingOnce,
  refuseConflict,
  removeItem,
  reparse,
  requireSame,
  withoutLines,
} from '../../../src/assistants/editors/text-edits.ts';

/** Returns the brackets in a text, with the items that are written in it between ‹ and ›, and the text without these. */
const marked = (shown: string): {readonly text: string; readonly brackets: Brackets} => {
  const items: {start: number; end: number}[] = [];
  let text = '';
  for (const char of shown) {
    if (char === '‹') items.push({start: text.length, end: 0});
    else if (char === '›') items[items.length - 1] = {start: items.at(-1)?.start ?? 0, end: text.length};
    else text += char;
  }
  return {text, brackets: {start: text.indexOf('['), items}};
};

describe('the place of a line', () => {
  test.each([
    ['first\nsecond', 0, 0, 5],
    ['first\nsecond', 5, 0, 5],
    ['first\nsecond', 6, 6, 12],
    ['first\r\nsecond\r\n', 2, 0, 5],
    ['\nsecond', 0, 0, 0],
    ['a\r\n', 2, 0, 2],
  ])('in %j at %i is from %i to %i', (text, at, start, end) => {
    expect([lineStart(text, at), lineEnd(text, at)]).toEqual([start, end]);
  });

  test('begins where only white space precedes', () => {
    expect(beginsLine('a: 1\n  b: 2', 7)).toBe(true);
    expect(beginsLine('a: 1\n  b: 2', 8)).toBe(false);
    expect(beginsLine('a', 0)).toBe(true);
  });

  test('is after the line end before it, whichever that is', () => {
    expect([beforeNewline('a\nb', 2), beforeNewline('a\r\nb', 3), beforeNewline('ab', 1)]).toEqual([1, 1, 1]);
  });
});

test.each([
  ['a\nb\nc\n', 2, 3, 'a\nc\n'],
  ['a\r\nb\r\nc', 3, 4, 'a\r\nc'],
  ['a\nb', 2, 3, 'a'],
  ['a\r\nb', 3, 4, 'a'],
  ['only', 0, 4, ''],
])('of %j, the lines from %i to %i are removed', (text, from, to, left) => {
  expect(applyEdits(text, [withoutLines(text, from, to)])).toBe(left);
});

test.each([
  ['[‹a›]', '[new, a]'],
  ['[ ‹a› ]', '[ new, a ]'],
  ['[\n  ‹a›,\n  ‹b›\n]', '[\n  new,\n  a,\n  b\n]'],
  ['[]', '[new]'],
])('into %j an item comes first', (shown, after) => {
  const {text, brackets} = marked(shown);
  expect(applyEdits(text, [insertFirst(text, brackets, 'new')])).toBe(after);
});

test.each([
  ['[‹a›, ‹b›]', 0, '[b]'],
  ['[‹a›, ‹b›]', 1, '[a]'],
  ['[‹a›, ‹b›, ‹c›]', 1, '[a, c]'],
  ['[‹a›]', 0, '[]'],
  ['[‹a›,]', 0, '[]'],
  ['[‹a› # one, two\n,]', 0, '[ # one, two\n]'],
  ['[‹a› # one, two\n, ‹b›]', 0, '[ # one, two\nb]'],
  ['[‹a›, # one, two\n ‹b›]', 1, '[a # one, two\n ]'],
  ['[\n  ‹a›,\n  ‹b›,\n]', 1, '[\n  a,\n]'],
  // Without a comma, nothing but the item is taken.
  ['[‹a› ‹b›]', 0, '[ b]'],
  ['[‹a›]', 1, '[a]'],
])('from %j item %i goes with its comma', (shown, index, after) => {
  const {text, brackets} = marked(shown);
  expect(applyEdits(text, removeItem(text, brackets, index))).toBe(after);
});

describe('the changes of an entry', () => {
  test('are removals, replacements and additions, in this order, down to the member', () => {
    const present = {gone: 1, same: [1], env: {A: '1', B: '2', C: '3'}, args: ['x'], filled: {a: 1}, empty: {}};
    const wanted = {added: 2, same: [1], env: {A: '1', B: '3', D: '4'}, args: ['y'], filled: {}, empty: {a: 1}};
    expect(memberChanges(present, wanted)).toEqual([
      {path: ['gone']},
      {path: ['env', 'C']},
      {path: ['env', 'B'], value: '3'},
      {path: ['env', 'D'], value: '4'},
      {path: ['args'], value: ['y']},
      {path: ['filled'], value: {}},
      {path: ['empty'], value: {a: 1}},
      {path: ['added'], value: 2},
    ]);
    expect(memberChanges(wanted, wanted)).toEqual([]);
    expect(memberChanges({a: 1}, {a: {b: 1}})).toEqual([{path: ['a'], value: {b: 1}}]);
  });

  test('are possible between entries that have a member in common', () => {
    expect(haveCommonMembers({a: 1, b: 2}, {b: 3, c: 4})).toBe(true);
    expect(haveCommonMembers({a: 1}, {b: 3})).toBe(false);
    expect(haveCommonMembers('text', {length: 1})).toBe(false);
    expect(haveCommonMembers(undefined, {b: 1})).toBe(false);
  });
});

describe('a changed text', () => {
  const before = {rest: {theme: 'dark'}, entries: {ours: {command: 'a'}, theirs: {command: 'b'}}};
  const check = (
    after: typeof before | object,
    changes = {ours: {command: 'new'}} as Record<string, object | undefined>,
  ) => requireSame(before, () => after as typeof before, changes, '/home/ann/file');
  const unsafe = expect.objectContaining({
    code: 'local-file-invalid',
    message: '/home/ann/file has a layout that cannot be edited safely.',
    about: {path: '/home/ann/file'},
  });

  test('has what was wanted, and nothing else is different', () => {
    const {rest} = before;
    const theirs = {command: 'b'};
    expect(() => check({rest, entries: {ours: {command: 'new'}, theirs}})).not.toThrow();
    expect(() => check({rest, entries: {theirs}}, {ours: undefined})).not.toThrow();
    expect(() => check({rest: {}, entries: {ours: {command: 'new'}, theirs}})).toThrow(unsafe);
    expect(() => check({rest, entries: {ours: {command: 'a'}, theirs}})).toThrow(unsafe);
    expect(() => check({rest, entries: {ours: {command: 'new'}}})).toThrow(unsafe);
    expect(() => check({rest, entries: {ours: {command: 'new'}, theirs, more: {}}})).toThrow(unsafe);
    expect(() => check({rest, entries: {ours: {command: 'new'}, other: theirs}})).toThrow(unsafe);
  });

  test('that does not parse is no fault of the person', () => {
    const cause = new Error('line 3');
    const reread = () => {
      throw cause;
    };
    expect(() => reparse(reread, '/home/ann/file')).toThrow(unsafe);
    expect(() => reparse(reread, '/home/ann/file')).toThrow(expect.objectContaining({cause}));
    expect(reparse(() => 7, '/home/ann/file')).toBe(7);
  });
});

test('a text with conflict markers is refused by its line', () => {
  expect(() => refuseConflict('a\n<<<<<<< HEAD\nb\n', '/f')).toThrow('/f contains a merge conflict (line 2).');
  expect(() => refuseConflict('a\r\n>>>>>>>\r\n', '/f')).toThrow('(line 2)');
  for (const text of ['a <<<<<<< b', '<<<<<<<<', '<<<<<<<x']) expect(() => refuseConflict(text, '/f')).not.toThrow();
});

test('a text is parsed once as long as no other one is', () => {
  const parse = vi.fn((text: string) => ({text}));
  const parsed = parsingOnce(parse);
  expect(parsed('a', '/f')).toBe(parsed('a', '/f'));
  expect(parsed('b', '/f')).toEqual({text: 'b'});
  expect(parse).toHaveBeenCalledTimes(2);
});
