import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {machine} from './support/machine.ts';
import {missing} from './support/missing.ts';

describe.skipIf(missing('bindfs') !== undefined)('a file system that lets no mode and no owner be set', () => {
  test('is used', async () => {
    const {setUp, run, claude} = await machine();
    const script = 'bindfs --chmod-deny --chown-deny "$HOME" "$HOME"';
    expect(await setUp({script})).toMatchObject({code: 0, stderr: ''});
    expect(readFileSync(claude, 'utf8')).toContain('control-plane');
    expect(await run(['token'], {script})).toMatchObject({code: 0, stderr: ''});
    expect(await run(['undo', '--yes'], {script})).toMatchObject({code: 0, stderr: ''});
    expect(readFileSync(claude, 'utf8')).toBe('{"numStartups": 12}\n');
  });
});
