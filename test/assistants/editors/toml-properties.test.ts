import {parse as parseToml} from 'smol-toml';
import {test} from 'vitest';
import {toml, tomlList} from '../../../src/assistants/formats/formats.ts';
import {type Content, expectEveryByteKept, type Members, type Value} from './properties.ts';

const quoted = (text: string) => JSON.stringify(text);

const tomlText = ({servers = {}, around, style}: Content, isList = false): string => {
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
    `${style.indent}${isList ? '[[servers]]' : `[servers.${quoted(name)}]`}${style.comments ? ' # kept' : ''}`,
    ...lines(isList ? {name, ...(one as Members)} : (one as Members)),
  ]);
  const inline = Object.entries(servers).map(([name, one]) => render({name, ...(one as Members)}));
  // One program writes tables, and another writes a list on one line.
  if (isList && style.other && inline.length > 0) {
    return `${[...lines(around), `servers = [${inline.join(', ')}]`].join('\n')}\n`;
  }
  return [...lines(around), ...tables].join('\n') + (style.trails ? '\n' : '');
};

test('an entry of TOML that is added, changed and taken away leaves every other byte', {
  timeout: 3_600_000,
}, async () => {
  const editor = await toml('servers').editor();
  // Another parser than the editor's.
  const parse = (text: string) => (parseToml(text) as {servers?: Members}).servers ?? {};
  expectEveryByteKept({editor, textOf: tomlText, parse}, {some: 700, all: 30_000});
});

test('an entry in a list of TOML that is added, changed and taken away leaves every other byte', {
  timeout: 3_600_000,
}, async () => {
  const editor = await tomlList('servers').editor();
  const parse = (text: string) => {
    const {servers = []} = parseToml(text) as {servers?: readonly (Members & {readonly name: string})[]};
    return Object.fromEntries(servers.map(({name, ...server}) => [name, server]));
  };
  const textOf = (content: Content) => tomlText(content, true);
  expectEveryByteKept({editor, textOf, parse}, {some: 100, all: 10_000});
});
