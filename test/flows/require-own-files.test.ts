import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ownFiles} from '../../src/flows/diagnosis/checks/machine-checks.ts';
import {requireOwnFiles} from '../../src/flows/require-own-files.ts';
import {signInClient} from '../../src/flows/sign-in/client-credentials.ts';
import {createClient} from '../../src/flows/sign-in/create-client.ts';
import {signInPerson} from '../../src/flows/sign-in/sign-in-person.ts';
import {collect} from '../support/flows.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';

/** Returns ports whose directory cannot be created because a file is in its place. */
const unwritable = async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'file'), '');
  return portsIn(join(directory, 'file', 'home'));
};

const refused = {code: 'local-write-failed', message: expect.stringContaining('credentials.json was not written')};

test('a directory that cannot be written is said before anybody signs in, and nobody is called', async () => {
  const ports = {...(await unwritable()), http: undefined as never};
  await expect(collect(signInPerson, {} as never, ports)).rejects.toMatchObject(refused);
  await expect(collect(signInClient, {} as never, ports)).rejects.toMatchObject(refused);
  await expect(collect(createClient, {password: 'secret'} as never, ports)).rejects.toMatchObject(refused);
});

test('the diagnosis finds that as well', async () => {
  await expect(ownFiles.run({ports: await unwritable()} as never)).rejects.toMatchObject(refused);
  const directory = await temporaryDirectory();
  expect(await ownFiles.run({ports: portsIn(directory)} as never)).toEqual({
    ...{verdict: 'pass', saw: `${directory} can be written to`},
  });
  await expect(requireOwnFiles(portsIn(directory))).resolves.toBeUndefined();
});
