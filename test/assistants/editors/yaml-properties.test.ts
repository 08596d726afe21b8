import {dump, loadAll} from 'js-yaml';
import {describe, test} from 'vitest';
import {stringify} from 'yaml';
import {yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';
import {type Content, expectEveryByteKept} from './properties.ts';

const yamlText =
  (kind: 'map' | 'list') =>
  ({servers, around, style}: Content): string => {
    const listed = Object.entries(servers ?? {}).map(([name, one]) => ({name, ...one}));
    const own = servers === undefined ? {} : {servers: kind === 'map' ? servers : listed};
    const members = style.last ? {...around, ...own} : {...own, ...around};
    if (Object.keys(members).length === 0) return '';
    const indent = style.indent === '    ' ? 4 : 2;
    const text = style.other
      ? dump(members, {indent, lineWidth: -1, seqNoIndent: !style.trails})
      : stringify(members, {indent, lineWidth: 0, indentSeq: style.trails});
    return style.comments ? `# kept\n${text}# kept\n` : text;
  };

/** Parses with a parser that the editor does not use. */
const serversIn = (text: string) => (loadAll(text)[0] as {servers?: object} | undefined)?.servers;

const parse = {
  map: (text: string) => serversIn(text) ?? {},
  list: (text: string) =>
    Object.fromEntries(((serversIn(text) ?? []) as readonly {name: string}[]).map(({name, ...one}) => [name, one])),
};

describe('an entry of YAML that is added, changed and taken away leaves every other byte', () => {
  test.each([
    ['map', yamlMap('servers')],
    ['list', yamlList('servers', '')],
  ] as const)('in a %s', {timeout: 3_600_000}, async (kind, format) => {
    const editor = await format.editor();
    // The YAML parser takes several times as long as the others.
    expectEveryByteKept({editor, textOf: yamlText(kind), parse: parse[kind]}, {some: 200, all: 10_000, maxKeys: 2});
  });
});
