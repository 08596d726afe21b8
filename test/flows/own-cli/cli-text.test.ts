import {describe, expect, test} from 'vitest';
import {type CliEntry, maskCli, withEntry, withoutEntry, withoutSecrets} from '../../../src/flows/own-cli/cli-text.ts';

const path = '/home/ada/.openchoreo/config';

const entry: CliEntry = {
  name: 'acme',
  url: 'http://api.acme.localhost:8080',
  credentials: {
    clientId: 'openchoreo-cli',
    token: 'new-token',
    refreshToken: 'new-refresh-token',
    authMethod: 'authorization_code',
  },
  fields: {namespace: 'default', project: 'shop'},
};

const enter = (text: string, change: Partial<CliEntry> = {}) => withEntry(text, {...entry, ...change}, path);

/** As the CLI of release 0.14 writes it at its first start. */
const first = `currentContext: default
controlplanes:
    - name: default
      url: http://localhost:8080
credentials:
    - name: default
contexts:
    - name: default
      controlplane: default
      credentials: default
      namespace: default
      project: default
      environment: development
      dataPlane: default
`;

const made = `currentContext: acme
controlplanes:
    - name: acme
      url: http://api.acme.localhost:8080
credentials:
    - name: acme
      clientId: openchoreo-cli
      token: new-token
      refreshToken: new-refresh-token
      authMethod: authorization_code
contexts:
    - name: acme
      controlplane: acme
      credentials: acme
      namespace: default
      project: shop
`;

describe('a deployment is entered', () => {
  test.each(['', '\n', '  \n\n'])('in a file that is blank (%j), as the CLI itself lays it out', text => {
    expect(enter(text)).toBe(made);
  });

  test('beside what the CLI of 0.14 made at its first start', () => {
    expect(enter(first, {fields: {...entry.fields, environment: 'development', dataPlane: 'default'}})).toBe(
      `currentContext: acme
controlplanes:
    - name: acme
      url: http://api.acme.localhost:8080
    - name: default
      url: http://localhost:8080
credentials:
    - name: acme
      clientId: openchoreo-cli
      token: new-token
      refreshToken: new-refresh-token
      authMethod: authorization_code
    - name: default
contexts:
    - name: acme
      controlplane: acme
      credentials: acme
      namespace: default
      project: shop
      environment: development
      dataPlane: default
    - name: default
      controlplane: default
      credentials: default
      namespace: default
      project: default
      environment: development
      dataPlane: default
`,
    );
  });

  test('in the place of what was known of it, where the context keeps its own fields', () => {
    const before = made
      .replace('project: shop', 'project: billing\n      component: invoices')
      .replace('new-token', 'old-token')
      .replace('new-refresh-token', 'old-refresh-token');
    expect(enter(before)).toBe(made.replace('project: shop', 'project: billing\n      component: invoices'));
  });

  test('with what a service account needs', () => {
    const credentials = {
      clientId: 'ci',
      clientSecret: 'a: #secret',
      token: 'new-token',
      authMethod: 'client_credentials',
    } as const;
    const text = enter(made.replace('authMethod', 'scope: openid\n      authMethod'), {credentials});
    expect(text).toContain(`    - name: acme
      clientId: ci
      clientSecret: "a: #secret"
      token: new-token
      authMethod: client_credentials
`);
    expect(text).not.toContain('refresh');
  });

  test('and entered again it changes no byte', () => {
    expect(enter(made)).toBe(made);
    expect(enter(enter(first))).toBe(enter(first));
  });
});

describe('what is not ours stays to the byte', () => {
  const theirs = `# of my own
colour: blue   # unknown, and kept
currentContext: "work" # for now
controlplanes:
  # the one at work
  - {name: work, url: "http://api.work.example"}
contexts:
  - name: work
    controlplane: work   # the same name
    namespace: default
    extra: [1, 2]
`;

  test('comments, quotes, unknown keys and other contexts', () => {
    const text = enter(theirs);
    const kept = theirs.replace('"work"', 'acme').split('\n');
    const lines = text.split('\n');
    expect(kept.filter(line => !lines.includes(line))).toEqual([]);
    expect(text).toContain('currentContext: acme # for now');
    expect(withoutEntry(text, {name: 'acme', from: ['controlplanes', 'contexts'], previous: 'work'}, path)).toContain(
      'currentContext: work # for now',
    );
  });

  test('CRLF, and a byte order mark', () => {
    const text = enter(`\uFEFF${first.replaceAll('\n', '\r\n')}`);
    expect(text.startsWith('\uFEFFcurrentContext: acme\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test.each([
    ['{"currentContext": "", "contexts": []}', '"currentContext": "acme"'],
    ['{}', 'currentContext: "acme"'],
    ['currentContext:\ncontexts: []\n', 'currentContext: acme\n'],
    ['contexts: []\n', 'currentContext: acme\n'],
    ['currentContext: ""\n', 'currentContext: acme\n'],
  ])('also where it is laid out like %s', (text, expected) => {
    expect(enter(text)).toContain(expected);
    expect(enter(enter(text))).toBe(enter(text));
  });

  test.each(['currentContext: [', '- a list', 'contexts: none\n', 'currentContext: [a]\n'])(
    'and a file like %j is refused with its path',
    text => {
      expect(() => enter(text)).toThrow(path);
    },
  );
});

describe('what is taken out again', () => {
  test('are the secrets, as the CLI’s own sign-out does', () => {
    expect(withoutSecrets(made, 'acme', path)).toBe(
      made.replace('      token: new-token\n      refreshToken: new-refresh-token\n', ''),
    );
    expect(withoutSecrets(first, 'acme', path)).toBe(first);
  });

  test('is the deployment, where it was not there before', () => {
    const from = ['controlplanes', 'credentials', 'contexts'] as const;
    expect(withoutEntry(enter(first), {name: 'acme', from, previous: 'default'}, path)).toBe(first);
    expect(withoutEntry(enter(first), {name: 'acme', from}, path)).toBe(first);
  });
});

test('no secret and no comment is shown', () => {
  const secret = made.replace('token: new-token', 'token: new-token # a secret note\n      clientSecret: 12345');
  expect(maskCli(`${secret}other:\n    password: hunter2\n`)).toBe(`currentContext: acme
controlplanes:
    - name: acme
      url: http://api.acme.localhost:8080
credentials:
    - name: acme
      clientId: openchoreo-cli
      token: "…" # …
      clientSecret: "…"
      refreshToken: "…"
      authMethod: authorization_code
contexts:
    - name: acme
      controlplane: acme
      credentials: acme
      namespace: default
      project: shop
other:
    password: "…"
`);
});
