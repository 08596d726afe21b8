import {describe, expect, test} from 'vitest';
import {
  type CliEntry,
  isForeign,
  maskCli,
  secretSpansIn,
  valuesIn,
  withEntry,
  withoutEntry,
  withoutSecrets,
} from '../../../src/flows/own-cli/cli-file.ts';

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

/** The file as the CLI of release 0.14 writes it at its first start. */
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

  test('with the scope of the same client, unless another was asked for now', () => {
    const scoped = (clientId: string) =>
      made.replace('clientId: openchoreo-cli', `clientId: ${clientId}\n      scope: openid email`);
    expect(enter(scoped('openchoreo-cli'))).toContain('scope: openid email\n');
    expect(enter(scoped('another'))).not.toContain('scope');
    const asked = enter(scoped('openchoreo-cli'), {credentials: {...entry.credentials, scope: 'openid'}});
    expect(asked).toContain('scope: openid\n');
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
    ['contexts: []\ncurrentContext:\n', '\ncurrentContext: acme\n'],
    ['# mine\n---\ncontexts: []\n', '# mine\n---\ncurrentContext: acme\n'],
    ['currentContext: "acme" # mine\n', 'currentContext: "acme" # mine\n'],
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

describe('a context that is not the current one any more', () => {
  const from = ['controlplanes', 'credentials', 'contexts'] as const;

  test('leaves the one that is', () => {
    const text = enter(first).replace('currentContext: acme', 'currentContext: default');
    expect(withoutEntry(text, {name: 'acme', from, previous: 'gone'}, path)).toBe(first);
    const none = enter(first).replace('currentContext: acme', 'currentContext: gone');
    expect(withoutEntry(none, {name: 'acme', from}, path)).toContain('currentContext: gone\n');
  });

  test('stays it where it was there before', () => {
    const left = withoutEntry(enter(first), {name: 'acme', from: ['credentials'], previous: 'default'}, path);
    expect(left).toContain('currentContext: acme\n');
  });

  test('leaves none where it was the only one', () => {
    expect(withoutEntry(made, {name: 'acme', from}, path)).toContain('currentContext: ""\n');
  });
});

describe('what has the name already', () => {
  const values = (...contexts: readonly object[]) =>
    valuesIn(
      JSON.stringify({
        controlplanes: [
          {name: 'here', url: `${entry.url}/`},
          {name: 'there', url: 'http://api.work.example'},
        ],
        contexts,
      }),
      path,
    );

  test.each([
    ['nothing', values({name: 'work', controlplane: 'there'}), false],
    ['a context of the same server', values({name: 'acme', controlplane: 'here'}), false],
    ['a context of another server', values({name: 'acme', controlplane: 'there'}), true],
    ['a context of no server', values({name: 'acme'}), false],
    ['credentials that lead here', values({name: 'work', controlplane: 'here', credentials: 'acme'}), false],
    ['credentials that lead elsewhere', values({name: 'work', controlplane: 'there', credentials: 'acme'}), true],
    ['a control plane elsewhere', valuesIn('controlplanes: [{name: acme, url: http://x}]', path), true],
    ['this control plane', valuesIn(`controlplanes: [{name: acme, url: ${entry.url}}]`, path), false],
    ['credentials of a context without a name', values({controlplane: 'there', credentials: 'acme'}), false],
  ])('is %s', (_what, found, expected) => {
    expect(isForeign(found, 'acme', entry.url)).toBe(expected);
  });

  test('has these secrets', () => {
    const found = made.replace('authMethod:', 'clientSecret: the-secret\n      scope: openid\n      authMethod:');
    const secretsIn = (text: string, name: string) =>
      secretSpansIn(text, name).map(({start, end}) => Buffer.from(text).toString('utf8', start, end));
    expect(secretsIn(found, 'acme')).toEqual(['new-token', 'new-refresh-token', 'the-secret'].sort(inText(found)));
    expect(secretsIn(found, 'other')).toEqual([]);
    expect(secretsIn(first, 'default')).toEqual([]);
  });
});

const inText = (text: string) => (one: string, other: string) => text.indexOf(one) - text.indexOf(other);

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
