import {describe, expect, test} from 'vitest';
import {json} from '../../../src/assistants/formats/formats.ts';

const editor = await json('mcpServers').editor();
const set = (text: string) => editor.set(text, {acme: {url: 'http://x/mcp'}}, 'mcp.json');
const refused = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'local-file-invalid',
    message: expect.stringMatching(message),
    about: {path: 'mcp.json'},
  });

test('a new file', () => {
  expect(set('')).toBe('{\n  "mcpServers": {\n    "acme": {\n      "url": "http://x/mcp"\n    }\n  }\n}\n');
});

describe('what is added looks like the rest', () => {
  test.each([
    [
      'behind a comment of the entry before',
      '{\n  // mine\n  "mcpServers": {\n    "other": {"url": "http://y"} // theirs\n  }\n}\n',
      '{\n  // mine\n  "mcpServers": {\n    "other": {"url": "http://y"}, // theirs\n    "acme": {\n      "url": "http://x/mcp"\n    }\n  }\n}\n',
    ],
    [
      'in one line',
      '{"z": 1, "a": [1, 2,   3], "mcpServers": {}, "b": null}',
      '{"z": 1, "a": [1, 2,   3], "mcpServers": {"acme": {"url": "http://x/mcp"}}, "b": null}',
    ],
    [
      'on lines of its own, where the file has several',
      '{\n  "mcpServers": {"other": {}}\n}',
      '{\n  "mcpServers": {"other": {},\n    "acme": {\n      "url": "http://x/mcp"\n    }}\n}',
    ],
    ['without a space', '{"a":1}', '{"a":1,"mcpServers":{"acme":{"url":"http://x/mcp"}}}'],
    [
      'by tabs',
      '{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}\n',
      '{\n\t"mcpServers": {\n\t\t"other": {},\n\t\t"acme": {\n\t\t\t"url": "http://x/mcp"\n\t\t}\n\t}\n}\n',
    ],
    [
      'by CRLF',
      '{\r\n    "mcpServers": {}\r\n}',
      '{\r\n    "mcpServers": {\r\n        "acme": {\r\n            "url": "http://x/mcp"\r\n        }\r\n    }\r\n}',
    ],
    [
      'after a byte order mark',
      '\uFEFF{"mcpServers": {"other": {}}}',
      '\uFEFF{"mcpServers": {"other": {}, "acme": {"url": "http://x/mcp"}}}',
    ],
    [
      'with a comma that trails',
      '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n',
      '{\n  "mcpServers": {\n    "other": {},\n    "acme": {\n      "url": "http://x/mcp"\n    },\n  },\n}\n',
    ],
    [
      'under a comment in an empty map',
      '{\n  "mcpServers": {\n    // none\n  }\n}',
      '{\n  "mcpServers": {\n    // none\n    "acme": {\n      "url": "http://x/mcp"\n    }\n  }\n}',
    ],
    [
      'in the place of the one of its name',
      '{\n  "mcpServers": {\n    "acme": {"url": "http://old"}, // keep\n    "z": 1\n  }\n}',
      '{\n  "mcpServers": {\n    "acme": {"url": "http://x/mcp"}, // keep\n    "z": 1\n  }\n}',
    ],
  ])('%s', (_name, before, after) => {
    expect(set(before)).toBe(after);
  });
});

test('an entry that is there already changes no byte', () => {
  const text = '{ "mcpServers": { "acme": { "url": "http://x/mcp" } } }';
  expect(set(text)).toBe(text);
});

describe('a file that cannot be edited safely is refused and named', () => {
  test.each([
    ['cut off', '{"mcpServers": {', /mcp\.json is not valid JSON/],
    ['with a missing comma', '{\n"a": 1\n"b": 2}', /line 3/],
    ['with conflict markers', '{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}', /merge conflict \(line 2\)/],
    ['with conflict markers in a comment', '{\n/*\n>>>>>>> x\n*/ "a": 1}', /merge conflict \(line 3\)/],
    ['a list', '[]', /its root is not an object/],
    ['null', 'null', /its root is not an object/],
    ['with servers that are a list', '{\n"mcpServers": []}', /“mcpServers” is not an object \(line 2\)/],
    ['followed by more', '{} {}', /not valid JSON/],
    ['with two maps of servers', '{"mcpServers": {},\n"mcpServers": {}}', /the key “mcpServers” twice \(line 2\)/],
    ['with two entries of a name', '{"mcpServers": {"a": 1,\n\n"a": 1}}', /the key “a” twice \(line 3\)/],
    ['nested too deeply', `{"a": ${'['.repeat(200_000)}`, /nested too deeply|not valid JSON/],
  ])('%s', (_name, text, message) => {
    for (const act of [
      () => set(text),
      () => editor.read(text, 'mcp.json'),
      () => editor.made(text, 'mcp.json'),
      () => editor.remove(text, ['acme'], 'mcp.json'),
    ]) {
      expect(act).toThrow(refused(message));
    }
  });
});

describe('a file that its own client cannot read is refused', () => {
  test.each([
    ['strict', '{\n// mine\n"a": 1}', /a comment, which the assistant cannot read \(line 2\)/],
    ['strict', '{"a": 1,\n}', /a trailing comma, which the assistant cannot read \(line 1\)/],
    ['comments', '{"a": [1, 2,]}', /a trailing comma/],
    // The line of the comma, which has to go, not that of the bracket.
    ['strict', '{\n"a": 1,\n\n\n}', /a trailing comma, which the assistant cannot read \(line 2\)/],
    // The last line with text if the file ends too early.
    ['strict', '{\n"a": [1\n\n', /is not valid JSON \(line 2\)/],
  ] as const)('%s', async (dialect, text, message) => {
    const strict = await json('mcpServers', dialect).editor();
    expect(() => strict.set(text, {acme: {}}, 'mcp.json')).toThrow(refused(message));
  });

  test('a comment is fine where it is read', async () => {
    const reading = await json('mcpServers', 'comments').editor();
    expect(reading.set('{/* mine */}', {acme: {}}, 'settings.json')).toBe('{/* mine */"mcpServers": {"acme": {}}}');
  });
});

test('names that objects have by nature mean themselves', () => {
  const text = '{"mcpServers": {"constructor": {"a": 1}, "__proto__": {"b": 2}}}';
  expect(Object.keys(editor.read(text, 'mcp.json'))).toEqual(['constructor', '__proto__']);
  expect(editor.read('{}', 'mcp.json').constructor).toBeUndefined();
  expect(editor.remove(text, ['toString', 'constructor'], 'mcp.json')).toBe('{"mcpServers": { "__proto__": {"b": 2}}}');
});

describe('what is taken away', () => {
  test.each([
    [
      'a comment to the end of its line keeps it',
      '{"mcpServers": {"a": 1, // a\n"acme": 1}}',
      '{"mcpServers": {"a": 1 // a\n}}',
    ],
    [
      'comments of others stay',
      '{"mcpServers": {\n// a\n"acme": 1, // b\n/* c */ "z": 2}}',
      '{"mcpServers": {\n// a\n // b\n/* c */ "z": 2}}',
    ],
    ['the comma that trails stays', '{"mcpServers": {"z": 2, "acme": 1,}}', '{"mcpServers": {"z": 2,}}'],
    ['the only one', '{"mcpServers": {\n  "acme": 1\n}}', '{"mcpServers": {}}'],
  ])('%s', (_name, before, after) => {
    expect(editor.remove(before, ['acme'], 'mcp.json')).toBe(after);
  });

  test('a map that was made stays as long as others have entries in it', () => {
    const made = editor.made('{"a": 1}', 'mcp.json');
    const shared = editor.set(set('{"a": 1}'), {other: {}}, 'mcp.json');
    expect(editor.remove(shared, ['acme'], 'mcp.json', made)).toBe('{"a": 1, "mcpServers": { "other": {}}}');
  });
});

test('a file of entries alone is edited too, and all of them are taken away at once', () => {
  const padding = 'x'.repeat(130);
  const others = Array.from({length: 2_000}, (_, index) => [`server-${index}`, {url: `http://y/${index}`, padding}]);
  const text = JSON.stringify({mcpServers: Object.fromEntries(others)}, null, 2);
  const made = editor.made(text, 'mcp.json');
  const edited = set(text);
  expect(editor.read(edited, 'mcp.json').acme).toEqual({url: 'http://x/mcp'});
  expect(editor.remove(edited, ['acme'], 'mcp.json', made) === text).toBe(true);
  expect(editor.mask(edited, ['acme'], [])).not.toContain(padding);
  const all = others.map(([name]) => String(name));
  expect(editor.remove(edited, all, 'mcp.json')).toBe(
    '{\n  "mcpServers": {\n    "acme": {\n      "url": "http://x/mcp"\n    }\n  }\n}',
  );
});
