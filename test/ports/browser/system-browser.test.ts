import {readFile, writeFile} from 'node:fs/promises';
import {delimiter, join, relative} from 'node:path';
import {expect, test} from 'vitest';
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
