import {EventEmitter} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {delimiter, join, relative} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createBrowser} from '../../../src/ports/browser/system-browser.ts';
import {temporaryDirectory} from '../../support/place.ts';

test.each([
  [{SSH_CONNECTION: '192.0.2.7 53122 198.51.100.4 22', USER: 'ann'}, 'ann@198.51.100.4'],
  [{SSH_CONNECTION: '192.0.2.7 53122 198.51.100.4 2222', USER: 'ann'}, '-p 2222 ann@198.51.100.4'],
])('over SSH, the way back to this machine (%#)', (env, destination) => {
  expect(createBrowser(env).obstacle()).toEqual({kind: 'ssh', from: '192.0.2.7', destination});
});

test('an SSH_CLIENT alone tells where the person is, and no name of this machine', () => {
  const obstacle = createBrowser({SSH_CLIENT: '192.0.2.7 53122 22', USER: 'ann'}).obstacle();
  expect(obstacle).toEqual({kind: 'ssh', from: '192.0.2.7', destination: expect.stringMatching(/^ann@.*\D/)});
});

test.runIf(process.platform === 'linux')(
  'the opener is the one on PATH, and none of the working directory',
  async () => {
    const directory = await temporaryDirectory();
    const opened = join(directory, 'opened');
    await writeFile(join(directory, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, {mode: 0o755});
    const address = 'https://idp.acme.example/authorize?state=1';
    expect(
      await createBrowser({PATH: ['', '.', relative(process.cwd(), directory)].join(delimiter)}).open(address),
    ).toBe(false);
    expect(await createBrowser({PATH: directory}).open(address)).toBe(true);
    expect(await readFile(opened, 'utf8')).toBe(`${address}\n`);
  },
);

describe('an opener', () => {
  const address = 'https://idp.acme.example/authorize?state=1&nonce=2';
  const wsl = {WSL_DISTRO_NAME: 'Ubuntu', PATH: ''};

  /** A process that ended with this code before the caller listened for that, as PowerShell does. */
  const ended = (exitCode: number | null) => Object.assign(new EventEmitter(), {exitCode});

  test.each([
    ['on Windows', 'win32', {}],
    ['in WSL', 'linux', wsl],
  ] as const)('%s has opened what it ended well with, and is believed at once', async (_name, platform, env) => {
    const asked: string[] = [];
    const open = (code: number) =>
      createBrowser(env, {
        platform,
        start: async url => {
          asked.push(url);
          return ended(code);
        },
        timeouts: [60_000, 60_000],
      }).open(address);
    expect(await open(0)).toBe(true);
    expect(await open(1)).toBe(false);
    expect(asked).toEqual([address, address]);
  });

  test('that cannot be started has opened nothing', async () => {
    const start = async () => {
      throw new Error('spawn powershell.exe ENOENT');
    };
    expect(await createBrowser(wsl, {platform: 'linux', start}).open(address)).toBe(false);
  });

  test('of Windows that does not end has opened nothing, as far as anybody knows', async () => {
    const start = () => new Promise<never>(() => {});
    expect(await createBrowser({}, {platform: 'win32', start, timeouts: [1, 60_000]}).open(address)).toBe(false);
  });

  test('of macOS that ends later is waited for', async () => {
    const child = ended(null);
    const start = async () => {
      setImmediate(() => child.emit('exit', 1));
      return child;
    };
    const timeouts = [1, 60_000] as const;
    expect(await createBrowser({}, {platform: 'darwin', start, timeouts}).open(address)).toBe(false);
  });

  test('of macOS that still runs has opened something', async () => {
    const start = async () => ended(null);
    expect(await createBrowser({}, {platform: 'darwin', start, timeouts: [60_000, 1]}).open(address)).toBe(true);
  });
});
