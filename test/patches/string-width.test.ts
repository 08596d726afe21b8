import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {build} from 'esbuild';
import original from 'string-width';
import {describe, expect, test, vi} from 'vitest';
import {program} from '../../scripts/bundle.js';

type Width = (text: string, options?: {readonly ambiguousIsNarrow?: boolean}) => number;

const root = resolve(import.meta.dirname, '../..');

/** Loads the library as the program contains it. */
const patched = async (): Promise<Width> => {
  const {outputFiles} = await build({
    stdin: {contents: "export {default} from 'string-width';", resolveDir: root},
    ...{bundle: true, write: false, format: 'esm', target: program.target ?? 'node22.19'},
    plugins: (program.plugins ?? []).filter(({name}) => name === 'patch-string-width'),
  });
  const code = Buffer.from(outputFiles?.[0]?.contents ?? []).toString('base64');
  // The number keeps apart what two tests load.
  const {default: width} = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}#${Math.random()}`);
  return width;
};

const signs = '·–—‘’“”•…←↑→↓─│┊┌┐└┘├┤╿▀▄█▏▟▲●○◉◯✔✖❯';
const marks = ['', '\u0301', '\uFE0F', '\uFE0E', '\u200D', '\u20E3', '\u{1F3FB}', '\u202E', '\u0903'];
const others = [
  'a',
  ' ',
  '7',
  'é',
  '漢',
  '한',
  'ᄒ',
  'ᅡ',
  'ﾞ',
  '👍',
  '👨‍👩‍👧',
  '🇩🇪',
  '#️⃣',
  '◽',
  '⌚',
  '\u001B[1m',
  '\t',
  '\uD83D',
];

describe('the width of a text', () => {
  test.each([true, false])('is the same as without the patch (ambiguous characters narrow: %s)', async isNarrow => {
    const width = await patched();
    const options = {ambiguousIsNarrow: isNarrow};
    const parts = [...signs, ...others];
    const texts = parts.flatMap(one => [
      ...marks.flatMap(mark => [`${one}${mark}`, `x${one}${mark}y`, `${mark}${one}`]),
      ...parts.map(other => `${one}${other}`),
    ]);
    expect(texts.filter(text => width(text, options) !== original(text, options))).toEqual([]);
  });

  test('of every screen needs no segmenter', async () => {
    const create = vi.spyOn(Intl, 'Segmenter');
    const width = await patched();
    for (const size of ['100x30', '80x24', '40x12']) {
      const screens = readFileSync(join(root, `test/screens/wizard/snapshots/${size}.txt`), 'utf8');
      for (const line of screens.split('\n')) expect(width(line)).toBe([...line].length);
    }
    expect(create).not.toHaveBeenCalled();
    expect(width('👍')).toBe(2);
    expect(create).toHaveBeenCalledTimes(1);
    create.mockRestore();
  });
});
