import {describe, expect, test} from 'vitest';
import {toml} from '../../../src/assistants/formats/formats.ts';

const editor = await toml('mcp_servers').editor();
const entry = {url: 'http://x/mcp', http_headers: {Authorization: 'Bearer T'}};
const set = (text: string) => editor.set(text, {acme: entry}, 'config.toml');
const table = '[mcp_servers.acme]\nurl = "http://x/mcp"\nhttp_headers = { Authorization = "Bearer T" }\n';

/** The same entry in the styles in which people write it by hand. */
const styles: readonly (readonly [string, string])[] = [
  ['a table', '[mcp_servers.acme]\nurl = "u"\n'],
  ['a table with tables in it', '[mcp_servers.acme]\nurl = "u"\n\n[mcp_servers.acme.http_headers]\nA = "b"\n'],
  ['a table of tables only', '[mcp_servers.acme.http_headers]\nA = "b"\n'],
  ['a quoted name', '[mcp_servers."acme"]\nurl = \'u\'\n'],
  ['a name in single quotes and spaces', "[ mcp_servers . 'acme' ]\nurl = 'u'\n"],
  ['a line under a header', '[mcp_servers]\nacme = { url = "u" }\n'],
  ['dotted keys under a header', '[mcp_servers]\nacme.url = "u"\nacme.http_headers.A = "b"\n'],
  ['dotted keys at the top', 'mcp_servers.acme.url = "u"\nmcp_servers."acme".http_headers = {A = "b"}\n'],
  ['an inline table', 'mcp_servers = {acme = {url = "u"}}\n'],
  ['an inline table with others', 'mcp_servers = { z = {url = "z"}, acme = {url = "u"}, y = {} }\n'],
  ['dotted keys in an inline table', 'mcp_servers = { acme.url = "u", acme.http_headers.A = "b" }\n'],
];

describe('an entry written by hand', () => {
  test.each(styles)('as %s is read, replaced and removed whole', (_name, own) => {
    const text = `# top\n${own}\n[tui]\n# end\n`;
    expect(editor.read(text, 'config.toml').acme).toMatchObject(
      own.includes('url') ? {url: 'u'} : {http_headers: {A: 'b'}},
    );
    const replaced = set(text);
    expect(editor.read(replaced, 'config.toml').acme).toEqual(entry);
    expect(replaced).toMatch(/^# top\n[\s\S]*\[tui\]\n# end\n/);
    const removed = editor.remove(text, ['acme'], 'config.toml');
    expect(editor.read(removed, 'config.toml')).not.toHaveProperty('acme');
    expect(removed).not.toMatch(/"u"|'u'|A = /);
    expect(removed).toMatch(/^# top\n[\s\S]*\[tui\]\n# end\n/);
  });
});

test('a table keeps its place, and the comments around it and in it', () => {
  const text = '# mine\n[mcp_servers.acme] # here\nurl = "u" # old\n# next\n[tui]\na = 1\n';
  const {url: _, ...more} = entry;
  const [first = '', ...added] = table.trimEnd().split('\n').slice(1);
  expect(first).toMatch(/^url = /);
  const lines = [`${first} # old`, ...added];
  expect(Object.keys(more).length).toBe(added.length);
  expect(set(text)).toBe(`# mine\n[mcp_servers.acme] # here\n${lines.join('\n')}\n# next\n[tui]\na = 1\n`);
});

test('what says the same already keeps its layout', () => {
  const text = "[mcp_servers]\nacme.url = 'http://x/mcp'\nacme.http_headers.Authorization = '''Bearer T'''";
  expect(set(text)).toBe(text);
});

test('CRLF and a missing last newline stay', () => {
  expect(set('a = 1\r\nb = 2')).toBe(`a = 1\r\nb = 2\r\n\r\n${table.trimEnd().replaceAll('\n', '\r\n')}`);
});

test('texts are quoted so that they come back', () => {
  const texts = ['', 'C:\\dir\\node.exe', `it's "both" \\`, 'a\nb\tc\u0000\u007f\u2028', "'''", '$X %Y%', 'é😀'];
  const edited = editor.set('', {acme: {texts, 'a key': {'': 1}, yes: true}}, 'config.toml');
  expect(editor.read(edited, 'config.toml').acme).toEqual({texts, 'a key': {'': 1}, yes: true});
});

describe('a file that cannot be edited safely is refused and named', () => {
  test.each([
    ['cut off', 'a = 1\nb = ', /config\.toml is not valid TOML \(line 2\)/],
    ['JSON', '{"a": 1}', /not valid TOML \(line 1\)/],
    ['with a key twice', 'a = 1\n\na = 2', /defines “a” twice \(line 3\)/],
    ['with an entry twice', '[mcp_servers.a]\nx = 1\n[mcp_servers.a]\n', /twice \(line 3\)/],
    ['with conflict markers', 'a = 1\n<<<<<<< HEAD\nb = 2\n=======\n>>>>>>> x\n', /merge conflict \(line 2\)/],
    ['with conflict markers in a text', "a = '''\n<<<<<<< HEAD\n'''", /merge conflict \(line 2\)/],
    ['with servers that are a list', 'a = 1\n[[mcp_servers]]\n', /“mcp_servers” is not a table \(line 2\)/],
    ['with servers that are a number', 'mcp_servers = 1', /“mcp_servers” is not a table/],
  ])('%s', (_name, text, message) => {
    for (const act of [
      () => set(text),
      () => editor.read(text, 'config.toml'),
      () => editor.made(text, 'config.toml'),
      () => editor.remove(text, ['acme'], 'config.toml'),
    ]) {
      expect(act).toThrow(
        expect.objectContaining({code: 'local-file-invalid', message: expect.stringMatching(message)}),
      );
    }
  });
});
