import {describe, expect, test} from 'vitest';
import {yamlDepth} from '../../../src/assistants/editors/yaml-tree.ts';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

describe('an editor that knows the text that it has parsed last', () => {
  test.each([
    ['JSON', json('servers'), '{"servers": {"a": {"url": "x"}}}'],
    ['TOML', toml('servers'), '[servers.a]\nurl = "x"\n'],
    ['YAML with a map', yamlMap('servers'), 'servers:\n  a:\n    url: x\n'],
    ['YAML with a list', yamlList('servers', ''), 'servers:\n  - name: a\n    url: x\n'],
  ])('gives out no values that it compares with later: %s', async (_name, format, text) => {
    const editor = await format.editor();
    const known = () => editor.read(text, 'file').a as {url: string};
    // Once for a new text, and once after an edit of the same text.
    for (const _ of [1, 2]) {
      const found = known();
      found.url = 'mine';
      expect(known()).toEqual({url: 'x'});
      expect(editor.read(editor.set(text, {a: found}, 'file'), 'file').a).toEqual({url: 'mine'});
      expect(editor.set(text, {a: {url: 'x'}}, 'file')).toBe(text);
    }
  });
});

/** Without parsing, the depth may be overestimated, but never underestimated. */
test.each([
  ['a: b', 1],
  ['a: [[{b: [c]}]]', 5],
  ['- - - a', 3],
  ['? ? a\n', 2],
  ['a:\n- b:\n  - c', 4],
  ['[a: [b: c]]', 4],
  ['text', 0],
])('the depth of %j is not taken for less than it is', (text, depth) => {
  expect(yamlDepth(text)).toBeGreaterThanOrEqual(depth);
});

test('a text with more signs is gone through', () => {
  expect(yamlDepth('a: b\n'.repeat(1_000))).toBe(1);
  expect(yamlDepth('['.repeat(300) + ']'.repeat(300))).toBe(300);
});
