import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {storeIn} from '../e2e/support/store.ts';
import {machine} from './support/machine.ts';
import {missing} from './support/missing.ts';

/** A file of the host, mounted as in a container. */
const mounted = 'touch "$VOLUME/claude.json" && mount --bind "$VOLUME/claude.json" "$HOME/.claude.json"';

describe.skipIf(missing() !== undefined)('a file that is mounted by itself', () => {
  test('is written in place, and undo gives it back', async () => {
    const {setUp, run, volume, claude} = await machine();
    const [host, former] = [join(volume, 'claude.json'), '{"host": true, "more": "than there was"}\n'];
    writeFileSync(host, former);
    expect(await setUp({script: mounted})).toMatchObject({code: 0, stderr: ''});
    expect(JSON.parse(readFileSync(host, 'utf8'))).toMatchObject({host: true, mcpServers: expect.any(Object)});
    const list = await run(['mcp', 'list'], {script: mounted});
    expect(list.stdout.match(/auto-renewed/g)).toHaveLength(4);
    expect(await run(['undo', '--yes'], {script: mounted})).toMatchObject({code: 0, stderr: ''});
    expect(readFileSync(host, 'utf8')).toBe(former);
    // The file under the mount was not touched.
    expect(readFileSync(claude, 'utf8')).toBe('{"numStartups": 12}\n');
  });

  test('and cannot be written is told before any entry is, and the sign-in is kept', async () => {
    const {setUp, volume, home} = await machine();
    writeFileSync(join(volume, 'claude.json'), '{}');
    const script = `${mounted} && mount -o remount,ro,bind "$HOME/.claude.json"`;
    const {code, stderr} = await setUp({script});
    expect({code, stderr}).toEqual({
      code: 6,
      stderr: expect.stringMatching(/\.claude\.json was not written: the file system is read-only\./),
    });
    const [context, ...others] = storeIn(join(home, '.config', 'platform-setup')).contexts();
    expect(context).toMatchObject({signIn: 'mcp-client'});
    expect(context).not.toHaveProperty('entries');
    expect(others).toEqual([]);
  });

  test('and can be written in a home that cannot', async () => {
    const {setUp, run, volume, home} = await machine();
    writeFileSync(join(volume, 'claude.json'), '{}');
    mkdirSync(join(volume, 'setup'));
    const readOnly = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME"';
    const env = {SETUP_HOME: join(volume, 'setup')};
    const script = `${readOnly} && ${mounted}`;
    expect(await setUp({script, env}, '--assistants', 'claude-code')).toMatchObject({code: 0, stderr: ''});
    expect((await run(['mcp', 'list'], {script, env})).stdout.match(/auto-renewed/g)).toHaveLength(2);
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  test('may be this program’s own', async () => {
    const {login, run, volume, home} = await machine();
    const directory = join(home, '.config', 'platform-setup');
    mkdirSync(directory, {recursive: true, mode: 0o700});
    const empty = {'config.json': '{"version":1,"contexts":[]}', 'credentials.json': '{"version":1,"credentials":[]}'};
    const lines = Object.entries(empty).map(([name, text]) => {
      for (const place of [volume, directory]) writeFileSync(join(place, name), text, {mode: 0o600});
      return `mount --bind "$VOLUME/${name}" "${directory}/${name}"`;
    });
    const script = lines.join(' && ');
    expect(await login({script})).toMatchObject({code: 0, stderr: ''});
    const kept = storeIn(volume);
    expect(kept.contexts()).toHaveLength(1);
    const {accessToken} = kept.only();
    kept.expire();
    expect(await run(['token'], {script})).toMatchObject({code: 0, stderr: ''});
    expect(kept.only().accessToken).not.toBe(accessToken);
    expect(readFileSync(join(directory, 'config.json'), 'utf8')).toBe(empty['config.json']);
  });
});
