import {copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onPath} from '../../cluster/support/tools.ts';
import {installed} from '../support/cache.ts';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';

const row = rowOf('zitadel-oidc');

/** The users file of the example server. */
const users = {
  'ann-id': {
    ...{ID: 'ann-id', Username: ann.username, Password: ann.password, FirstName: 'Ann', LastName: 'Example'},
    ...{Email: 'ann@acme.example', EmailVerified: true},
  },
};

export const zitadelOidc: ProviderSetup = {
  row,
  install: async () => {
    if (onPath('go') === undefined) return {missing: 'Go is not on PATH'};
    return installed(`${row.id}-${row.version}`, async directory => {
      copyFileSync(join(import.meta.dirname, 'zitadel', 'main.go'), join(directory, 'main.go'));
      const go = (...args: readonly string[]) => run('go', args, {cwd: directory});
      await go('mod', 'init', 'provider');
      await go('get', `github.com/zitadel/oidc/v3@v${row.version}`);
      await go('mod', 'tidy');
      await go('build', '-o', 'provider', '.');
    });
  },
  start: async ({installed: directory, state, port, clientId, redirectUri}) => {
    const usersFile = join(state, 'users.json');
    writeFileSync(usersFile, JSON.stringify(users));
    const issuer = `http://127.0.0.1:${port}/`;
    const args = [`127.0.0.1:${port}`, clientId, redirectUri, usersFile];
    const end = await startProgram({command: join(directory, 'provider'), args, cwd: state}, issuer);
    // The only service user of the example server.
    return {issuer, end, service: {clientId: 'sid1', secret: 'verysecret'}};
  },
  signIn: async page => {
    await page.getByLabel('Username').fill(ann.username);
    await page.getByLabel('Password').fill(ann.password);
    await page.getByRole('button', {name: 'Login'}).click();
  },
};
