import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {describeHolder, findPortHolder} from '../../../src/ports/browser/port-holder.ts';
import {createProcesses} from '../../../src/ports/processes/processes.ts';
import {temporaryDirectory} from '../../support/place.ts';

test.runIf(process.platform === 'linux')('the holder of a port is named; a free port has none', async () => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as {port: number};
  expect(await findPortHolder(port, createProcesses({}))).toMatchObject({pid: process.pid});
  await new Promise(resolve => server.close(resolve));
  expect(await findPortHolder(port, createProcesses({}))).toBeUndefined();
});

test.runIf(process.platform === 'linux').each([
  ['platform-setup', ['login'], /^this program in another window \(process \d+\)$/],
  ['platform-setup', ['mcp', 'serve', 'x'], /^a sign-in that an assistant started \(process \d+\)$/],
  ['another-program', ['login'], /^\S*node\S* \(process \d+\)$/],
])('another window of this program is told from another program: %s %s', async (name, words, said) => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'bin'));
  await writeFile(join(directory, 'package.json'), JSON.stringify({name}));
  const listen =
    "require('node:net').createServer().listen(0, '127.0.0.1', function () {console.log(this.address().port)})";
  await writeFile(join(directory, 'bin', 'setup.js'), listen);
  const child = spawn(process.execPath, [join(directory, 'bin', 'setup.js'), ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(child.stdout, 'data');
  expect(describeHolder(await findPortHolder(Number(port), createProcesses({})))).toMatch(said);
});

test('a holder that nobody knows is another program', () => {
  expect(describeHolder(undefined)).toBe('another program');
});
