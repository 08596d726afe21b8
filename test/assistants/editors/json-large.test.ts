import {describe, expect, test} from 'vitest';
import {foldJson} from '../../../src/assistants/editors/json-large.ts';
import {json} from '../../../src/assistants/formats/formats.ts';
import {digest} from '../../../src/flows/planned-file.ts';
import {roundsOf} from '../../support/tables.ts';
import {type Random, randomFrom} from './random.ts';

const editor = await json('mcpServers').editor();
const strict = await json('mcpServers', 'strict').editor();
const entry = {acme: {url: 'http://x/mcp'}};

const fold = (text: string, limit = 64, dialect: 'strict' | 'comments' | 'lenient' = 'lenient') =>
  foldJson(Buffer.from(text, 'utf8'), {own: 'mcpServers', dialect, limit});

const long = 'a “long” text \\" } ] , : // with /* everything */ '.repeat(4);
const list = Array.from({length: 50}, (_, index) => ({display: `${long}${index}`}));
const servers = {github: {url: 'http://y', headers: {Authorization: 'Bearer theirs'}}};
const claude = {startups: 3, log: long, projects: {a: {history: list}, b: {history: list}, c: 1}, mcpServers: servers};

describe('a large file without its bulk', () => {
  const text = JSON.stringify(claude, null, 2);
  const folded = fold(text) ?? expect.fail();

  test('is small, and has every key of the root and every entry', () => {
    expect(folded.text.length).toBeLessThan(text.length / 5);
    expect(Object.keys(JSON.parse(folded.text))).toEqual(Object.keys(claude));
    expect(editor.read(folded.text, 'f')).toEqual(servers);
  });

  test('comes back to the byte', () => {
    expect(folded.unfold(folded.text).toString('utf8')).toBe(text);
  });

  test('is edited like the whole of it', () => {
    const edited = editor.set(folded.text, entry, 'f');
    expect(folded.unfold(edited).toString('utf8')).toBe(editor.set(text, entry, 'f'));
  });

  test('is not written without a part of it, or with one twice', () => {
    const [standIn = ''] = /"… \d+ …":0/.exec(folded.text) ?? [];
    expect(() => folded.unfold(folded.text.replace(standIn, '"x":0'))).toThrow('What was left out');
    expect(() => folded.unfold(`${folded.text}${standIn}`)).toThrow('What was left out');
  });
});

test('ten megabytes become a text of kilobytes', () => {
  const history = Array.from({length: 2_000}, (_, index) => ({display: `${long}${index}`, pastedContents: {}}));
  const projects = Object.fromEntries(Array.from({length: 25}, (_, index) => [`/home/ann/${index}`, {history}]));
  const text = JSON.stringify({projects, mcpServers: servers}, null, 2);
  expect(text.length).toBeGreaterThan(10_000_000);
  const folded = foldJson(Buffer.from(text, 'utf8'), {own: 'mcpServers', dialect: 'strict'}) ?? expect.fail();
  expect(folded.text.length).toBeLessThan(2_000);
  // The test does not edit the whole text, because that takes seconds, and half a minute on a busy machine.
  const expected = JSON.stringify({projects, mcpServers: {...servers, ...entry}}, null, 2);
  expect(folded.unfold(editor.set(folded.text, entry, 'f')).equals(Buffer.from(expected))).toBe(true);
});

describe('nothing is left out', () => {
  const within = (middle: string) => `{"a": [1, ${middle}, "${'x'.repeat(100)}"], "mcpServers": {}}`;

  test.each([
    ['of a file that has nothing large', '{"a": 1}'],
    ['of a list', `["${'x'.repeat(100)}"]`],
    ['of a text that ends too early', `{"a": "${'x'.repeat(100)}`],
    ['of an object that ends too early', `{"a": {"b": "${'x'.repeat(100)}"}`],
    ['where a word is none', within('tru')],
    ['where a number is none', within('01')],
    ['where a comma is missing', within('1 2')],
    ['where a comma is too much', within('1,,2')],
    ['where a bracket is of the other kind', within('[1}')],
    ['where a comment does not end', within('/* 1')],
    ['where a slash stands by itself', within('1 / 2')],
    ['where a text has a line break', within('"a\nb"')],
    ['where a merge is unfinished', within('1,\n<<<<<<< ours\n2')],
    ['where a key has no colon', `{"a": {"b": 1, "c" 2, "d": "${'x'.repeat(100)}"}}`],
    ['where a text looks like what stands for what is left out', `{"… 0 …": "${'x'.repeat(100)}"}`],
  ])('%s', (_name, text) => {
    expect(fold(text, 32)).toBeUndefined();
  });

  test('of a file with comments, where its client reads none', () => {
    for (const middle of ['1, // one\n2', '1 /* one */', '1']) {
      expect(fold(within(middle), 32, 'strict') === undefined).toBe(middle !== '1');
      expect(fold(within(middle), 32, 'comments')).toBeDefined();
    }
  });

  test('of a file with trailing commas, where its client reads none', () => {
    expect(fold(within('[1,]'), 32, 'comments')).toBeUndefined();
    expect(fold(within('[1,]'), 32, 'lenient')).toBeDefined();
  });
});

test('what is left out is named by its contents in a text that is shown', () => {
  const name = (part: Buffer) => `${part.length} bytes, ${digest(part)}`;
  const shown = (history: readonly unknown[]) =>
    foldJson(Buffer.from(JSON.stringify({history})), {own: '', dialect: 'lenient', limit: 64, name})?.text ?? '';
  expect(shown(list)).toMatch(/"… \d{4,} bytes, [\da-f]{64} …"/);
  expect(shown(list)).not.toBe(shown(list.with(7, {display: 'other'})));
});

test('made up: whatever is folded comes back, and is edited like the whole of it', () => {
  let folds = 0;
  for (let seed = 1; seed <= roundsOf(600); seed += 1) {
    const random = randomFrom(seed);
    const [text, limit] = [textFrom(random), random.one([8, 30, 100])];
    const folded = fold(text, limit);
    if (!folded) continue;
    folds += 1;
    expect(folded.unfold(folded.text).toString('utf8'), text).toBe(text);
    const edited = editor.set(folded.text, entry, 'f');
    expect(folded.unfold(edited).toString('utf8'), text).toBe(editor.set(text, entry, 'f'));
    const made = editor.made(folded.text, 'f');
    expect(made, text).toEqual(editor.made(text, 'f'));
    expect(editor.remove(edited, ['acme'], 'f', made), text).toBe(folded.text);
  }
  expect(folds).toBeGreaterThan(roundsOf(600) / 2);
});

test('made up: a fault anywhere is seen as it is in the whole', () => {
  for (let seed = 1; seed <= roundsOf(600); seed += 1) {
    const random = randomFrom(seed);
    const whole = JSON.stringify(JSON.parse(plain(random)), null, 1);
    const at = random.number(whole.length);
    const broken =
      whole.slice(0, at) + random.one(['', ',', '}', '"', '\\', '[', '/', '\n', '0']) + whole.slice(at + 1);
    const folded = fold(broken, 16, 'strict');
    if (folded) expect(refusal(folded.text) ?? '', broken).toBe(refusal(broken) ?? '');
  }
});

const refusal = (text: string): string | undefined => {
  try {
    strict.read(text, 'f');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/ \(line \d+\)/, '') : 'other';
  }
};

const plain = (random: Random): string => {
  const value = (depth: number): unknown =>
    random.one<() => unknown>([
      () => random.number(1000),
      () => random.one(['', 'é🙂', '{"a": [', '\\"', 'x'.repeat(40)]),
      () => (depth > 3 ? null : random.some(5, () => value(depth + 1))),
      () =>
        depth > 3
          ? true
          : Object.fromEntries(random.some(5, () => 0).map((_, index) => [`k${index}`, value(depth + 1)])),
    ])();
  const keys = random.some(4, () => 0).map((_, index): [string, unknown] => [`key${index}`, value(0)]);
  return JSON.stringify(Object.fromEntries([...keys, ['mcpServers', {a: value(2)}], ['last', value(0)]]));
};

/** Returns a text in one layout, with comments and trailing commas. */
const textFrom = (random: Random): string => {
  const text = JSON.stringify(JSON.parse(plain(random)), null, random.one([1, 2, '\t']));
  const commented = text.replaceAll(/,\n/g, comma => random.one([comma, comma, ', // "x": {,\n', ' /* } */,\n']));
  const trailing = commented.replaceAll(/([^\s[{])\n(\s*[\]}])/g, (all, before, after) =>
    random.one([all, `${before},\n${after}`]),
  );
  const mark = random.one(['', '\uFEFF']);
  return mark + trailing.replaceAll('\n', random.one(['\n', '\r\n']));
};
