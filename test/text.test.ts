import {expect, test} from 'vitest';
import {ago, briefText, cleanText, duration, escapeUnsafe, linesOf, printable} from '../src/text.ts';

test.each([
  ['a title sequence', '\u001B]0;pwned\u0007name', ']0;pwned name'],
  ['a clipboard write by C1', '\u009D52;c;aGk=\u009Cname', '52;c;aGk= name'],
  ['a colour', '\u001B[31mred\u001B[0m', '[31mred [0m'],
  ['carriage return and backspace', 'safe\r\bevil', 'safe evil'],
  ['newlines', 'a\nb\u2028c', 'a b c'],
  ['bidirectional override', 'a\u202Eb\u2066c', 'a b c'],
  ['NUL and DEL', 'a\u0000b\u007Fc', 'a b c'],
])('%s is shown inert', (_name, text, expected) => {
  expect(cleanText(text)).toBe(expected);
});

test.each([
  ['a JWT', 'no eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbmVk here', 'no <token> here'],
  ['an opaque token', 'What is Bearer dGhpcyBpcyBhIHNlY3JldA12?', 'What is Bearer <token>?'],
  ['one that would be cut', `${'x'.repeat(200)} eyJ${'a'.repeat(90)}.${'b'.repeat(900)}`, `${'x'.repeat(200)} <token>`],
  ['words about one', 'Bearer authentication is required', 'Bearer authentication is required'],
  ['a challenge', 'Bearer error="invalid_token", scope="a1"', 'Bearer error="invalid_token", scope="a1"'],
])('%s that a server says is not shown', (_name, text, expected) => {
  expect(cleanText(text)).toBe(expected);
});

test('ten megabytes are cut before they are looked at', () => {
  const clean = cleanText('x'.repeat(10_000_000));
  expect(clean).toHaveLength(300);
  expect(clean.endsWith('…')).toBe(true);
});

test('what is cut for lack of room says so', () => {
  expect(briefText('Bearer resource_metadata="http://api.acme.localhost"', 20)).toBe('Bearer resource_met…');
  expect(briefText('Bearer\n realm="x"', 60)).toBe('Bearer realm="x"');
});

/** Sequences on which a terminal acts, whatever their source. */
const actions = [
  ['a title sequence', '\u001B]0;pwned\u0007'],
  ['a clipboard write', '\u001B]52;c;aGk=\u001B\\'],
  ['a clipboard write by C1', '\u009D52;c;aGk=\u009C'],
  ['a colour', '\u001B[31m'],
  ['carriage return and backspace', 'safe\r\bevil'],
  ['bidirectional override and isolate', 'a\u202Eb\u2066c\u2069\u200F'],
  ['NUL, DEL and BEL', '\u0000\u007F\u0007'],
  ['line separators', '\u2028\u2029'],
  ['hidden tags and half a pair', '\u{E0041}\uD800'],
] as const;

const acting = /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\p{Zl}\p{Zp}\p{Cs}]/u;

test.each(actions)('%s: nothing of it reaches a terminal, and JSON keeps it escaped', (_name, text) => {
  const given = `before ${text} after`;
  expect(printable(given)).not.toMatch(acting);
  expect(printable(given)).toMatch(/^before .* after$/s);
  const json = escapeUnsafe(JSON.stringify({given}));
  expect(json).not.toMatch(acting);
  expect(JSON.parse(json)).toEqual({given});
});

test('what is no action stays: lines, columns, joined signs, other scripts', () => {
  const text = 'one\n\ttwo 👩‍💻 می‌خواهم देवनागरी';
  expect(printable(text)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [14.4, '14 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [3_480_000, '58 min'],
  [3_599_000, '1 h'],
  [3_900_000, '1 h 5 min'],
])('%d ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [490, 'just now'],
  [59_900, 'just now'],
  [60_000, '1 min ago'],
  [3_900_000, '1 h 5 min ago'],
])('%d ms ago is %s', (ms, text) => {
  expect(ago(ms)).toBe(text);
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two', 7, ['one two']],
  ['a-word-that-is-longer than a line', 8, ['a-word-t', 'hat-is-l', 'onger', 'than a', 'line']],
  ['', 5, ['']],
  ['apply it:\n  name: a\n\n  value: b', 12, ['apply it:', '  name: a', '', '  value: b']],
])('%j over lines of %i columns', (text, width, lines) => {
  expect(linesOf(text, width)).toEqual(lines);
});
