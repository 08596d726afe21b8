import {describe, expect, test} from 'vitest';
import type {Editor} from '../../../src/assistants/formats/entry-format.ts';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';
import {roundsOf} from '../../support/tables.ts';
import {type Random, randomFrom} from './random.ts';

const editors = {
  json: await json('mcpServers').editor(),
  toml: await toml('mcp_servers').editor(),
  yamlMap: await yamlMap('extensions').editor(),
  yamlList: await yamlList('mcpServers', 'name: Platform\nversion: 1.0.0\n').editor(),
};

const entriesFrom = (random: Random): Readonly<Record<string, object>> =>
  Object.fromEntries(
    ['acme', 'acme-observability', 'a.b c', '0x1', 'yes', 'é"\'\\'].slice(random.number(5)).map(name => [
      name,
      random.one<object>([
        {url: 'http://x/mcp', headers: {Authorization: 'Bearer a.b.c'}},
        {command: 'C:\\Program Files\\node.exe', args: ['--flag', 'it’s "quoted"', 'line\nbreak\t\u007f'], env: {}},
        {type: 'stdio', command: '/usr/bin/node', args: [], env: {HOME: '/home/ann'}, enabled: true, timeout: 300},
      ]),
    ]),
  );

/** Connects, then disconnects: the bytes are the same as before. */
const roundTrip = (editor: Editor, text: string, random: Random) => {
  const entries = entriesFrom(random);
  const names = Object.keys(entries);
  const before = editor.read(text, 'file');
  const made = JSON.parse(JSON.stringify(editor.made(text, 'file')));
  const edited = editor.set(text, entries, 'file');
  expect(editor.read(edited, 'file'), text).toEqual({...before, ...entries});
  expect(editor.set(edited, entries, 'file'), text).toBe(edited);
  if (text.trim() !== '' && text.includes('\r\n')) expect(edited).not.toMatch(/[^\r]\n/);
  expect(editor.remove(edited, random.one([names, names.toReversed()]), 'file', made), edited).toBe(text);
  const apart = names.reduce((at, name) => editor.remove(at, [name], 'file', made), edited);
  expect(apart, edited).toBe(text);
};

/** @param rounds the number of generated files */
const generated = (name: string, rounds: number, editor: Editor, textFrom: (random: Random) => string) =>
  test(`${name}, made up`, () => {
    for (let seed = 1; seed <= roundsOf(rounds); seed += 1) {
      const random = randomFrom(seed);
      const [mark, eol] = [random.one(['', '', '\uFEFF']), random.one(['\n', '\n', '\r\n'])];
      roundTrip(editor, mark + textFrom(random).replaceAll('\n', eol), random);
    }
  });

const jsonFrom = (random: Random): string => {
  const unit = random.one(['  ', '    ', '\t']);
  const isLines = random.number(4) > 0;
  const line = (depth: number) => (isLines ? `\n${unit.repeat(depth)}` : random.one(['', '', ' ']));
  const comment = () => random.one(['', '', '', ' /* c, } */', ...(isLines ? ['  ', ' // "x": {,\n'] : [])]);
  const object = (depth: number, properties: readonly string[]): string => {
    if (properties.length === 0) return `{${random.one(['', ' ', `${comment()}${line(depth)}`])}}`;
    const lines = properties.map(property => `${line(depth + 1)}${property}${comment()}`);
    return `{${comment()}${lines.join(`,${comment()}`)}${random.one(['', '', `,${comment()}`])}${line(depth)}}`;
  };
  const value = (depth: number): string =>
    random.one<() => string>([
      () => '1',
      () => '"}, // \\" é"',
      () => '[1, {"a": [ ]}]',
      () => object(depth, random.some(2, () => '"k": null').slice(0, 1)),
      () => object(depth, [`"url": "http://y"`, '"args": ["a",  "b"]']),
    ])();
  const others = random.some(3, () => 0).map((_, index) => `"other${index}":${random.one([' ', ''])}${value(2)}`);
  const around = random.some(2, () => 0).map((_, index) => `"key${index}": ${value(1)}`);
  const map = random.one([[], [`"mcpServers": ${object(1, others)}`]]);
  const root = object(
    0,
    random.one([
      [...around, ...map],
      [...map, ...around],
    ]),
  );
  const blank = random.one(['', ' ', '\n\n']);
  return random.number(20) === 0 ? blank : comment() + root + random.one(['', '\n', '\n\n', ' ', '\n// end']);
};

const tomlFrom = (random: Random): string => {
  const lines = () => random.some(3, () => random.one(['# a # comment', '', '  ', '#[mcp_servers.acme]']));
  const top = random.one([
    [],
    ['model = "o9"', 'notify = [', '  "a", # one', ']'],
    ["a.b = '''", '[mcp_servers.acme]', "'''"],
  ]);
  const own = random.one([
    [],
    ['[mcp_servers]'],
    ['[mcp_servers.other]', 'command = "x" # y', 'env = { A = "b" }'],
    ['[mcp_servers.other]', 'url = "http://y"', '', '  [mcp_servers.other.http_headers]', '  Authorization = "z"'],
    ['[mcp_servers]', 'other.url = "http://y"', '"quoted other" = {url = "u"}'],
    ['[ mcp_servers . "other" ] # spaces'],
  ]);
  const last = random.one([[], ['[projects."/home/ann"]', 'trust_level = "trusted"'], ['[[many]]', 'a = 1979-05-27']]);
  const inline = random.one([
    'mcp_servers = {}',
    'mcp_servers = { }',
    'mcp_servers = {other = {url = "x"}}',
    'mcp_servers = { other = { url = "x" }, third.a = 1 } # kept',
  ]);
  const middle = random.number(4) === 0 ? [inline, ...lines()] : [];
  const text = [...lines(), ...top, ...middle, ...lines(), ...(middle.length > 0 ? [] : own), ...lines(), ...last];
  return text.join('\n') + random.one(['', '\n', '\n\n', '\n# end', '\n  ']);
};

const yamlFrom = (random: Random, key: string, kind: 'map' | 'list'): string => {
  const step = random.one(['', '  ', '    ']);
  const lines = () => random.some(2, () => random.one(['# a: comment', '', '#  - name: acme']));
  const indent = kind === 'map' ? step || '  ' : step;
  const item = (index: number): readonly string[] =>
    kind === 'map'
      ? [`${indent}other${index}: # theirs`, `${indent}  cmd: "x"`, `${indent}  args: [a, b]`, `${indent}  envs: {}`]
      : [
          `${indent}- name: other${index} # theirs`,
          `${indent}  command: x`,
          `${indent}  args:`,
          `${indent}    - a: |`,
          `${indent}        b`,
        ];
  const others = random.some(3, () => 0).flatMap((_, index) => [...item(index), ...lines()]);
  const flow =
    kind === 'map'
      ? random.one(['{}', '{ }', '{other: {cmd: x}}', '{ other: {cmd: x, args: [ ]}, }', '{ # c\n  other: 1\n  }'])
      : random.one(['[]', '[ ]', '[{name: other}]', '[ {name: other}, {uses: x} ]', '[ # c\n  {uses: x},\n  ]']);
  const own = random.one<readonly string[]>([
    [],
    [`${key}:${random.one(['', ' ', '   # none'])}`],
    [`${key}: ${flow}${random.one(['', ' # flow'])}`],
    [`"${key}":`, ...lines(), ...item(9), ...others],
    [`${key}: &anchor # with a name`, ...lines(), ...item(9), ...others],
  ]);
  const around = () =>
    random.one<readonly string[]>([
      [],
      ['name: Mine', "models: [{title: 'a'}]"],
      ['rules:', '- "one"', '- >-', '  two'],
    ]);
  const first = around();
  const second = around().map(line => line.replace(/^(\w+):/, '$12:'));
  const text = [...lines(), ...first, ...lines(), ...own, ...second, ...lines()];
  return text.join('\n') + random.one(['', '\n', '\n', '\n\n', '\n# end']);
};

describe('set, then remove, gives back the same bytes', () => {
  generated('JSON', 1_000, editors.json, jsonFrom);
  generated('TOML', 500, editors.toml, tomlFrom);
  generated('a map in YAML', 200, editors.yamlMap, random => yamlFrom(random, 'extensions', 'map'));
  generated('a list in YAML', 200, editors.yamlList, random => yamlFrom(random, 'mcpServers', 'list'));
});

describe('so it does for', () => {
  const fixed: Readonly<Record<keyof typeof editors, readonly string[]>> = {
    json: [
      ...[
        '',
        ' \r\n',
        '\uFEFF',
        '\uFEFF\n',
        '{}',
        '{ }',
        '{\n}',
        '{\r\n\r\n}\r\n',
        '{/* a */}',
        '{ // a\n}',
        '{"a": 1,}',
      ],
      ...[
        '// top\n{}// end',
        '{"mcpServers":{}}',
        '{"mcpServers": {\n\n}}',
        '{"mcpServers": {}, }',
        '{"a":1,"mcpServers":{} }',
      ],
      ...[
        '{"mcpServers": {"a": 1 /* x */ , /* y */ }}',
        '{"mcpServers": {"a": 1 // x\n, // y\n}}',
        '{"mcpServers": {"a": 1\n, "b": 2}}',
      ],
      '{"mcp\\u0053ervers": {"\\u0061": "}"}}',
    ],
    toml: [
      '',
      '\n',
      '\r\n',
      '# c',
      'a=1',
      'a=1\n\n\n',
      '[mcp_servers]',
      '[mcp_servers] # c\n\n\n',
      '[[a]]\n[a.b]\n\t',
      'mcp_servers={}',
    ],
    yamlMap: [
      ...[
        '',
        '\n',
        '{}',
        '{ }\n',
        '{a: 1}',
        '{ a: 1, }\n',
        '{\n  a: 1\n}',
        '---\n',
        '---\na: 1\n',
        '--- # c\n',
        '# only',
      ],
      ...[
        '%YAML 1.2\n---\na: 1\n',
        'extensions:',
        'extensions: # c',
        'extensions:\n# c\n',
        'a: |+\n  x\n\n\n',
        '"extensions": {}',
      ],
      'a: &x {b: 1}\nextensions: &e\n  o: *x\nz: 1\n',
    ],
    yamlList: [
      '',
      'mcpServers:',
      'mcpServers:\n- {name: o}\n',
      'mcpServers:\n\n  -   name: o\n      a: 1',
      '{mcpServers: [ ]}',
      'a: >-\n  x',
    ],
  };

  test.each(Object.entries(fixed).flatMap(([kind, texts]) => texts.map(text => [kind, text] as const)))(
    '%s %j',
    (kind, text) => {
      for (let seed = 1; seed <= 5; seed += 1) roundTrip(editors[kind as keyof typeof editors], text, randomFrom(seed));
    },
  );
});
