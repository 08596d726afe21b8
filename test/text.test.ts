import {expect, test} from 'vitest';
import {briefText, cleanText} from '../src/text.ts';

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

test('ten megabytes are cut before they are looked at', () => {
  const clean = cleanText('x'.repeat(10_000_000));
  expect(clean).toHaveLength(300);
  expect(clean.endsWith('…')).toBe(true);
});

test('what is cut for lack of room says so', () => {
  expect(briefText('Bearer resource_metadata="http://api.acme.localhost"', 20)).toBe('Bearer resource_met…');
  expect(briefText('Bearer\n realm="x"', 60)).toBe('Bearer realm="x"');
});
