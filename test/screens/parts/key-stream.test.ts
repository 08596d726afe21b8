import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {createKeyReader} from '../../../src/screens/parts/key-stream.ts';

const ESC_KEY = '\x1b[27u';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a reader, and records what it emits. `typing` says whether a field takes text. */
const open = (typing = false) => {
  const emitted: string[] = [];
  const claims = {isTyping: typing, isTaken: () => claims.isTyping};
  const reader = createKeyReader(one => void emitted.push(one), claims);
  const drawn = () => vi.advanceTimersToNextTimer();
  return {...reader, emitted, claims, drawn, wait: (ms: number) => vi.advanceTimersByTime(ms)};
};

describe('what comes in one read', () => {
  test('is one key after the other, each once the one before it is drawn', () => {
    const {push, emitted, drawn} = open();
    push('3\r');
    expect(emitted).toEqual(['3']);
    drawn();
    expect(emitted).toEqual(['3', '\r']);
  });

  test('a single key waits for nothing', () => {
    const {push, emitted} = open();
    push('j');
    expect(emitted).toEqual(['j']);
  });

  test('a key that comes while others wait stands behind them', () => {
    const {push, emitted, wait} = open();
    push('jj');
    push('\r');
    wait(10);
    expect(emitted).toEqual(['j', 'j', '\r']);
  });

  test('is whole for who takes text, however long it is', () => {
    const {push, emitted, wait} = open(true);
    push(`${'a'.repeat(100_000)}\x15b\x17\r`);
    wait(10);
    expect(emitted).toEqual(['a'.repeat(100_000), '\x15', 'b', '\x17', '\r']);
  });

  test('belongs to the field that a key of it has opened', () => {
    const {push, emitted, claims, wait} = open();
    push('phttp://127.0.0.1/\r');
    claims.isTyping = true;
    wait(10);
    expect(emitted).toEqual(['p', 'http://127.0.0.1/', '\r']);
  });

  test('characters are not cut in two', () => {
    const {push, emitted, wait} = open();
    push('👍a');
    wait(10);
    expect(emitted).toEqual(['👍', 'a']);
  });
});

describe('Esc', () => {
  test('is a key after a tenth of a second, and not before', () => {
    const {push, emitted, wait} = open();
    push('\x1b');
    wait(99);
    expect(emitted).toEqual([]);
    wait(2);
    expect(emitted).toEqual([ESC_KEY]);
  });

  test.each([
    ['an arrow', '\x1b[A', ['\x1b[A']],
    ['an arrow with Ctrl', '\x1b[1;5D', ['\x1b[1;5D']],
    ['Delete', '\x1b[3~', ['\x1b[3~']],
    ['a paste', '\x1b[200~one two\x1b[201~', ['\x1b[200~one two\x1b[201~']],
    ['an answer', '\x1b]11;rgb:0/0/0\x1b\\', []],
  ])('is none at the beginning of %s, wherever a slow line cuts it', (_name, sequence, expected) => {
    for (let at = 1; at < sequence.length; at += 1) {
      const {push, emitted, wait} = open();
      push(sequence.slice(0, at));
      wait(60);
      push(sequence.slice(at));
      wait(1_000);
      expect(emitted, `cut at ${at}`).toEqual(expected);
    }
  });

  test('and a letter in one read are both keys, but in a field they are one with Alt', () => {
    const list = open();
    list.push('\x1bb');
    list.wait(10);
    expect(list.emitted).toEqual([ESC_KEY, 'b']);
    const field = open(true);
    field.push('\x1bb\x1bx');
    field.wait(10);
    expect(field.emitted).toEqual(['\x1bb', ESC_KEY, 'x']);
  });

  test('twice is twice', () => {
    const {push, emitted, wait} = open();
    push('\x1b\x1b');
    wait(110);
    expect(emitted).toEqual([ESC_KEY, ESC_KEY]);
  });

  test('is no key when a program was too busy to read what came behind it', () => {
    const {push, emitted, wait} = open();
    push('\x1b');
    // The timer has expired, but input that arrived meanwhile is read before the timer is handled.
    setTimeout(() => setImmediate(() => undefined), 0);
    vi.advanceTimersByTime(100);
    push('[A');
    wait(1_000);
    expect(emitted).toEqual(['\x1b[A']);
  });
});

test('what was begun and does not go on is forgotten after half a second', () => {
  const {push, emitted, wait} = open(true);
  push('\x1b[1;');
  wait(510);
  push('a');
  expect(emitted).toEqual(['a']);
});

describe('a paste', () => {
  test('whose end never comes is taken after half a second, and keys are keys again', () => {
    const {push, emitted, wait} = open();
    push('\x1b[200~half');
    push(' of it');
    wait(499);
    expect(emitted).toEqual([]);
    wait(10);
    expect(emitted).toEqual(['\x1b[200~half of it\x1b[201~']);
    push('j');
    wait(10);
    expect(emitted).toEqual(['\x1b[200~half of it\x1b[201~', 'j']);
  });

  test('whose end comes after all leaves nothing of it', () => {
    const {push, emitted, wait} = open();
    push('\x1b[200~half');
    wait(600);
    push('\x1b[201~j');
    wait(10);
    expect(emitted).toEqual(['\x1b[200~half\x1b[201~', 'j']);
  });

  test('may come in many reads, and its end in two', () => {
    const {push, emitted, wait} = open();
    push('\x1b[200~');
    for (let count = 0; count < 1_000; count += 1) push('x'.repeat(100));
    push('\x1b[20');
    push('1~\r');
    wait(10);
    expect(emitted).toEqual([`\x1b[200~${'x'.repeat(100_000)}\x1b[201~`, '\r']);
  });

  test.each(['\x1b[200~half\x03', '\x1b[200~half of it and more\x03more'])('is left by Ctrl-C: %j', sent => {
    const {push, emitted} = open();
    push(sent);
    expect(emitted[0]).toBe('\x03');
  });
});

test('what is no key is heard, and is not a key', () => {
  const heard: string[] = [];
  const emitted: string[] = [];
  const reader = createKeyReader(
    one => void emitted.push(one),
    {isTaken: () => false},
    one => void heard.push(one),
  );
  const answer = '\x1b]11;rgb:0000/0000/0000\x1b\\';
  reader.push(`${answer.slice(0, 9)}`);
  reader.push(`${answer.slice(9)}j`);
  expect(heard).toEqual([answer]);
  expect(emitted).toEqual(['j']);
});

test('Ctrl-C does not wait for the keys before it, as in any terminal', () => {
  const {push, emitted, wait} = open();
  push(`${'j'.repeat(10_000)}\x03`);
  wait(100);
  expect(emitted).toEqual(['\x03']);
});

test('what was not emitted at the end is given back as it came', () => {
  const {push, emitted, stop, wait} = open();
  push('\rjk\x1bOA\x1b[20');
  expect(stop()).toBe('jk\x1bOA\x1b[20');
  wait(1_000);
  expect(emitted).toEqual(['\r']);
});
