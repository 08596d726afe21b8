import fc from 'fast-check';
import {loadAll as parseYaml} from 'js-yaml';
import {parse as parseToml} from 'smol-toml';
import {describe, expect, test} from 'vitest';
import {stringify as stringifyYaml} from 'yaml';
import type {Editor} from '../../../src/assistants/formats/entry-format.ts';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';
import {propertyRuns} from '../../support/property-runs.ts';

type Value = string | number | boolean | readonly Value[] | {readonly [key: string]: Value};
type Members = {readonly [key: string]: Value};

const word = fc.string({unit: 'grapheme-ascii', minLength: 0, maxLength: 12});
const key = fc.stringMatching(/^[a-z][\w.-]{0,7}$/).filter(name => !['mcpServers', 'servers', 'name'].includes(name));
const scalar: fc.Arbitrary<Value> = fc.oneof(word, fc.integer({min: -999, max: 999}), fc.boolean());
const {value} = fc.letrec<{value: Value; members: Members}>(tie => ({
  value: fc.oneof({maxDepth: 3}, scalar, fc.array(scalar, {maxLength: 3}), tie('members')),
  members: fc.dictionary(key, tie('value'), {maxKeys: 3, noNullPrototype: true}),
}));

/** A server of the person's: something that is a map, as every client has it. */
const server = fc.dictionary(key, value, {minKeys: 1, maxKeys: 4, noNullPrototype: true});

/** An entry as this program writes one. */
const entry = fc.oneof(
  fc.record({url: fc.webUrl(), headers: fc.record({Authorization: word.map(text => `Bearer ${text}`)})}),
  fc.record({command: word, args: fc.array(word, {maxLength: 3}), env: fc.constant({})}),
) as fc.Arbitrary<Members>;

const content = fc.record({
  /** Servers of the person's; undefined where the file has no place for any. */
  servers: fc.option(fc.dictionary(key, server, {maxKeys: 3, noNullPrototype: true}), {nil: undefined}),
  around: fc.dictionary(key, value, {maxKeys: 3, noNullPrototype: true}),
  style: fc.record({
    eol: fc.constantFrom('\n', '\r\n'),
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    comments: fc.boolean(),
    trails: fc.boolean(),
    last: fc.boolean(),
    mark: fc.boolean(),
  }),
});
type Content = typeof content extends fc.Arbitrary<infer C> ? C : never;

const quoted = (text: string) => JSON.stringify(text);

const jsonText = ({servers, around, style}: Content): string => {
  const {indent, comments, trails, last} = style;
  const isLines = indent !== '';
  const render = (one: Value, depth: number): string => {
    if (typeof one !== 'object') return JSON.stringify(one);
    const open = Array.isArray(one) ? '[]' : '{}';
    const items = Array.isArray(one)
      ? one.map(item => render(item, depth + 1))
      : Object.entries(one).map(([name, item]) => `${quoted(name)}: ${render(item, depth + 1)}`);
    if (items.length === 0) return open;
    const line = (at: number) => (isLines ? `\n${indent.repeat(at)}` : ' ');
    const note = comments && isLines ? ' // kept' : comments ? ' /* kept */' : '';
    const rows = items.map(
      (item, at) => `${line(depth + 1)}${item}${at < items.length - 1 || trails ? ',' : ''}${note}`,
    );
    return `${open[0]}${rows.join('')}${line(depth)}${open[1]}`;
  };
  const own = servers === undefined ? {} : {mcpServers: servers};
  return render((last ? {...around, ...own} : {...own, ...around}) as Value, 0) + (last ? '\n' : '');
};

const tomlText = ({servers = {}, around, style}: Content): string => {
  const render = (one: Value): string => {
    if (typeof one !== 'object') return JSON.stringify(one);
    if (Array.isArray(one)) return `[${one.map(render).join(', ')}]`;
    return `{ ${Object.entries(one)
      .map(([name, item]) => `${quoted(name)} = ${render(item)}`)
      .join(', ')} }`;
  };
  const lines = (members: Members) =>
    Object.entries(members).map(
      ([name, item]) => `${quoted(name)} = ${render(item)}${style.comments ? ' # kept' : ''}`,
    );
  const tables = Object.entries(servers).flatMap(([name, one]) => [
    ...(style.last ? [''] : []),
    `${style.indent}[servers.${quoted(name)}]${style.comments ? ' # kept' : ''}`,
    ...lines(one as Members),
  ]);
  return [...lines(around), ...tables].join('\n') + (style.trails ? '\n' : '');
};

const yamlText =
  (kind: 'map' | 'list') =>
  ({servers, around, style}: Content): string => {
    const listed = Object.entries(servers ?? {}).map(([name, one]) => ({name, ...one}));
    const own = servers === undefined ? {} : {servers: kind === 'map' ? servers : listed};
    const members = style.last ? {...around, ...own} : {...own, ...around};
    if (Object.keys(members).length === 0) return '';
    const text = stringifyYaml(members, {
      indent: style.indent === '    ' ? 4 : 2,
      lineWidth: 0,
      indentSeq: style.trails,
    });
    return style.comments ? `# kept\n${text}# kept\n` : text;
  };

/** By parsers that are none of the editors', nor what those rest on. */
const plainJson = (text: string) =>
  JSON.parse(
    text
      .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/ kept|\/\* kept \*\//g, one => (one.startsWith('"') ? one : ''))
      .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, one => (one === ',' ? '' : one)),
  );
const yamlServers = (text: string) => (parseYaml(text)[0] as {servers?: object} | undefined)?.servers;
const plain = {
  json: (text: string) => plainJson(text).mcpServers ?? {},
  toml: (text: string) => (parseToml(text) as {servers?: Members}).servers ?? {},
  map: (text: string) => yamlServers(text) ?? {},
  list: (text: string) =>
    Object.fromEntries(((yamlServers(text) ?? []) as readonly {name: string}[]).map(({name, ...one}) => [name, one])),
};

const formats: readonly (readonly [
  string,
  Editor,
  (content: Content) => string,
  (text: string) => object,
  readonly [number, number],
])[] = [
  ['JSON', await json('mcpServers').editor(), jsonText, plain.json, [1_500, 10_000]],
  ['TOML', await toml('servers').editor(), tomlText, plain.toml, [1_000, 6_000]],
  ['YAML with a map', await yamlMap('servers').editor(), yamlText('map'), plain.map, [120, 2_000]],
  ['YAML with a list', await yamlList('servers', '').editor(), yamlText('list'), plain.list, [120, 2_000]],
];

describe.each(formats)('%s', (name, editor, textOf, parse, [some, all]) => {
  test('an entry that is added, changed and taken away leaves every other byte', {timeout: 3_600_000}, () => {
    const property = fc.property(content, entry, entry, server, (content, first, second, mine) => {
      const {eol, mark} = content.style;
      const body = textOf(content).replaceAll('\n', eol);
      const text = (mark ? '\uFEFF' : '') + body;
      const before = editor.read(text, 'file');
      expect(before).toEqual(body.trim() === '' ? {} : parse(body));
      const made = editor.made(text, 'file');
      const bare = (one: string) => (one.startsWith('\uFEFF') ? one.slice(1) : one);
      // What is added is there, and everything else as well.
      const added = editor.set(text, {ours: first}, 'file');
      expect(parse(bare(added))).toEqual({...before, ours: first});
      expect(editor.remove(added, ['ours'], 'file', made)).toBe(text);
      // Another context beside it.
      const both = editor.set(added, {'ours-2': second}, 'file');
      expect(parse(bare(both))).toEqual({...before, ours: first, 'ours-2': second});
      for (const order of [
        ['ours', 'ours-2'],
        ['ours-2', 'ours'],
      ]) {
        const gone = order.reduce((at, one) => editor.remove(at, [one], 'file', made), both);
        expect(gone).toBe(text);
      }
      // Members of a person's in it stay, whatever becomes of the others.
      const theirs = {...first, mine};
      const changed = editor.set(added, {ours: theirs}, 'file');
      const renewed = editor.set(changed, {ours: {...second, mine}}, 'file');
      expect(parse(bare(renewed))).toEqual({...before, ours: {...second, mine}});
      expect(editor.set(renewed, {ours: {...second, mine}}, 'file')).toBe(renewed);
    });
    const runs = propertyRuns(some, all);
    fc.assert(property, {...runs, includeErrorInReport: true});
    expect(name).toBeDefined();
  });
});
