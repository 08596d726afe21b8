import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, inject, test, vi} from 'vitest';
import {platformForTest} from '../e2e/support/platform.ts';
import {lastLine} from '../e2e/support/run.ts';
import {contextAt} from '../support/context.ts';
import {clientOf} from '../support/platform.ts';
import {rotating, tokenServer} from '../support/token-server.ts';
import {onWindows, windowsMachine} from './support/windows.ts';

const {missing} = inject('windows');
const rounds = Number(process.env.WINDOWS_ROUNDS ?? 10);

/** The deadline in milliseconds. Each round gets the same time, however many there are. */
const timeout = rounds * 30_000;

describe.skipIf(missing.length > 0)('on Windows', () => {
  test(
    `the demonstration ends well, ${rounds} times`,
    async () => {
      const {setup} = windowsMachine();
      for (let round = 0; round < rounds; round += 1) {
        const {code, stdout, stderr} = await setup(['demo', '--yes', '--json']);
        expect({code, stderr}).toEqual({code: 0, stderr: ''});
        expect(lastLine(stdout)).toMatchObject({type: 'done', account: 'mcp_client'});
      }
    },
    timeout,
  );

  test(
    `ten renewals at once are one request, ${rounds} times`,
    async () => {
      const {setupApart, store} = windowsMachine();
      const {issuer, asked} = await tokenServer(rotating);
      const {clientId} = contextAt(issuer);
      store.put(contextAt(issuer), {
        ...{issuer, clientId, accessToken: 'access-0', refreshToken: 'refresh-0'},
        ...{obtainedAt: 1, expiresAt: 2},
      });
      for (let round = 1; round <= rounds; round += 1) {
        const runs = await Promise.all(Array.from({length: 10}, () => setupApart(['token'])));
        for (const run of runs) expect(run).toEqual({code: 0, stdout: `access-${round}\n`, stderr: ''});
        expect(asked).toHaveLength(round);
        expect(store.only()).toMatchObject({refreshToken: `refresh-${round}`});
        store.expire();
      }
    },
    timeout,
  );

  test('an entry is written and taken out again to the byte, and signing out leaves no secret', async () => {
    const {setup, home, local, roaming} = windowsMachine();
    const {ready, flags} = await platformForTest();
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const file = join(home, '.cursor', 'mcp.json');
    const before = '{\r\n\t"mcpServers": {\r\n\t\t// mine\r\n\t}\r\n}\r\n';
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, before);

    const account = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
    const to = ['--assistants', 'cursor', '--scope', 'user', '--yes'];
    expect(await setup([...flags, '--sign-in', 'service-account', ...to], account)).toMatchObject({code: 0});
    const {mcpServers} = JSON.parse(readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/m, ''));
    expect(Object.values(mcpServers)[0]).toMatchObject({
      command: expect.stringMatching(/^Z:\\.*node\.exe$/),
      args: expect.arrayContaining(['mcp', 'serve', 'control-plane']),
    });
    expect(existsSync(join(roaming, 'platform-setup', 'config.json'))).toBe(true);

    const status = await setup(['status', '--json']);
    expect(status).toMatchObject({code: 0});
    expect(await setup(['doctor', '--json'])).toMatchObject({code: 0});
    expect(await setup(['mcp', 'disconnect', 'cursor', '--yes'])).toMatchObject({code: 0});
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await setup(['logout'])).toMatchObject({code: 0});
    const credentials = join(local, 'platform-setup', 'credentials.json');
    expect(existsSync(credentials) ? readFileSync(credentials, 'utf8') : '').not.toContain(secret);
    expect(await setup(['status'])).toMatchObject({code: 1});
  });

  test.each([
    ['for a moment', 1_500, 0],
    ['for as long as it likes', 60_000, 6],
  ])('a file that another program has open %s', async (_name, ms, expected) => {
    const {setup, start, home, node} = windowsMachine();
    const {ready, flags} = await platformForTest();
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const file = join(home, '.cursor', 'mcp.json');
    const [holds, held] = [join(home, 'hold.cjs'), join(home, 'held')];
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, '{}');
    const sentence = `const fs = require('fs'); fs.openSync(${JSON.stringify(onWindows(file))}, 'r+');`;
    writeFileSync(
      holds,
      `${sentence} fs.writeFileSync(${JSON.stringify(onWindows(held))}, ''); setTimeout(() => {}, ${ms});`,
    );
    void start(node, [onWindows(holds)]);
    await vi.waitFor(() => expect(existsSync(held)).toBe(true), 10_000);

    const account = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
    const to = ['--assistants', 'cursor', '--scope', 'user', '--yes'];
    const {code, stderr} = await setup([...flags, '--sign-in', 'service-account', ...to], account);
    expect({code, stderr}).toMatchObject({code: expected});
    const written = readFileSync(file, 'utf8').includes('control-plane');
    expect(written).toBe(expected === 0);
    if (expected !== 0) expect(stderr).toContain('in use by the system or by another program');
  });
});
