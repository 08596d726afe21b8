import {readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {portsIn, temporaryDirectory} from '../../support/place.ts';

test('the journal keeps the old bytes for its owner only, without the tokens that are ours', async () => {
  const home = await temporaryDirectory();
  const {files} = portsIn(home);
  const path = join(home, 'mcp.json');
  await writeFile(path, '{"a": "Bearer our-token", "b": "Bearer their-token"}');

  await files.write(path, '{}', {mode: 0o600, journal: true, hidden: ['our-token']});

  const [name = ''] = await readdir(join(home, 'journal'));
  const entry = JSON.parse(await readFile(join(home, 'journal', name), 'utf8'));
  expect(entry).toMatchObject({path, before: {text: '{"a": "Bearer <access token>", "b": "Bearer their-token"}'}});
  expect((await stat(join(home, 'journal', name))).mode & 0o777).toBe(0o600);
});
