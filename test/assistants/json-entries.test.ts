import {describe, expect, test} from 'vitest';
import {readEntries, setEntries} from '../../src/assistants/json-entries.ts';

const set = (text: string) => setEntries(text, ['mcpServers'], {acme: {url: 'http://x/mcp'}}, 'mcp.json');

test('a new file', () => {
  expect(set('')).toBe('{\n  "mcpServers": {\n    "acme": {\n      "url": "http://x/mcp"\n    }\n  }\n}\n');
});

test.each([
  ['comments', '{\n  // mine\n  "mcpServers": {\n    "other": {"url": "http://y"} // theirs\n  }\n}\n'],
  ['unknown keys and their order', '{"z": 1, "a": [1, 2,   3], "mcpServers": {}, "b": null}'],
  ['tabs', '{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}\n'],
  ['CRLF', '{\r\n  "mcpServers": {\r\n    "other": {}\r\n  }\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{"mcpServers": {"other": {}}}'],
  ['trailing commas', '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n'],
])('%s are kept', (_name, text) => {
  const edited = set(text);
  expect(readEntries(edited, ['mcpServers'], 'mcp.json').acme).toEqual({url: 'http://x/mcp'});
  // Every piece of the old text is still there, in its order.
  let at = 0;
  for (const piece of text.match(/"[^"]*"|\/\/[^\n]*|\uFEFF|\r\n|\t"/g) ?? []) {
    const found = edited.indexOf(piece, at);
    expect(found, piece).toBeGreaterThanOrEqual(0);
    at = found;
  }
  if (text.includes('\r\n')) expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
  if (text.includes('\t')) expect(edited).not.toMatch(/^ +"/m);
});

test('an entry that is there already changes no byte', () => {
  const text = '{ "mcpServers": { "acme": { "url": "http://x/mcp" } } }';
  expect(set(text)).toBe(text);
});

describe('a file that cannot be edited safely is refused and named', () => {
  test.each([
    ['cut off', '{"mcpServers": {', /mcp\.json is not valid JSON/],
    ['with a missing comma', '{\n"a": 1\n"b": 2}', /line 3/],
    ['with conflict markers', '{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}', /line 2/],
    ['a list', '[]', /its root is not an object/],
    ['null', 'null', /its root is not an object/],
    ['with servers that are a list', '{"mcpServers": []}', /“mcpServers” is not an object/],
    ['followed by more', '{} {}', /not valid JSON/],
  ])('%s', (_name, text, message) => {
    expect(() => set(text)).toThrow(
      expect.objectContaining({code: 'local-file-invalid', message: expect.stringMatching(message)}),
    );
  });
});
