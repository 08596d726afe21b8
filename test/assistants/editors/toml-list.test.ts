import {describe, expect, test} from 'vitest';
import {tomlList} from '../../../src/assistants/formats/formats.ts';

const editor = await tomlList('mcp_servers').editor();
const entry = {transport: 'stdio', command: ['node', 'a b']};
const path = 'config.toml';
const set = (text: string, one: object = entry) => editor.set(text, {acme: one}, path);

/** The same entries as people and the client write them. */
const styles: readonly (readonly [string, string])[] = [
  ['tables', '[[mcp_servers]]\nname = "acme"\nurl = "u"\n\n[[mcp_servers]]\nname = "z"\nurl = "z"\n'],
  [
    'tables with tables in them',
    '[[mcp_servers]]\nname = "z"\nurl = "z"\n[mcp_servers.auth]\ntype = "oauth"\n\n[[mcp_servers]]\nurl = "u"\nname = "acme"\n\n[mcp_servers.auth]\ntype = "static"\n',
  ],
  ['a list on one line', 'mcp_servers = [{name = "z", url = "z"}, {name = "acme", url = "u"}]\n'],
  ['a list on lines', 'mcp_servers = [\n    { name = "acme", url = "u" },\n    { name = "z", url = "z" },\n]\n'],
];

describe('an entry in a list', () => {
  test.each(styles)('as %s is read, changed, replaced and removed, and the other one stays', (_, own) => {
    const text = `# top\na = 1\n\n${own}\n[tui]\n# end\n`;
    const before = editor.read(text, path);
    expect(before).toMatchObject({acme: {url: 'u'}, z: {url: 'z'}});
    expect(before.acme).not.toHaveProperty('name');

    const replaced = set(text);
    expect(editor.read(replaced, path)).toEqual({...before, acme: entry});
    const renewed = set(text, {...(before.acme as object), url: 'v'});
    expect(renewed).toBe(text.replace('"u"', '"v"'));

    const removed = editor.remove(text, ['acme'], path);
    expect(editor.read(removed, path)).toEqual({z: before.z});
    for (const one of [replaced, removed]) expect(one).toMatch(/^# top\na = 1\n[\s\S]*\[tui\]\n# end\n$/);
  });

  test.each([
    ['an empty file', ''],
    ['an empty list', 'mcp_servers = []\n'],
    ['other settings', 'a = 1\n\n[tools.bash]\npermission = "ask"\n'],
    ...styles.map(([name, own]): [string, string] => [name, own.replaceAll('acme', 'y')]),
  ] as [string, string][])('goes into %s and out of it again, to the byte', (_, text) => {
    const made = editor.made(text, path);
    const added = set(text);
    expect(editor.read(added, path)).toEqual({...editor.read(text, path), acme: entry});
    expect(editor.remove(added, ['acme'], path, made)).toBe(text);
  });

  test('has a new table behind the others, with its name first', () => {
    expect(set('a = 1\n')).toBe(
      'a = 1\n\n[[mcp_servers]]\nname = "acme"\ntransport = "stdio"\ncommand = ["node", "a b"]\n',
    );
  });

  test('without a name is nobody’s, and stays', () => {
    const text = '[[mcp_servers]]\nurl = "u"\n';
    expect(editor.read(text, path)).toEqual({});
    expect(set(text).startsWith(text)).toBe(true);
  });

  test.each(styles)('as %s is shown without its values, by its name', (_, own) => {
    const masked = editor.mask(own.replace('"u"', '"Bearer secret"'), ['acme'], ['name', 'transport']);
    expect(masked).not.toContain('secret');
    expect(masked).toContain('"acme"');
    expect(masked).toContain('"z"');
    expect(editor.textsOf(own, 'acme').map(({path: keys}) => keys.join('.'))).toContain('url');
  });
});

describe('a file that cannot be edited safely is refused and named', () => {
  test.each([
    ['with servers in a table', 'a = 1\n[mcp_servers.a]\n', /“mcp_servers” is not a list of tables \(line 2\)/],
    ['with a list of texts', 'mcp_servers = ["a"]', /“mcp_servers” is not a list of tables/],
    ['with a name twice', '[[mcp_servers]]\nname = "a"\n[[mcp_servers]]\nname = "a"\n', /contains the name “a” twice/],
  ])('%s', (_, text, message) => {
    for (const act of [() => set(text), () => editor.read(text, path), () => editor.remove(text, ['a'], path)]) {
      expect(act).toThrow(message);
    }
  });
});
