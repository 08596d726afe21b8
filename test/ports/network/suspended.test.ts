import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {serve} from '../../support/server.ts';

const program = fileURLToPath(new URL('support/call-process.ts', import.meta.url));

/** The deadline of a call, in milliseconds. */
const TIME = 400;

/** Makes a call in a process that is stopped when its request has arrived, and continued long after its deadline. */
const stopped = async (kind: string, answers: boolean) => {
  const origin = await serve((_request, response) => {
    child.kill('SIGSTOP');
    if (answers) response.end('the answer');
    // The test is about a process that is stopped for longer than its deadline.
    void delay(2 * TIME).then(() => child.kill('SIGCONT'));
  });
  const child = spawn(process.execPath, [program, kind, origin, String(TIME)], {stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  await once(child, 'close');
  return said.trim();
};

describe.skipIf(process.platform === 'win32').each(['whole', 'stream'])('a %s call of a stopped process', kind => {
  test('has the answer that arrived in its absence', async () => {
    expect(await stopped(kind, true)).toBe('the answer');
  });

  test('fails as late where none did', async () => {
    expect(await stopped(kind, false)).toContain('did not answer in time');
  });
});
