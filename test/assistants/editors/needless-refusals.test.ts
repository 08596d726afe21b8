import {describe, expect, test} from 'vitest';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

const editors = {
  json: await json('servers').editor(),
  toml: await toml('servers').editor(),
  map: await yamlMap('servers').editor(),
  list: await yamlList('servers', '').editor(),
};
const entry = {command: 'node', args: ['x']};

describe('is edited, and what was there comes back', () => {
  test.each<[string, keyof typeof editors, string]>([
    ['YAML that says null', 'map', 'servers: null # mine\n'],
    ['YAML that says ~', 'map', 'a: 1\nservers: ~\n'],
    ['a list in YAML that says null', 'list', 'servers: null\n'],
    ['YAML before the end of a document', 'map', 'a: 1\n...\n'],
    ['a list in YAML with the dash in a line of its own', 'list', 'servers:\n-\n  name: o\n  url: u\n'],
    ['a comma that trails in YAML', 'map', 'servers: {o: {a: 1},}\n'],
    ['a comma that trails in TOML', 'toml', 'servers = { o = { a = 1 }, }\n'],
    ['a blank file with CRLF, JSON', 'json', '\r\n'],
    ['a blank file with CRLF, TOML', 'toml', '\r\n'],
    ['a blank file with CRLF, YAML', 'map', '\r\n'],
  ])('%s', (_name, id, text) => {
    const editor = editors[id];
    const made = editor.made(text, 'file');
    const added = editor.set(text, {acme: entry}, 'file');
    expect(editor.read(added, 'file')).toMatchObject({acme: entry});
    if (text.includes('\r')) expect(added).not.toMatch(/[^\r]\n/);
    expect(editor.remove(added, ['acme'], 'file', made)).toBe(text);
  });
});

test.each<[string, keyof typeof editors, string, (text: string) => string]>([
  [
    'a comment in a map that was empty',
    'json',
    '{"servers": {}}',
    text => text.replace('"servers": {', '$& // mine\n'),
  ],
  ['a comma that trails behind ours', 'map', 'servers: {}\n', text => text.replace('}}', '},}')],
])('what a person wrote since is no reason to refuse: %s', (_name, id, text, change) => {
  const editor = editors[id];
  const added = change(editor.set(text, {acme: entry}, 'file'));
  const left = editor.remove(added, ['acme'], 'file', editor.made(text, 'file'));
  expect(editor.read(left, 'file')).toEqual({});
  if (added.includes('// mine')) expect(left).toContain('// mine');
});

test('a lone CR in YAML is refused, and no key is there twice', () => {
  expect(() => editors.map.set('a: 1\r', {acme: entry}, 'file')).toThrow(
    expect.objectContaining({code: 'local-file-invalid'}),
  );
});
