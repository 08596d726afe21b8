import {describe, expect, test} from 'vitest';
import {backgrounds, contrast} from '../support/terminal/contrast.ts';
import {missingOf} from '../support/terminal/programs.ts';
import {openXterm, type Xterm, xtermNeeds} from './support/xterm.ts';

const missing = missingOf(...xtermNeeds);
const why = missing.length > 0 ? ` (not here: ${missing.join(', ')})` : '';

/** The screens of the demonstration, each with words that no other screen shows, and the keys that lead on. */
const screens = [
  ['deployment', 'Use this deployment'],
  ['sign-in', 'With a service account'],
  ['assistants', 'Which assistants should'],
  ['review', 'enter write'],
  ['done', 'enter leave'],
] as const;

const goThrough = async (xterm: Xterm, see: (name: string, rows: readonly string[]) => void) => {
  for (const [name, words] of screens) {
    see(name, await xterm.waitFor(words));
    if (name !== 'done') xterm.press('Return');
  }
};

describe('words are legible, as pixels', () => {
  test.skipIf(missing.length > 0).each(backgrounds)(`on $name${why}`, async ({name, back, text, colors}) => {
    const palette = colors.flatMap((color, index) => ['-xrm', `*color${index}: ${color}`]);
    const xterm = await openXterm({
      columns: 100,
      rows: 40,
      options: ['-bg', back, '-fg', text, ...palette, '-xrm', '*boldColors: false'],
    });
    // The minimum cannot exceed the contrast of the theme itself.
    const least = Math.min(4.5, contrast(text, back));
    await goThrough(xterm, (screen, rows) => {
      const cells = xterm.picture(`${name.toLowerCase().replace(' ', '-')}-${screen}`);
      const poor = rows.flatMap((row, y) =>
        // A diff is coloured everywhere, and has signs beside it.
        /^ *[+-]/.test(row)
          ? []
          : [...row].filter(
              (sign, x) =>
                /[\p{L}\p{N}]/u.test(sign) &&
                ![...(cells[y]?.[x] ?? [])].some(color => color !== back && contrast(color, back) >= least),
            ),
      );
      expect([screen, poor.join('')]).toEqual([screen, '']);
    });
  });
});

describe('where signs are two columns wide', () => {
  /** Returns wrapped rows: they continue in the first column, which the wizard leaves empty. */
  const wrapped = (rows: readonly string[]) => rows.filter(row => /^\S/.test(row));

  test.skipIf(missing.length > 0).each([
    {as: 'by the locale', env: {LANG: 'ja_JP.UTF-8', LC_ALL: ''}, options: ['-cjk_width']},
    {as: 'with nobody saying so', env: {}, options: ['-cjk_width']},
    {as: 'with --plain', env: {}, args: ['demo', '--plain'], options: ['-cjk_width']},
  ])(`no line is wrapped at 80 and at 40 columns: $as${why}`, async ({env, args, options}) => {
    for (const columns of [80, 40]) {
      const xterm = await openXterm({columns, rows: 30, options, env, ...(args ? {args} : {})});
      await goThrough(xterm, (name, rows) => expect([name, wrapped(rows)]).toEqual([name, []]));
    }
  });
});
