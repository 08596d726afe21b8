import {delimiter, join} from 'node:path';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';
import {installLibraries} from './maven.ts';

const row = rowOf('spring-authorization-server');
const boot = {group: 'org.springframework.boot', artifact: 'spring-boot-starter-parent', version: '3.5.6'};
const starter = {group: 'org.springframework.boot', artifact: 'spring-boot-starter-oauth2-authorization-server'};
const source = join(import.meta.dirname, 'spring', 'Provider.java');

const classes = (installed: string) => join(installed, 'lib', '*');

export const springAuthorizationServer: ProviderSetup = {
  row,
  install: () => installLibraries(`${row.id}-${row.version}`, [starter], boot),
  start: async ({installed, state, port, clientId, redirectUri, audience, service}) => {
    await run('javac', ['-parameters', '-cp', classes(installed), '-d', state, source]);
    const issuer = `http://127.0.0.1:${port}`;
    const env = {
      ...{SERVER_PORT: String(port), SERVER_ADDRESS: '127.0.0.1'},
      SPRING_SECURITY_OAUTH2_AUTHORIZATIONSERVER_ISSUER: issuer,
      ...{PROVIDER_USERNAME: ann.username, PROVIDER_PASSWORD: ann.password},
      ...{PROVIDER_CLIENT: clientId, PROVIDER_REDIRECT: redirectUri, PROVIDER_AUDIENCE: audience},
      ...{PROVIDER_SERVICE: service.clientId, PROVIDER_SECRET: service.secret},
    };
    const args = ['-cp', [state, classes(installed)].join(delimiter), 'provider.Provider'];
    return {issuer, end: await startProgram({command: 'java', args, cwd: state, env}, issuer)};
  },
  signIn: async page => {
    await page.getByLabel('Username').fill(ann.username);
    await page.getByLabel('Password').fill(ann.password);
    await page.getByRole('button', {name: 'Sign in'}).click();
    await page.waitForURL(({pathname}) => pathname !== '/login');
  },
  consent: {
    allow: async page => {
      for (const scope of ['profile', 'email']) await page.locator(`#${scope}`).check();
      await page.getByRole('button', {name: 'Submit Consent'}).click();
    },
    deny: page => page.getByRole('button', {name: 'Cancel'}).click(),
  },
};
