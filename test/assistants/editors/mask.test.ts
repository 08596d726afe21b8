import {describe, expect, test} from 'vitest';
import {formatOf, json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

const shown = ['name', 'url', 'command', 'args', 'http_headers_helper'];

/** A text that looks like a secret in any place. */
const canary = 's3cretCanary90aBx';

describe('what looks like a secret is hidden, of ours all but what is known, and the rest is seen to stay', () => {
  test.each([
    [
      'JSON',
      json('servers'),
      `{\n  // my editor\n  // ${canary}\n  "theme": "dark", "a": ["${canary}", 1], /* canary: "x" */ /* apiKey: "x" */\n  "servers": {"acme": {"url": "http://x", "headers": {"Authorization": "Bearer canary"}, "note": "mine"}, "b": {"url": "https://b.example", "env": {"A": "canary"}, "args": ["-y", "--api-key", "canary"]}}\n}`,
      '{\n  // my editor\n  // …\n  "theme": "dark", "a": ["…", 1], /* canary: "x" */ /* … */\n  "servers": {"acme": {"url": "http://x", "headers": {"Authorization": "Bearer <access token>"}, "note": "…"}, "b": {"url": "https://b.example", "env": {"A": "…"}, "args": ["-y", "--api-key", "…"]}}\n}',
    ],
    [
      'TOML',
      toml('servers'),
      `# mine\n# ${canary}\nmodel = "gpt-5"\na = ["${canary}", 1]\nd = """\ncanary\n""" # token=x\n[servers.acme]\nhttp_headers_helper = "sh -c x"\nheaders = {Authorization = "Bearer canary"}\n[servers.b]\nurl = 'https://u:canary@b'\n[[c]]\nd = "plain"\napi_key = "canary"\n`,
      '# mine\n# …\nmodel = "gpt-5"\na = ["…", 1]\nd = "…" # …\n[servers.acme]\nhttp_headers_helper = "sh -c x"\nheaders = {Authorization = "Bearer <access token>"}\n[servers.b]\nurl = "…"\n[[c]]\nd = "plain"\napi_key = "…"\n',
    ],
    [
      'a map in YAML',
      yamlMap('servers'),
      `# mine\na: [plain, true, 123, 1234567890] # ${canary}\nd: |\n  canary\n  canary\n\nservers:\n  acme:\n    url: http://x # Bearer canary\n    headers: {Authorization: Bearer canary}\n  b: "plain"\n  # mine\n`,
      '# mine\na: [plain, true, 123, "…"] # …\nd: "…"\n\nservers:\n  acme:\n    url: http://x # …\n    headers: {Authorization: "Bearer <access token>"}\n  b: "plain"\n  # mine\n',
    ],
    [
      'a list in YAML',
      yamlList('servers', ''),
      `name: mine\nservers:\n- name: b\n  apiKey: canary\n- name: acme\n  url: http://x\n  requestOptions:\n    headers:\n      Authorization: "Bearer canary"\n- ${canary}\n`,
      'name: mine\nservers:\n- name: b\n  apiKey: "…"\n- name: acme\n  url: http://x\n  requestOptions:\n    headers:\n      Authorization: "Bearer <access token>"\n- "…"\n',
    ],
  ])('%s', async (_name, format, text, hidden) => {
    const editor = await format.editor();
    expect(editor.mask(text, ['acme'], shown)).toBe(hidden);
    const crlf = editor.mask(`\uFEFF${text.replaceAll('\n', '\r\n')}`, ['acme'], shown);
    expect(crlf).not.toContain(canary);
    expect(crlf).not.toMatch(/Bearer canary|["']canary["']|:canary@/);
  });
});

const jwt = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from('{"sub":"ann"}').toString('base64url')}.c2lnbmF0dXJlLWNhbmFyeQ`;

/** Secrets as people have them in files, each under a harmless name. */
const secretValues = [
  canary,
  jwt,
  `Bearer ${'x'.repeat(8)}`,
  'ghp_abcdefghijklmnop',
  'sk-proj-abcdefgh',
  'xoxb-123-abc',
  'AKIAIOSFODNN7EXAMPLE',
  'https://ann:hunter2@example.com/x',
  'https://example.com/mcp?key=hunter2',
  'https://example.com/mcp#hunter2',
  '8f14e45fceea167a5a36dedd4bea2543',
  '550e8400-e29b-41d4-a716-446655440000',
  'dGhpcyBpcyBhIHNlY3JldA==',
  '1234567890123456',
  'mysql -u root -phunter2',
  'curl --header x',
  'API_KEY=hunter2 npx x',
  'password: hunter2',
  '-----BEGIN PRIVATE KEY-----',
  'a long text that somebody wrote, '.repeat(8),
  'wJalrXUtnFEMIbPxRfiCYEXAMPLEKEY',
];

/** Names whose values may always be secrets. */
const secretNames = [
  ...['token', 'access_token', 'apiKey', 'api-key', 'API_KEY', 'password', 'client_secret', 'authorization', 'auth'],
  ...['key', 'private_key', 'oauthAccount', 'cookie', 'sessionId', 'value', 'env', 'headers', 'http_headers'],
  ...['terminal.integrated.env.linux', 'passphrase', 'credentials', 'webhookUrl', 'pin'],
];

const ordinary: readonly (readonly [string, string])[] = [
  ...([
    ['theme', 'dark'],
    ['model', 'claude-sonnet-4-20250514'],
    ['editor.fontFamily', 'Fira Code'],
  ] as const),
  ...([
    ['version', '2.1.328'],
    ['path', '/home/ann/project/server.js'],
    ['url', 'https://example.com/mcp'],
  ] as const),
  ...([
    ['author', 'Ann'],
    ['keybindings', 'vim'],
    ['command', 'npx'],
    ['files.autoSave', 'afterDelay'],
  ] as const),
  ...([
    ['lang', 'de-DE'],
    ['workbench.colorTheme', 'Default Dark Modern'],
  ] as const),
];

describe.each([
  ['JSON', json('servers')],
  ['TOML', toml('servers')],
  ['YAML', yamlMap('servers')],
])('in %s, of what is somebody else’s', (name, format) => {
  const line = (key: string, value: string) =>
    name === 'JSON'
      ? JSON.stringify({[key]: value})
      : name === 'TOML'
        ? `${JSON.stringify(key)} = ${JSON.stringify(value)}`
        : `${JSON.stringify(key)}: ${JSON.stringify(value)}`;

  test.each(secretValues)('no part of the secret %j is shown', async value => {
    const hidden = (await format.editor()).mask(line('note', value), [], []);
    expect(hidden).toContain('"…"');
    expect(hidden).not.toContain(value.slice(0, 6));
  });

  test.each(secretNames)('nothing is shown that is called %j', async key => {
    expect((await format.editor()).mask(line(key, 'plain'), [], [])).not.toContain('plain');
  });

  test.each(ordinary)('%s is seen to stay %j', async (key, value) => {
    expect((await format.editor()).mask(line(key, value), [], [])).toContain(JSON.stringify(value));
  });

  test.each(secretValues.filter(value => !/ --?[a-z]|long text/.test(value)))(
    'a comment with %j is hidden',
    async value => {
      const sign = name === 'JSON' ? '//' : '#';
      const text = `${sign} ${value}\n${line('a', 'plain')}`;
      expect((await format.editor()).mask(text, [], [])).toBe(`${sign} …\n${line('a', 'plain')}`);
    },
  );
});

test.each(['"apiKey": "hunter2"', 'token = hunter2', 'export API_KEY=hunter2', 'my password: hunter2'])(
  'a setting that was commented out is judged by its name: %s',
  async text => {
    const editor = await json('servers').editor();
    expect(editor.mask(`{\n  // ${text}\n}`, [], [])).not.toContain('hunter2');
    expect(editor.mask('{\n  // Remember the milk: two litres.\n}', [], [])).toContain('two litres');
  },
);

test('of another server one sees what it is, and none of what it is handed', async () => {
  const editor = await json('servers').editor();
  const server = {
    command: 'npx',
    args: ['-y', '--verbose', '-phunter2', 'hunter2'],
    env: {A: 'hunter2'},
    type: 'stdio',
  };
  const text = editor.mask(JSON.stringify({servers: {other: server}}), ['acme'], shown);
  expect(text).toBe(
    '{"servers":{"other":{"command":"npx","args":["-y","--verbose","…","…"],"env":{"A":"…"},"type":"stdio"}}}',
  );
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
  ['settings.json', '{"key": "canary"}', '{"key": "…"}'],
  ['config.toml', 'key = "canary"', 'key = "…"'],
  ['config.yml', 'key: canary', 'key: "…"'],
])('a file is told by its name: %s', async (path, text, hidden) => {
  expect((await formatOf(path).editor()).mask(text, [], [])).toBe(hidden);
});
