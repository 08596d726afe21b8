import {parse as parseToml} from 'smol-toml';
import {test} from 'vitest';
import {toml} from '../../../../src/assistants/formats/formats.ts';
import {type Content, expectEveryByteKept, type Members, type Value} from '../properties.ts';

const quoted = (text: string) => JSON.stringify(text);

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

test('an entry of TOML that is added, changed and taken away leaves every other byte', {
  timeout: 3_600_000,
}, async () => {
  const editor = await toml('servers').editor();
  // By a parser that is not the editor's.
  const parse = (text: string) => (parseToml(text) as {servers?: Members}).servers ?? {};
  expectEveryByteKept({editor, textOf: tomlText, parse}, {some: 7_000, all: 30_000});
});
