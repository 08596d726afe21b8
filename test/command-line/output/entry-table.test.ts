import {expect, test} from 'vitest';
import {formatEntries} from '../../../src/command-line/output/entry-state.ts';

const path = '~/Library/Application Support/Claude/claude_desktop_config.json';
const standing = 'auto-renewed (bridge), until the sign-in ends, in 2 h';
const rows = ['platform-control-plane', 'platform-observability'].map(name => ({
  ...{assistant: 'Claude Desktop', name, path, standing},
}));

test('entries are a table where there is room for it', async () => {
  const [heading, first] = (await formatEntries(rows, 200)).split('\n');
  expect(heading).toMatch(/^ASSISTANT +ENTRY +FILE +SIGN-IN$/);
  expect(first).toContain(path);
  expect(await formatEntries(rows)).toBe(await formatEntries(rows, 200));
});

test.each([100, 80, 40])('at %i columns neither the file nor the sign-in is cut', async width => {
  expect(await formatEntries(rows, width)).toBe(
    `Claude Desktop: ${standing}\n  ${path}\n  platform-control-plane, platform-observability\n`,
  );
  const narrowed = rows.map((row, index) => ({...row, tools: index === 0 ? 'build' : undefined}));
  expect(await formatEntries(narrowed, width)).toContain('  platform-control-plane (tools: build)\n');
});
