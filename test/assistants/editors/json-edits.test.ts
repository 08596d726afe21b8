import {describe, expect, test} from 'vitest';
import type {JsonDialect} from '../../../src/assistants/editors/json/json-dialect.ts';
import {
  indentAt,
  inlineOf,
  insertProperties,
  layoutOf,
  parseJson,
  removeProperties,
  valuesOf,
} from '../../../src/assistants/editors/json-edits.ts';
import {applyEdits} from '../../../src/assistants/editors/text-edits.ts';

const parse = (text: string, dialect: JsonDialect = 'lenient') => parseJson(text, 'mcpServers', dialect, '/x.json');

const refusal = (text: string, dialect: JsonDialect = 'lenient'): string => {
  try {
    parse(text, dialect);
  } catch (error) {
    return (error as Error).message;
  }
  return expect.fail('It is accepted.');
};

/** Returns a text with properties added to its root. */
const added = (text: string, ...names: readonly string[]): string => {
  const properties = names.map(name => [name, 1] as const);
  return applyEdits(text, insertProperties(text, parse(text).root, properties, layoutOf(text)));
};

/** Returns a text without these properties of its root. */
const removed = (text: string, names: readonly string[], within?: string): string =>
  applyEdits(
    text,
    removeProperties(text, parse(text).root, ({key}) => names.includes(key), within),
  );

describe('the layout of a file', () => {
  test.each([
    ['{\n\t"a": 1\n}', {unit: '\t', isOneLine: false, gap: ' '}],
    ['{\n    "a":1\n}', {unit: '    ', isOneLine: false, gap: ''}],
    ['{"a":   "b"}\n', {unit: '  ', isOneLine: true}],
    ['\n{"a": 1}', {isOneLine: true, gap: ' '}],
    ['{"a":1, "b": 2}', {gap: ' '}],
    ['{\r\n  "a": 1\r\n}', {eol: '\r\n'}],
  ])('%j', (text, layout) => {
    expect(layoutOf(text)).toMatchObject(layout);
  });

  test('has the white space of a line, and none of another place', () => {
    expect(indentAt('{\n   "a": 1}', 5)).toBe('   ');
    expect(indentAt('{"a":  1}', 7)).toBe('');
  });

  test('on one line holds every kind of value', () => {
    expect(inlineOf({a: null, b: [1, {c: true}], d: 'x'}, ' ')).toBe('{"a": null, "b": [1, {"c": true}], "d": "x"}');
    expect(inlineOf({a: [1, 2]}, '')).toBe('{"a":[1,2]}');
  });
});

describe('what cannot be read is refused in words', () => {
  test.each([
    ['{"a": 1,}', 'strict', 'contains a trailing comma'],
    ['{"a": [1,]}', 'strict', 'contains a trailing comma'],
    ['{"a": 1, x}', 'strict', 'is not valid JSON'],
    ['{"a" }', 'strict', 'is not valid JSON'],
    ['{"a": 1, "b":}', 'strict', 'is not valid JSON'],
    ['{,}', 'lenient', 'is not valid JSON'],
    ['// a\n{}', 'strict', 'contains a comment'],
    ['', 'lenient', 'is not valid JSON'],
    ['[]', 'lenient', 'its root is not an object'],
    ['{"mcpServers": []}', 'lenient', '“mcpServers” is not an object'],
    ['{"a": 1, "a": 2}', 'lenient', 'contains the key “a” twice'],
    ['{"mcpServers": {"a": 1, "a": 2}}', 'lenient', 'contains the key “a” twice'],
    [`{"a": ${'['.repeat(50_000)}`, 'lenient', 'is nested too deeply'],
  ] as const)('%.40s (%s)', (text, dialect, words) => {
    expect(refusal(text, dialect)).toContain(words);
  });
});

test('the values beside the entries are kept apart, and no key has a special meaning', () => {
  const {rest, entries} = valuesOf(parse('{"a": [null, {"__proto__": 1}], "mcpServers": {"b": {}}, "c": "d"}'));
  expect(JSON.stringify(rest)).toBe('{"a":[null,{"__proto__":1}],"c":"d"}');
  expect(JSON.stringify(entries)).toBe('{"b":{}}');
  expect(JSON.stringify(valuesOf(parse('{"a": 1}')).entries)).toBe('{}');
});

describe('what is added looks like the rest', () => {
  test.each([
    ['{"a":1}', '{"a":1,"b":1,"c":1}'],
    ['{"a": 1}', '{"a": 1, "b": 1, "c": 1}'],
    ['{}', '{"b": 1, "c": 1}'],
    ['{\n      "a": 1\n}', '{\n      "a": 1,\n      "b": 1,\n      "c": 1\n}'],
    ['{"a": 1,\n "d": 2\n}', '{"a": 1,\n "d": 2,\n "b": 1,\n "c": 1\n}'],
    ['{\n  "a": 1,\n}', '{\n  "a": 1,\n  "b": 1,\n  "c": 1,\n}'],
    ['{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "b": 1,\n  "c": 1\n}'],
    ['{\n  // none\n}', '{\n  // none\n  "b": 1,\n  "c": 1\n}'],
  ])('%j', (text, expected) => {
    expect(added(text, 'b', 'c')).toBe(expected);
  });
});

describe('what is removed leaves the rest', () => {
  test.each([
    ['{"a": 1, "b": 2}', ['a'], '{ "b": 2}'],
    ['{"a": 1, "b": 2}', ['b'], '{"a": 1}'],
    ['{"a": 1, "b": 2, "c": 3}', ['b', 'c'], '{"a": 1}'],
    ['{"a": 1, "b": 2,}', ['b'], '{"a": 1,}'],
    ['{"a": 1}', ['x'], '{"a": 1}'],
    ['{}', ['x'], '{}'],
    ['{\n  // of a\n  "a": 1,\n  "b": 2\n}', ['a'], '{\n  // of a\n  "b": 2\n}'],
    ['{\n  "a": 1,\n  /* of b */ "b": 2\n}', ['b'], '{\n  "a": 1\n  /* of b */\n}'],
  ] as const)('%j without %j', (text, names, expected) => {
    expect(removed(text, names)).toBe(expected);
  });

  test.each([
    ['{"a": 1}', undefined, '{}'],
    ['{\n  "a": 1\n}', undefined, '{}'],
    ['{\n  "a": 1\n}', '\n', '{\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', '\n', '{\n}'],
    ['{ /* why */ "a": 1 }', undefined, '{ /* why */ }'],
    ['{"a": 1, /* why */}', undefined, '{ /* why */}'],
    ['{"a": 1 // why\n}', '', '{ // why\n}'],
    ['{"a": 1 // why\n}', '\n', '{ // why\n}'],
  ])('%j, with %j in an object that becomes empty', (text, within, expected) => {
    expect(removed(text, ['a', 'b'], within)).toBe(expected);
  });
});
