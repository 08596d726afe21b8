import {describe, expect, test} from 'vitest';
import {jsonLines} from '../e2e/support/run.ts';
import {machine} from './support/machine.ts';
import {missing} from './support/missing.ts';

const NAMED = /cannot open more files \(EMFILE\)|too many files open \(ulimit -n\)/;

describe.skipIf(missing() !== undefined)('a limit of the system’s', () => {
  test.each([22, 26, 28, 32])('%i open files: each command ends well, or names it', async files => {
    const {setUp, run} = await machine();
    expect((await setUp()).code).toBe(0);
    for (const args of [['status'], ['token', '--renew'], ['mcp', 'tools', 'control-plane'], ['doctor', '--json']]) {
      const {code, stdout, stderr} = await run(args, {script: `ulimit -n ${files}`});
      const isNamed = NAMED.test(stderr) || stdout.includes('"local-limit-reached"');
      expect({args, code, isNamed, stderr}).toMatchObject(
        // A warning may come with work that was done, such as a renewal that could not be saved.
        code === 0 ? {} : {code: 6, isNamed: true, stderr: expect.not.stringContaining(' at ')},
      );
    }
  });
});

describe.skipIf(missing() !== undefined)('a disk that fills up with what is printed', () => {
  /** Sends the output to a disk with room for so many bytes, and prints it from there afterwards. */
  const withRoom = (bytes: number) =>
    [
      'mount -t tmpfs -o size=64k none "$VOLUME"',
      `head -c $((65536 - ${bytes})) /dev/zero > "$VOLUME/other"`,
      'exec > "$VOLUME/out"',
    ].join(' && ');

  test.each([0, 4096])('--json with room for %i bytes never ends well without its last line', async bytes => {
    const {run, setUp} = await machine();
    expect((await setUp()).code).toBe(0);
    const {code, stderr} = await run(['doctor', '--json'], {script: withRoom(bytes)});
    expect({code, stderr}).toEqual({
      code: 6,
      stderr: expect.stringMatching(/^Standard output could not be written: the disk is full\.[^\n]*\nMore: [^\n]*\n$/),
    });
    const whole = await run(['doctor', '--json']);
    expect(jsonLines(whole.stdout).at(-1)).toMatchObject({type: 'done'});
    expect(whole.stdout.length).toBeGreaterThan(bytes);
  });
});

describe.skipIf(missing() !== undefined)('a disk that is full', () => {
  test('is told by doctor, and before a sign-in rather than after it', async () => {
    const {run, setUp, login} = await machine();
    expect((await setUp()).code).toBe(0);
    const script = [
      'own="$HOME/.config/platform-setup"',
      'cp -a "$own" "$VOLUME/own"',
      'mount -t tmpfs -o size=256k none "$own"',
      'cp -a "$VOLUME/own/." "$own"',
      'head -c 1000000 /dev/zero > "$own/other" 2> /dev/null || true',
    ].join('\n');
    const doctor = await run(['doctor', '--json'], {script});
    expect(jsonLines(doctor.stdout)).toContainEqual(
      expect.objectContaining({
        id: 'own-files',
        verdict: 'fail',
        sentence: expect.stringContaining('the disk is full'),
      }),
    );
    expect(doctor.code).toBe(6);
    const {code, stdout, stderr} = await login({script});
    expect({code, stderr}).toEqual({code: 6, stderr: expect.stringContaining('the disk is full')});
    expect(stdout).not.toContain('Signed in as');
  });
});
