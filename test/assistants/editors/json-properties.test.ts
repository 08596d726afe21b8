import {test} from 'vitest';
import {json} from '../../../src/assistants/formats/formats.ts';
import {type Content, expectEveryByteKept, type Value} from './properties.ts';

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

/** Parses with a parser that the editor does not use. */
const plainJson = (text: string) =>
  JSON.parse(
    text
      .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/ kept|\/\* kept \*\//g, one => (one.startsWith('"') ? one : ''))
      .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, one => (one === ',' ? '' : one)),
  );

test('an entry of JSON that is added, changed and taken away leaves every other byte', {
  timeout: 3_600_000,
}, async () => {
  const editor = await json('mcpServers').editor();
  const parse = (text: string) => plainJson(text).mcpServers ?? {};
  expectEveryByteKept({editor, textOf: jsonText, parse}, {some: 900, all: 40_000});
});
