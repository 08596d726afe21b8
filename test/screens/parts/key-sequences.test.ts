import {describe, expect, test} from 'vitest';
import {firstToken} from '../../../src/screens/parts/key-sequences.ts';

/** Returns the parts of an input: keys in their one form, text as it is, and a rest that waits for more. */
const read = (input: string): readonly unknown[] => {
  const found: unknown[] = [];
  for (let rest = input; rest !== ''; ) {
    const token = firstToken(rest);
    if (typeof token === 'string') return [...found, {pending: token}];
    rest = rest.slice(token.raw.length);
    if (token.type === 'key') found.push(token.key);
    else if (token.type === 'text') found.push({text: token.raw});
    else if (token.type === 'chord') found.push({alt: token.alt});
    else found.push(token.type);
  }
  return found;
};

const [delete_, home, end] = ['\x1b[3~', '\x1b[H', '\x1b[F'];

test.each([
  ['text and Enter', '3\r', [{text: '3'}, '\r']],
  ['text beyond ASCII', 'ä👩‍👧漢\t', [{text: 'ä👩‍👧漢'}, '\t']],
  ['a line feed, and both of Windows', '\n\r\n', ['\r', '\r']],
  ['controls', '\x15\x17\x7f', ['\x15', '\x17', '\x7f']],
  ['arrows of both modes', '\x1b[A\x1bOB', ['\x1b[A', '\x1b[B']],
  ['arrows with Ctrl', '\x1b[1;5D\x1b[1;5C\x1bOd', ['\x1b[1;5D', '\x1b[1;5C', '\x1b[1;5D']],
  ['arrows with Alt', '\x1b[1;3D\x1b\x1b[C', ['\x1b[1;3D', {alt: '\x1b[1;3C'}]],
  ['rxvt’s arrows with Shift', '\x1b[a\x1b[d', ['\x1b[A', '\x1b[D']],
  [
    'every Home and End',
    '\x1b[H\x1bOH\x1b[1~\x1b[7~\x1b[7$\x1b[F\x1bOF\x1b[4~\x1b[8^',
    [...Array(5).fill(home), ...Array(4).fill(end)],
  ],
  ['every Delete', '\x1b[3~\x1b[P\x1b[3$', [delete_, delete_, delete_]],
  ['Delete with Ctrl', '\x1b[3;5~\x1b[3^', ['\x1b[3;5~', '\x1b[3;5~']],
  ['page keys', '\x1b[5~\x1b[6;2~', ['\x1b[5~', '\x1b[6~']],
  ['Tab with Shift', '\x1b[Z', ['\x1b[Z']],
  ['the keypad in its application mode', '\x1bOM\x1bOp\x1bOk', ['\r', '0', '+']],
  ['Alt with a letter, and with Backspace', '\x1bb\x1b\x7f', [{alt: '\x1bb'}, {alt: '\x1b\x7f'}]],
  ['kitty’s keys, and none that is let go', '\x1b[97;5u\x1b[97;5:3u\x1b[1;1:3A', ['\x1b[97;5u', 'nothing', 'nothing']],
  ['XTerm’s other keys', '\x1b[27;5;13~', ['\x1b[13;5u']],
  ['two Esc', '\x1b\x1bj', ['\x1b[27u', {alt: '\x1bj'}]],
])('%s', (_name, input, expected) => {
  expect(read(input)).toEqual(expected);
});

describe.each([
  ['device attributes', '\x1b[?62;22c'],
  ['more device attributes', '\x1b[>0;276;0c'],
  ['a cursor position', '\x1b[24;80R'],
  ['a cursor position in the first row', '\x1b[1;80R'],
  ['the focus gained', '\x1b[I'],
  ['the focus lost', '\x1b[O'],
  ['a mode', '\x1b[?2026;2$y'],
  ['a size', '\x1b[8;24;80t'],
  ['kitty’s flags', '\x1b[?0u'],
  ['a mouse in SGR', '\x1b[<0;10;20M'],
  ['a mouse in SGR, let go', '\x1b[<0;10;20m'],
  ['a mouse of the oldest kind', '\x1b[M !!'],
  ['a mouse of urxvt', '\x1b[32;10;20M'],
  ['a colour, with BEL', '\x1b]11;rgb:ffff/ffff/ffff\x07'],
  ['a colour, with ST', '\x1b]10;rgb:0000/0000/0000\x1b\\'],
  ['a clipboard', '\x1b]52;c;cm0gLXJmIC8=\x07'],
  ['a name', '\x1bP>|XTerm(380)\x1b\\'],
  ['a setting', '\x1bP1$r0m\x1b\\'],
  ['a picture’s answer', '\x1b_Gi=31;OK\x1b\\'],
  ['F1 and F5', '\x1bOP\x1b[15~'],
])('%s', (_name, answer) => {
  test('is neither text nor a key', () => {
    expect(new Set(read(answer))).toEqual(new Set(['nothing']));
    expect(read(`a${answer}b`)).toEqual([{text: 'a'}, ...read(answer), {text: 'b'}]);
  });

  test('is waited for, wherever it is cut in two', () => {
    for (let at = 1; at < answer.length; at += 1) {
      const last = read(answer.slice(0, at)).at(-1);
      const isWhole = /^\x1bOP(\x1b\[15~)?$/.test(answer.slice(0, at));
      if (!isWhole) expect(last, JSON.stringify(answer.slice(0, at))).toMatchObject({pending: expect.any(String)});
    }
  });
});

test.each(['\x1b[1', '\x1b]11;rgb', '\x1bP1$', '\x1b[M!'])('Ctrl-C gets out of %j', begun => {
  expect(read(`${begun}\x03`)).toEqual(['nothing', '\x03']);
});
