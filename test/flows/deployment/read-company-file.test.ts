import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {judgeCompanyFile, readCompanyFile} from '../../../src/flows/deployment/find-company-file.ts';
import {collect} from '../../support/flows.ts';
import {temporaryDirectory, temporaryPorts} from '../../support/place.ts';
import {json, serve, serveRoutes, text} from '../../support/server.ts';

const acme = {schemaVersion: 1, name: 'Acme', baseDomain: 'acme.localhost', extends: 'bundled'};
const version = '0.1.0';

const read = async (source: string) =>
  (await collect(readCompanyFile, {source, version}, await temporaryPorts())).result;

const fileWith = async (contents: string) => {
  const path = join(await temporaryDirectory(), 'platform-setup.json');
  await writeFile(path, contents);
  return path;
};

describe('a company file that is named', () => {
  test('is read from a path', async () => {
    const source = await fileWith(`\uFEFF${JSON.stringify(acme)}`);
    expect(await read(source)).toMatchObject({source, company: {name: 'Acme'}});
  });

  test('is read from an address', async () => {
    const source = `${await serveRoutes({'/file.json': json(acme)})}/file.json`;
    expect(await read(source)).toMatchObject({source, company: {name: 'Acme'}});
  });

  test.each([
    ['not JSON', '{', 'input-company-file-syntax'],
    ['a list', '[]', 'input-company-file-syntax'],
    ['too large', JSON.stringify({...acme, contact: 'x'.repeat(70_000)}), 'input-company-file-large'],
    ['wrong', JSON.stringify({...acme, colour: 1}), 'input-company-file-field'],
  ])('and is %s is refused, wherever it lies', async (_what, contents, code) => {
    const path = await fileWith(contents);
    await expect(read(path)).rejects.toMatchObject({code, about: {path}});
    const origin = await serveRoutes({'/file.json': text(contents)});
    await expect(read(`${origin}/file.json`)).rejects.toMatchObject({code, about: {url: `${origin}/file.json`}});
  });

  test('and is not there is refused', async () => {
    const code = 'input-company-file-missing';
    await expect(read('/nowhere/platform-setup.json')).rejects.toMatchObject({code});
    await expect(read(`${await serveRoutes({})}/file.json`)).rejects.toMatchObject({code});
  });

  test('and is elsewhere is not followed', async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end(JSON.stringify(acme));
    });
    const origin = await serve((_, response) => response.writeHead(302, {Location: `${other}/file.json`}).end());
    await expect(read(`${origin}/file.json`)).rejects.toMatchObject({code: 'input-company-file-redirect'});
    expect(asked).toBe(0);
  });

  test('over plain http on another machine is not asked for', async () => {
    await expect(read('http://acme.example/file.json')).rejects.toMatchObject({code: 'network-insecure'});
  });

  test('has all its faults told, in texts that can be shown', async () => {
    const source = await fileWith(JSON.stringify({...acme, 'a\u001B[2J': 1, secret: 'canary'}));
    const {result} = await collect(judgeCompanyFile, {source, version}, await temporaryPorts());
    if (!('faults' in result)) throw new Error('It has faults.');
    expect(result.faults).toHaveLength(3);
    expect(JSON.stringify(result.faults)).not.toMatch(/\\u001b|canary/);
    await expect(read(source)).rejects.toMatchObject({message: expect.stringContaining('and 2 more faults.')});
  });
});
