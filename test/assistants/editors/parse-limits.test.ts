import {describe, expect, test} from 'vitest';
import {
  DEEPEST,
  isParsable,
  jsonDepth,
  largest,
  refuseExcess,
  tomlDepth,
} from '../../../src/assistants/editors/parse-limits.ts';
import {parseWithinLimits} from '../../../src/assistants/editors/parse-values.ts';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

const formats = {
  JSON: json('mcpServers'),
  'JSON without comments': json('mcpServers', 'strict'),
  TOML: toml('mcp_servers'),
  'YAML with a map': yamlMap('extensions'),
  'YAML with a list': yamlList('mcpServers', ''),
};

const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}${close.repeat(levels)}`;

/** Returns nested lists and maps in the syntax of each language. */
const deep = (name: string, levels: number): readonly string[] => {
  const list = nested('[', ']', levels);
  if (name.startsWith('JSON')) return [`{"a": ${list}}`, `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`];
  if (name === 'TOML') return [`a = ${list}`, `a = ${'{a = '.repeat(levels)}1${'}'.repeat(levels)}`];
  return [`a: ${list}`, `a:\n  ${'- '.repeat(levels)}x`, `a: ${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`];
};

const entry = {acme: {command: 'node', args: ['x']}};

describe.each(Object.entries(formats))('%s', (name, format) => {
  test('that is nested 20,000 deep is refused, and never a fault of ours', async () => {
    const editor = await format.editor();
    for (const text of deep(name, 20_000)) {
      expect(() => editor.read(text, '/home/ann/file')).toThrow(
        expect.objectContaining({code: 'local-file-invalid', message: expect.stringContaining('nested too deeply')}),
      );
    }
  });

  test('that is nested 2,000 deep is refused, whatever is done with it', async () => {
    const editor = await format.editor();
    for (const text of deep(name, 2_000)) {
      for (const work of [
        () => editor.read(text, '/home/ann/file'),
        () => editor.made(text, '/home/ann/file'),
        () => editor.set(text, entry, '/home/ann/file'),
        () => editor.remove(text, ['acme'], '/home/ann/file'),
      ]) {
        expect(work).toThrow(
          expect.objectContaining({
            code: 'local-file-invalid',
            message: expect.stringMatching(
              /^\/home\/ann\/file is nested too deeply: setup reads at most 200 levels\.$/,
            ),
          }),
        );
      }
      expect(editor.mask(text, [], [])).not.toContain('a');
    }
  });

  test('that is nested as deep as is read is edited', async () => {
    const editor = await format.editor();
    for (const text of deep(name, DEEPEST - 5)) {
      const after = editor.set(text, entry, '/home/ann/file');
      expect(Object.keys(editor.read(after, '/home/ann/file'))).toEqual(['acme']);
    }
  });

  test('that is too large is refused by its name, its size and the limit', async () => {
    const language = format.name;
    const editor = await format.editor();
    const comment = language === 'JSON' ? ' ' : '#';
    const text = `${language === 'JSON' ? '{}' : ''}${comment.repeat(largest[language])}\n`;
    const limit = {JSON: '8 MiB', TOML: '512 KiB', YAML: '128 KiB'}[language];
    expect(() => editor.read(text, '/home/ann/file')).toThrow(
      expect.objectContaining({
        code: 'local-file-invalid',
        message: expect.stringMatching(
          new RegExp(`^/home/ann/file is [\\d.]+ [KM]iB, but setup reads at most ${limit} of ${language}\\.$`),
        ),
        about: {path: '/home/ann/file'},
      }),
    );
    expect(editor.mask(text, [], [])).not.toContain('#');
  });
});

test('brackets in texts and in comments are no levels', () => {
  const many = '['.repeat(DEEPEST + 1);
  for (const text of [`{"a": "${many}"}`, `{"a": "\\"${many}"}`, `{} // ${many}`, `{} /* ${many} */`]) {
    expect(() => refuseExcess(text, 'JSON', jsonDepth, '/f')).not.toThrow();
  }
  for (const text of [`a = "${many}"`, `a = '${many}'`, `a = """\n${many}"""`, `a = '''\n${many}'''`, `# ${many}`]) {
    expect(() => refuseExcess(text, 'TOML', tomlDepth, '/f')).not.toThrow();
  }
  // In a literal string a backslash escapes nothing, and after an escaped backslash the quote ends the string.
  for (const text of [`a = '\\' # '\nb = ${many}`, `a = "\\\\"\nb = ${many}`]) {
    expect(() => refuseExcess(text, 'TOML', tomlDepth, '/f')).toThrow('nested too deeply');
  }
});

test('rules of an organisation that are too large say nothing, and are not parsed', () => {
  const text = `a = 1\n${'#'.repeat(largest.TOML)}`;
  expect(isParsable(text, 'TOML')).toBe(false);
  expect(parseWithinLimits(text, 'TOML')).toBeUndefined();
  expect(parseWithinLimits('a = 1', 'TOML')).toEqual({a: 1});
  expect(parseWithinLimits(`{"a": 1}${' '.repeat(largest.JSON)}`, 'JSON')).toEqual({a: 1});
});

test.each([
  ['keys with many dots', `${'a.'.repeat(20_000)}a = 1\n`],
  ['a text of many lines', `a = """${'xx\n'.repeat(150_000)}"""\n`],
])('%s are no fault of ours either', async (_what, text) => {
  const editor = await toml('mcp_servers').editor();
  expect(() => editor.set(text, entry, '/home/ann/file')).toThrow(
    expect.objectContaining({code: 'local-file-invalid', message: expect.stringContaining('cannot be parsed')}),
  );
});

test.each([2_000, 3_500, 5_000])(
  'JSON that is nested %i deep is refused with what is wrong, and is no fault of this program',
  async depth => {
    const editor = await json('mcpServers').editor();
    const text = `{"other": ${'['.repeat(depth)}${']'.repeat(depth)}, "mcpServers": {}}`;
    expect(() => editor.set(text, entry, '/home/ann/file')).toThrow(
      expect.objectContaining({code: 'local-file-invalid', message: expect.stringContaining('nested too deeply')}),
    );
  },
);
