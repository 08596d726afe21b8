import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Outcome} from '../../../src/domain/finding.ts';
import {pass, warn} from '../../../src/domain/finding.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {contextFor} from '../../../src/domain/tokens.ts';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {outcomeOf} from '../../../src/flows/diagnosis/outcome.ts';
import {reportOf, requireHarmless, saveReport} from '../../../src/flows/diagnosis/report.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {temporaryDirectory, temporaryPorts} from '../../support/place.ts';
import {context, machine} from '../assistants/support/machine.ts';

const subject = {
  platform: bundled,
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
};

const inputWith = (saw: string) => ({
  subject,
  outcomes: [outcomeOf({id: 'node', title: 'Node', ms: 1}, pass(saw))],
  machine: {
    ...{node: '24.0.0', version: '0.1.0', distrusts: false, assistants: [], redirectUri: 'http://127.0.0.1:0/callback'},
    place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
    own: {command: 'node', args: []},
    startsOf: () => [],
  } as const,
});

test('a report is saved for the person alone, and a later one takes its place', async () => {
  const ports = await temporaryPorts();
  const path = join(await temporaryDirectory(), 'report.md');
  await saveReport(path, inputWith('the first'), ports);
  await saveReport(path, inputWith('the second'), ports);
  expect(await readFile(path, 'utf8')).toMatch(/^# Diagnostics of http:\/\/api[\s\S]*the second/);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a file that is no report is left as it is', async () => {
  const ports = await temporaryPorts();
  const path = join(await temporaryDirectory(), 'notes.md');
  await writeFile(path, '# Notes\n');
  await expect(saveReport(path, inputWith('well'), ports)).rejects.toMatchObject({code: 'input-invalid'});
  expect(await readFile(path, 'utf8')).toBe('# Notes\n');
});

test('a report that would hold a secret is not written', async () => {
  const ports = await temporaryPorts();
  const path = join(await temporaryDirectory(), 'report.md');
  const saved = saveReport(path, inputWith('eyJhbGciOiJI.eyJzdWIiOiJ.c2ln'), ports);
  await expect(saved).rejects.toMatchObject({code: 'local-report-unsafe'});
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

describe('a report says', () => {
  const {machine: about} = inputWith('');
  const report = (outcomes: readonly Outcome[], more: Partial<Subject> = {}) =>
    reportOf({outcomes, subject: {...subject, ...more}, machine: about, at: '2026-01-01T00:00:00.000Z'});

  test('when and about what it was written', async () => {
    expect(report([])).toMatch(
      /^# Diagnostics of http:\/\/api\.acme\.localhost:8080\n\n\*\*Everything works\.\*\*\n\n2026-01-01T00:00:00\.000Z, platform-setup 0\.1\.0, Node 24\.0\.0: 0 pass, .*\.\n\n- Control plane: http:\/\/api\.acme\.localhost:8080\n- Observer: none\n- Identity provider: http:\/\/idp\.acme\.localhost:8080\n\n## Every check\n/,
    );
    const text = report([], {context, observerUrl: 'http://observer.acme.localhost:8080'});
    expect(text).toMatch(/^# Diagnostics of acme\n/);
    expect(text).toContain('- Observer: http://observer.acme.localhost:8080\n');
    const ports = await temporaryPorts();
    const path = join(await temporaryDirectory(), 'report.md');
    const now = () => Date.parse('2026-02-03T04:05:06.000Z');
    await saveReport(path, inputWith('well'), {...ports, clock: {...ports.clock, now}});
    expect(await readFile(path, 'utf8')).toContain('\n2026-02-03T04:05:06.000Z, platform-setup');
  });

  test('what is not well at length, with what was seen and what to do, and every check in a table', () => {
    const at = {ms: 7} as const;
    const text = report([
      outcomeOf({id: 'a', title: 'Clock', ...at}, warn('5 min ahead', 'The clock is wrong.', 'Set it right.')),
      {id: 'b', title: 'Entries', ...at, verdict: 'fail', saw: 'The file is broken.', code: 'local-file-invalid'},
      outcomeOf({id: 'c', title: 'Node', ...at}, pass('24')),
      {id: 'd', title: 'Token', ...at, verdict: 'skipped', saw: 'none'},
    ]);
    const [told = '', json = ''] = text.split('## The same as JSON');
    expect(JSON.parse(json.replaceAll('```json', '').replaceAll('```', ''))).toMatchObject({
      ...{at: '2026-01-01T00:00:00.000Z', version: '0.1.0'},
      outcomes: [{id: 'a'}, {id: 'b'}, {id: 'c'}, {id: 'd'}],
    });
    expect(told.slice(told.indexOf('## '))).toBe(`## Clock: warning

The clock is wrong.

Seen: 5 min ahead

What to do: Set it right.

## Entries: fail

The file is broken.

## Every check

| check | verdict | seen | ms |
|---|---|---|---|
| Clock | warning | 5 min ahead | 7 |
| Entries | fail | The file is broken. | 7 |
| Node | pass | 24 | 7 |
| Token | skipped | none | 7 |

`);
  });
});

describe('no report holds', () => {
  const plain = 'plain words-that-nobody-takes-for-a-token';
  const [secret = ''] = plain.split(' ').slice(1);

  test.each([
    ['the access token of a saved deployment', {accessToken: secret}],
    ['its refresh token', {refreshToken: secret}],
    ['the secret of its client', {clientSecret: secret}],
  ])('%s', async (_what, kept) => {
    const {ports} = await machine();
    await expect(requireHarmless(plain, subject, ports)).resolves.toBeUndefined();
    await ports.credentials.replace(context, {issuer: context.issuer, clientId: context.clientId, ...kept});
    await expect(requireHarmless(plain, subject, ports)).rejects.toMatchObject({code: 'local-report-unsafe'});
  });

  test('what was typed or obtained in a run that is under way', async () => {
    const ports = await temporaryPorts();
    const unsaved = {method: 'mcp-client', secrets: [new Secret(secret)]} as const;
    await expect(requireHarmless(plain, {...subject, unsaved}, ports)).rejects.toMatchObject({
      code: 'local-report-unsafe',
    });
  });

  test('the token that a server has for itself', async () => {
    const {ports} = await machine();
    const resources = {observability: 'https://observer.example/mcp'};
    const saved = {...context, resources};
    await ports.config.saveContext(saved);
    const own = contextFor(saved, 'observability');
    await ports.credentials.update(own, async () => ({issuer: context.issuer, clientId: 'cli', accessToken: secret}));
    await expect(requireHarmless(plain, subject, ports)).rejects.toMatchObject({code: 'local-report-unsafe'});
  });

  test('a token that stands in an entry, whether or not it is the one of now', async () => {
    const {ports, connect, put} = await machine();
    await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge']);
    const entry = (Authorization: string) => ({url: 'http://x.example/mcp', headers: {Authorization}});
    const holding = (name: string, authorization: string) =>
      put('.cursor/mcp.json', JSON.stringify({mcpServers: {[name]: entry(authorization)}}));
    await holding('theirs', `Bearer ${secret}`);
    await expect(requireHarmless(plain, subject, ports)).resolves.toBeUndefined();
    for (const name of ['acme-control-plane', 'acme-observability']) {
      await holding(name, `bearer ${secret}`);
      await expect(requireHarmless(plain, subject, ports)).rejects.toMatchObject({code: 'local-report-unsafe'});
    }
    await put('.cursor/mcp.json', '{');
    await expect(requireHarmless(plain, subject, ports)).resolves.toBeUndefined();
  });

  test('one that is known, although not everything that is kept can be read', async () => {
    const {ports, connect} = await machine();
    await connect(['cursor', 'user', 'header']);
    await writeFile(ports.credentials.path, '{');
    const {entries = []} = (await ports.config.read()).contexts[0] ?? context;
    const gone = entries.map(one => ({...one, assistant: 'gone'}));
    await ports.config.saveContext({...context, entries: [...gone, ...entries]});
    await expect(requireHarmless(plain, subject, ports)).resolves.toBeUndefined();
    await writeFile(ports.config.path, '{');
    await expect(requireHarmless(plain, subject, ports)).resolves.toBeUndefined();
    await expect(requireHarmless('Bearer abcdefgh123', subject, ports)).rejects.toMatchObject({
      code: 'local-report-unsafe',
      message: 'The report would hold a secret, so it was not written.',
    });
  });
});
