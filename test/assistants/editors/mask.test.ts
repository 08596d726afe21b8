import {describe, expect, test} from 'vitest';
import {formatOf, json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

const shown = ['name', 'url', 'command', 'args', 'http_headers_helper'];

describe('every value of others is hidden, and of ours the token', () => {
  test.each([
    [
      'JSON',
      json('servers'),
      '{\n  // canary\n  "a": ["canary", 1], /* canary */\n  "servers": {"acme": {"url": "http://x", "headers": {"Authorization": "Bearer canary"}}, "b": {"url": "canary"}}\n}',
      '{\n  // …\n  "a": ["…", 1], /* … */\n  "servers": {"acme": {"url": "http://x", "headers": {"Authorization": "Bearer <access token>"}}, "b": {"url": "…"}}\n}',
    ],
    [
      'TOML',
      toml('servers'),
      '# canary\na = ["canary", 1]\nd = """\ncanary\n""" # canary\n[servers.acme]\nhttp_headers_helper = "sh -c x"\nheaders = {Authorization = "Bearer canary"}\n[servers.b]\nurl = \'canary\'\n[[c]]\nd = "canary"\n',
      '# …\na = ["…", 1]\nd = "…" # …\n[servers.acme]\nhttp_headers_helper = "sh -c x"\nheaders = {Authorization = "Bearer <access token>"}\n[servers.b]\nurl = "…"\n[[c]]\nd = "…"\n',
    ],
    [
      'a map in YAML',
      yamlMap('servers'),
      '# canary\na: [canary, true, 123] # canary\nd: |\n  canary\n  canary\n\nservers:\n  acme:\n    url: http://x # canary\n    headers: {Authorization: Bearer canary}\n  b: "canary"\n  # canary\n',
      '# …\na: ["…", true, "…"] # …\nd: "…"\n\nservers:\n  acme:\n    url: http://x # …\n    headers: {Authorization: "Bearer <access token>"}\n  b: "…"\n  # …\n',
    ],
    [
      'a list in YAML',
      yamlList('servers', ''),
      'name: canary\nservers:\n- name: b\n  apiKey: canary\n- name: acme\n  url: http://x\n  requestOptions:\n    headers:\n      Authorization: "Bearer canary"\n- canary\n',
      'name: "…"\nservers:\n- name: "…"\n  apiKey: "…"\n- name: acme\n  url: http://x\n  requestOptions:\n    headers:\n      Authorization: "Bearer <access token>"\n- "…"\n',
    ],
  ])('%s', async (_name, format, text, hidden) => {
    const editor = await format.editor();
    expect(editor.mask(text, ['acme'], shown)).toBe(hidden);
    expect(editor.mask(`\uFEFF${text.replaceAll('\n', '\r\n')}`, ['acme'], shown)).not.toContain('canary');
  });
});

test.each([
  ['an old header', {url: 'http://x', headers: {'X-Key': 'canary', Authorization: 'canary'}}],
  ['a variable', {command: 'node', args: ['x'], env: {KEY: 'canary', url: 'canary'}}],
  ['a key of another way to sign in', {url: 'http://x', bearer_token: 'canary', oauth: {client_secret: 'canary'}}],
])('%s in an entry that is replaced is hidden', async (_name, entry) => {
  for (const format of [json('servers'), toml('servers'), yamlMap('servers'), yamlList('servers', '')]) {
    const editor = await format.editor();
    const hidden = editor.mask(editor.set('', {acme: entry}, 'file'), ['acme'], shown);
    expect(hidden).not.toContain('canary');
    expect(hidden).toContain('url' in entry ? 'http://x' : 'node');
  }
});

test.each([
  ['mcp.json', '{"a": "canary'],
  ['mcp.json', 'canary: "canary"'],
  ['config.toml', 'a = "canary"\nb = canary'],
  ['config.yaml', 'a: [canary\nb: canary'],
])('a file %s that does not parse is hidden whole', async (path, text) => {
  const hidden = (await formatOf(path).editor()).mask(text, [], []);
  expect(hidden).not.toContain('canary');
  expect(hidden.split('\n')).toHaveLength(text.split('\n').length);
});

test.each([
  ['settings.json', '{"a": "canary"}', '{"a": "…"}'],
  ['config.toml', 'a = "canary"', 'a = "…"'],
  ['config.yml', 'a: canary', 'a: "…"'],
])('a file is told by its name: %s', async (path, text, hidden) => {
  expect((await formatOf(path).editor()).mask(text, [], [])).toBe(hidden);
});
