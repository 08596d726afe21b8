import {describe} from 'vitest';
import type {Client} from './clients.ts';
import {type Installed, install} from './install.ts';

/** Runs the tests of a client. If it cannot be installed or started, they are skipped, and their title says why. */
export const describeClient = async (client: Client, tests: (installed: Installed) => void) => {
  const title = `${client.name} ${client.version}`;
  const result = await install(client);
  if ('missing' in result) describe.skip(`${title}, left out: ${result.missing}`, () => tests({client, bin: ''}));
  else describe(title, () => tests(result));
};
