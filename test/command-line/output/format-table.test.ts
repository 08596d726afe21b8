import {describe, expect, test} from 'vitest';
import {formatTable} from '../../../src/command-line/output/format-table.ts';

const rows = [
  ['ASSISTANT', 'FILE', 'SIGN-IN'],
  ['Claude Code', '~/projects/a-long-name/of-a-project/.claude/settings.json', 'renews itself'],
  ['Zed', '~/.config/zed/settings.json', 'sign-in needed, because it was signed out'],
];

test('a table has columns as wide as their widest cell, and is not cut on a pipe', () => {
  expect(formatTable(rows)).toContain(
    'Claude Code   ~/projects/a-long-name/of-a-project/.claude/settings.json   renews itself\n',
  );
});

describe('in a terminal', () => {
  test.each([120, 100, 80, 60, 40])('of %i columns no line is wider, and no row is lost', width => {
    const lines = formatTable(rows, width).trimEnd().split('\n');
    expect(Math.max(...lines.slice(0, 3).map(line => line.length))).toBeLessThanOrEqual(width);
    expect(lines.slice(0, 3).map(line => line.split(/ {3,}/)[0])).toEqual([
      expect.stringMatching(/^ASSISTA/),
      expect.stringMatching(/^Claude/),
      'Zed',
    ]);
  });

  test('a path keeps both ends, a text its beginning', () => {
    const [, first = '', second = ''] = formatTable(rows, 80).split('\n');
    expect(first).toMatch(/ ~\/\S*…\S*settings\.json /);
    expect(second).toMatch(/sign-in needed\S*.*…$/);
  });

  test('columns for which there is no room are left out from the end, and named', () => {
    const wide = [
      ['NAME', 'PROJECT', 'NAMESPACE', 'UID'],
      ['shop-frontend', 'shopping', 'development', '0b6e1f3c-0000'],
    ];
    expect(formatTable(wide, 32)).toBe(
      [
        'NAME        PROJECT    NAMESPACE',
        'shop-fro…   shopping   developm…',
        'Left out for want of room: UID. With --json there is all of it.\n',
      ].join('\n'),
    );
  });
});
