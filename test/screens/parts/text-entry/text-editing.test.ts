import type {Key} from 'ink';
import {expect, test} from 'vitest';
import {edit, insert, lineOf} from '../../../../src/screens/parts/text-entry/text-editing.ts';

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

/** `|` is the cursor. */
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
  ['Enter is no text', 'a|', '\r', key('return'), 'a|'],
  ['Tab is no text', 'a|', '\t', key('tab'), 'a|'],
])('%s', (_name, before, input, pressed, expected) => {
  expect(shown(edit(line(before), input, pressed))).toBe(expected);
});

test('pasted text is one line without controls', () => {
  expect(insert(lineOf('a'), 'b\r\nc\u001B[31m')).toEqual({text: 'abc[31m', cursor: 7});
});
