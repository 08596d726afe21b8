import type {Key} from 'ink';
import {expect, test} from 'vitest';
import {edit, insert, lineOf} from '../../../src/screens/parts/text-field.tsx';

const none = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
} as Key;
const key = (...names: readonly (keyof Key)[]): Key => ({
  ...none,
  ...Object.fromEntries(names.map(name => [name, true])),
});

/** `|` marks the cursor. */
const line = (text: string) => ({text: text.replace('|', ''), cursor: text.indexOf('|')});
const shown = ({text, cursor}: {text: string; cursor: number}) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

test.each([
  ['typing', 'ac|', 'd', key(), 'acd|'],
  ['typing in the middle', 'a|c', 'b', key(), 'ab|c'],
  ['left', 'ab|', '', key('leftArrow'), 'a|b'],
  ['left at the start', '|ab', '', key('leftArrow'), '|ab'],
  ['right', '|ab', '', key('rightArrow'), 'a|b'],
  ['Home', 'ab|c', '', key('home'), '|abc'],
  ['End', 'a|bc', '', key('end'), 'abc|'],
  ['Ctrl-A', 'ab|', 'a', key('ctrl'), '|ab'],
  ['Ctrl-E', '|ab', 'e', key('ctrl'), 'ab|'],
  ['Ctrl-U', 'ab cd|e', 'u', key('ctrl'), '|e'],
  ['Ctrl-K', 'ab| cd', 'k', key('ctrl'), 'ab|'],
  ['Ctrl-W', 'one two |x', 'w', key('ctrl'), 'one |x'],
  ['Backspace', 'ab|c', '', key('backspace'), 'a|c'],
  ['Backspace over one character of many units', 'a👩‍👩‍👧|', '', key('backspace'), 'a|'],
  ['Delete', 'a|bc', '', key('delete'), 'a|c'],
  ['Delete over a character of many units', '|👩‍👩‍👧a', '', key('delete'), '|a'],
  ['left over an accent of its own', 'ae\u0301|', '', key('leftArrow'), 'a|e\u0301'],
  ['Alt-B', 'http://api.acme|/mcp', 'b', key('meta'), 'http://api.|acme/mcp'],
  ['Alt-B over blanks', 'one two  |', 'b', key('meta'), 'one |two  '],
  ['Alt-Left', 'one two|', '', key('leftArrow', 'meta'), 'one |two'],
  ['Ctrl-Left', 'one two|', '', key('leftArrow', 'ctrl'), 'one |two'],
  ['Alt-F', '|http://api.acme', 'f', key('meta'), 'http|://api.acme'],
  ['Ctrl-Right', 'http|://api.acme', '', key('rightArrow', 'ctrl'), 'http://api|.acme'],
  ['Alt-D', 'http|://api.acme', 'd', key('meta'), 'http|.acme'],
  ['Ctrl-Delete', 'one| two three', '', key('delete', 'ctrl'), 'one| three'],
  ['Alt-Backspace', 'http://api.acme|/mcp', '', key('backspace', 'meta'), 'http://api.|/mcp'],
  ['Ctrl-D', 'a|bc', 'd', key('ctrl'), 'a|c'],
  ['Ctrl-B and letters beyond ASCII', 'größe über|', 'b', key('meta'), 'größe |über'],
  ['a letter with Alt that means nothing', 'a|', 'x', key('meta'), 'a|'],
  ['Enter is no text', 'a|', '\r', key('return'), 'a|'],
  ['Tab is no text', 'a|', '\t', key('tab'), 'a|'],
])('%s', (_name, before, input, pressed, expected) => {
  expect(shown(edit(line(before), input, pressed))).toBe(expected);
});

test.each([
  ['Alt-B', 'one two|', 'b', key('meta'), '|one two'],
  ['Alt-F', '|one two', 'f', key('meta'), 'one two|'],
  ['Ctrl-W', 'one two|', 'w', key('ctrl'), '|'],
  ['Alt-D', '|one two', 'd', key('meta'), '|'],
])('a secret is one word to %s, as its words are nobody’s business', (_name, before, input, pressed, expected) => {
  expect(shown(edit(line(before), input, pressed, true))).toBe(expected);
});

test('in a text of 100 kB a key takes no longer than a frame', () => {
  let long = lineOf('漢👩‍👧 wort/'.repeat(10_000));
  const started = performance.now();
  for (let count = 0; count < 20; count += 1) {
    long = edit(long, '', key('leftArrow'));
    long = edit(long, '', key('backspace'));
    long = edit(long, 'x', key());
    long = edit(long, 'b', key('meta'));
  }
  expect((performance.now() - started) / 80).toBeLessThan(16);
});

test('pasted text is one line without controls', () => {
  expect(insert(lineOf('a'), 'b\r\nc\u001B[31m')).toEqual({text: 'abc[31m', cursor: 7});
});
