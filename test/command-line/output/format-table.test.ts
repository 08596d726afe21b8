import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {formatTable} from '../../../src/command-line/output/format-table.ts';

const rows = [
  ['ASSISTANT', 'FILE', 'SIGN-IN'],
  ['Claude Code', '~/projects/a-long-name/of-a-project/.claude/settings.json', 'renews itself'],
  ['Zed', '~/.config/zed/settings.json', 'sign-in needed, because it was signed out'],
];

test('a table has columns as wide as their widest cell, and is not cut on a pipe', async () => {
  expect(await formatTable(rows)).toContain(
    'Claude Code   ~/projects/a-long-name/of-a-project/.claude/settings.json   renews itself\n',
  );
});

describe('in a terminal', () => {
  test.each([120, 100, 80, 60, 40])('of %i columns no line is wider, and no row is lost', async width => {
    const lines = (await formatTable(rows, width)).trimEnd().split('\n');
    expect(Math.max(...lines.slice(0, 3).map(line => line.length))).toBeLessThanOrEqual(width);
    expect(lines.slice(0, 3).map(line => line.split(/ {3,}/)[0])).toEqual([
      expect.stringMatching(/^ASSISTA/),
      expect.stringMatching(/^Claude/),
      'Zed',
    ]);
  });

  test('a path keeps both ends, a text its beginning', async () => {
    const [, first = '', second = ''] = (await formatTable(rows, 80)).split('\n');
    expect(first).toMatch(/ ~\/\S*…\S*settings\.json /);
    expect(second).toMatch(/sign-in needed\S*.*…$/);
  });

  test('columns for which there is no room are left out from the end, and named', async () => {
    const wide = [
      ['NAME', 'PROJECT', 'NAMESPACE', 'UID'],
      ['shop-frontend', 'shopping', 'development', '0b6e1f3c-0000'],
    ];
    expect(await formatTable(wide, 32)).toBe(
      [
        'NAME        PROJECT    NAMESPACE',
        'shop-fro…   shopping   developm…',
        'No room for UID. Add --json to see everything.\n',
      ].join('\n'),
    );
  });
});

describe('East Asian characters and emoji', () => {
  const wide = [
    ['NAME', 'PATH'],
    ['支払いサービス', '~/プロジェクト/設定/mcp.json'],
    ['shop 🚀', '~/x.json'],
  ];
  const columnsOf = (line: string) => stringWidth(line);

  test('take the two columns that they fill', async () => {
    const [heading = '', first = '', second = ''] = (await formatTable(wide)).split('\n');
    expect(
      [first.indexOf('~'), second.indexOf('~')].map((at, index) =>
        columnsOf([first, second][index]?.slice(0, at) ?? ''),
      ),
    ).toEqual([17, 17]);
    expect(heading.indexOf('PATH')).toBe(17);
  });

  test.each([40, 30, 24])('are cut between two of them, at %i columns', async width => {
    const lines = (await formatTable(wide, width)).trimEnd().split('\n').slice(0, 3);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain('…');
    expect(lines.join('')).not.toMatch(/\uFFFD/);
  });
});
