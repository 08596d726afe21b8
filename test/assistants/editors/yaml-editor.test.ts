import {describe, expect, test} from 'vitest';
import {yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

const map = await yamlMap('extensions').editor();
const list = await yamlList('mcpServers', 'name: Platform\n').editor();
const entry = {cmd: 'node', args: ['x'], enabled: true};
const refused = (message: string | RegExp) =>
  expect.objectContaining({code: 'local-file-invalid', message: expect.stringMatching(message)});

describe('an entry goes in', () => {
  test.each([
    [
      'where there is nothing',
      'extensions:\n',
      'extensions:\n  acme:\n    cmd: "node"\n    args:\n      - "x"\n    enabled: true\n',
    ],
    ['between braces', 'extensions: {}\n', 'extensions: {"acme": {"cmd": "node", "args": ["x"], "enabled": true}}\n'],
    [
      'between braces with others',
      'extensions: { a: {cmd: b} } # c\n',
      'extensions: { "acme": {"cmd": "node", "args": ["x"], "enabled": true}, a: {cmd: b} } # c\n',
    ],
    [
      'into JSON',
      '{"extensions": {"a": 1}}',
      '{"extensions": {"acme": {"cmd": "node", "args": ["x"], "enabled": true}, "a": 1}}',
    ],
    [
      'as deep as the others, before them and their comments',
      'a: &x 1\nextensions: # all\n    # first\n    b: *x\n',
      'a: &x 1\nextensions: # all\n    acme:\n      cmd: "node"\n      args:\n        - "x"\n      enabled: true\n    # first\n    b: *x\n',
    ],
    [
      'where the one of its name was',
      'extensions:\n  a: 1\n  acme: # old\n    cmd: old\n\n  # next\n  b: 2\n',
      'extensions:\n  a: 1\n  acme: # old\n    cmd: "node"\n    args:\n      - "x"\n    enabled: true\n\n  # next\n  b: 2\n',
    ],
    [
      'over lines of CRLF',
      'extensions:\r\n  a: 1',
      'extensions:\r\n  acme:\r\n    cmd: "node"\r\n    args:\r\n      - "x"\r\n    enabled: true\r\n  a: 1',
    ],
  ])('%s', (_name, before, after) => {
    expect(map.set(before, {acme: entry}, 'config.yaml')).toBe(after);
  });

  test('into a list', () => {
    expect(list.set('mcpServers: []\n', {acme: {url: 'u'}}, 'config.yaml')).toBe(
      'mcpServers: [{"name": "acme", "url": "u"}]\n',
    );
    expect(list.set('mcpServers:\n- uses: a/b\n- name: acme\n  url: old\n', {acme: {url: 'u'}}, 'config.yaml')).toBe(
      'mcpServers:\n- uses: a/b\n- name: acme\n  url: "u"\n',
    );
  });

  test.each([
    'extensions:\n  acme: {cmd: node, args: [x], enabled: true} # mine\n',
    "extensions: {'acme': {enabled: true, args: ['x'], cmd: node}}",
  ])('and is left alone where it is there: %j', text => {
    expect(map.set(text, {acme: entry}, 'config.yaml')).toBe(text);
  });

  test('with texts that an older YAML would take for something else', () => {
    const texts = [
      'yes',
      'on',
      '0x1',
      '1e3',
      '~',
      '',
      '- a',
      'a: b',
      '# c',
      '&a',
      '*b',
      '!c',
      'it\'s "both" \\',
      'a\nb\n',
    ];
    const edited = map.set('', {acme: {texts}, '123': {a: 'no'}}, 'config.yaml');
    expect(map.read(edited, 'config.yaml')).toEqual({acme: {texts}, '123': {a: 'no'}});
    expect(edited).toContain('- "yes"');
  });
});

test('entries stand in the order in which they were given', () => {
  const edited = map.set('extensions:\n  z: 1\n', {b: {}, a: {}}, 'config.yaml');
  expect(Object.keys(map.read(edited, 'config.yaml'))).toEqual(['b', 'a', 'z']);
});

describe('an entry goes out', () => {
  test.each([
    ['the only one', 'extensions:\n  acme:\n    a: 1\nz: 1\n', 'extensions: {}\nz: 1\n'],
    [
      'between others',
      'extensions: # c\n  a: 1\n  acme: 2 # d\n  # e\n  b: 3',
      'extensions: # c\n  a: 1\n  # e\n  b: 3',
    ],
    [
      'with a text of several lines',
      'extensions:\n  acme:\n    a: |\n      b\n\n      c\n  z: 1\n',
      'extensions:\n  z: 1\n',
    ],
    ['between brackets', 'extensions: {a: 1, acme: 2, b: 3}', 'extensions: {a: 1, b: 3}'],
    ['the last between brackets', 'extensions: {a: 1, acme: 2}', 'extensions: {a: 1}'],
  ])('%s', (_name, before, after) => {
    expect(map.remove(before, ['acme'], 'config.yaml')).toBe(after);
  });

  test('of a list', () => {
    expect(list.remove('mcpServers:\n  - name: acme\n    a: 1\n', ['acme'], 'c.yaml')).toBe('mcpServers: []\n');
  });
});

describe('a file that cannot be edited safely is refused and named', () => {
  test.each([
    ['cut off', 'a: [1,\n', /config\.yaml is not valid YAML \(line \d\)/],
    ['with tabs', 'extensions:\n\ta: 1\n', /not valid YAML \(line 2\)/],
    ['of two documents', 'a: 1\n---\nb: 2\n', /not valid YAML/],
    ['a list', '- a\n', /its root is not a map \(line 1\)/],
    ['a text', 'hello', /its root is not a map/],
    ['with a key twice', 'a: 1\nextensions:\nextensions:\n', /the key “extensions” twice \(line 3\)/],
    ['with an entry twice', 'extensions:\n  a: 1\n  a: 2\n', /the key “a” twice \(line 3\)/],
    ['with conflict markers', 'a: |\n<<<<<<< HEAD\n  b\n', /merge conflict \(line 2\)/],
    ['with extensions that are a list', 'a: 1\nextensions: []\n', /“extensions” is not a map \(line 2\)/],
    ['with extensions that stand elsewhere', 'a: &x {b: 1}\nextensions: *x\n', /“extensions” is not a map \(line 2\)/],
    ['with an alias of nothing', 'a: *x\n', /not valid YAML/],
    ['that would grow without end', `a: &a [1]\n${growing}`, /not valid YAML/],
  ])('%s', (_name, text, message) => {
    for (const act of [
      () => map.set(text, {acme: entry}, 'config.yaml'),
      () => map.read(text, 'config.yaml'),
      () => map.made(text, 'config.yaml'),
      () => map.remove(text, ['acme'], 'config.yaml'),
    ]) {
      expect(act).toThrow(refused(message));
    }
  });

  test.each([
    ['with a name twice in its list', 'mcpServers:\n- name: a\n- name: a\n', /the name “a” twice \(line 3\)/],
    ['with a map for a list', 'mcpServers: {}\n', /“mcpServers” is not a list/],
  ])('%s', (_name, text, message) => {
    expect(() => list.set(text, {acme: entry}, 'config.yaml')).toThrow(refused(message));
  });

  test.each([
    ['behind a question mark', '? extensions\n: a: 1\n'],
    ['so that another key holds it too', 'extensions: &e\n  a: 1\nb: *e\n'],
  ])('laid out %s', (_name, text) => {
    expect(() => map.set(text, {acme: entry}, 'config.yaml')).toThrow(refused('cannot be edited safely'));
  });
});

const growing = ['b', 'c', 'd', 'e', 'f', 'g', 'h']
  .map((key, index) => `${key}: &${key} [${Array(10).fill(`*${'abcdefgh'[index]}`).join(', ')}]`)
  .join('\n');
