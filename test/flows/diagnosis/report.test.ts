import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pass} from '../../../src/domain/finding.ts';
import {saveReport} from '../../../src/flows/diagnosis/report.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {temporaryDirectory, temporaryPorts} from '../../support/place.ts';

const subject = {
  platform: bundled,
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
};

const inputWith = (saw: string) => ({
  subject,
  outcomes: [{id: 'node', title: 'Node', ms: 1, ...pass(saw)}],
  machine: {
    ...{node: '24.0.0', version: '0.1.0', distrusts: false, assistants: [], redirectUri: 'http://127.0.0.1:0/callback'},
    place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
    own: {command: 'node', args: []},
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
