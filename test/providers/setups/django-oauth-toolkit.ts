import {generateKeyPairSync} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';
import {installPackages} from './python.ts';

const row = rowOf('django-oauth-toolkit');
const project = join(import.meta.dirname, 'django');

export const djangoOAuthToolkit: ProviderSetup = {
  row,
  install: () => installPackages(`${row.id}-${row.version}`, [`django-oauth-toolkit==${row.version}`]),
  start: async ({installed, state, port, clientId, redirectUri, service}) => {
    const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
    writeFileSync(join(state, 'key.pem'), privateKey.export({type: 'pkcs8', format: 'pem'}));
    const issuer = `http://127.0.0.1:${port}/o`;
    const python = join(installed, 'bin', 'python');
    const env = {
      PROVIDER_STATE: state,
      PROVIDER_ISSUER: issuer,
      DJANGO_SETTINGS_MODULE: 'settings',
      PYTHONPATH: project,
    };
    const given = {...ann, clientId, redirectUri, serviceId: service.clientId, secret: service.secret};
    await withInput(python, [join(project, 'prepare.py')], {...process.env, ...env}, JSON.stringify(given));
    const args = ['-m', 'django', 'runserver', '--noreload', `127.0.0.1:${port}`];
    return {issuer, end: await startProgram({command: python, args, cwd: state, env}, issuer)};
  },
  signIn: async page => {
    await page.getByLabel('Username').fill(ann.username);
    await page.getByLabel('Password').fill(ann.password);
    await page.getByRole('button', {name: 'Log in'}).click();
    await page.waitForURL(({pathname}) => pathname.startsWith('/o/authorize'));
  },
  consent: {
    allow: page => page.getByRole('button', {name: 'Authorize'}).click(),
    deny: page => page.getByRole('button', {name: 'Cancel'}).click(),
  },
};

const withInput = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv, input: string) => {
  const running = run(command, args, {env});
  running.child.stdin?.end(input);
  await running;
};
