import {copyFileSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {installed} from '../support/cache.ts';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';

const row = rowOf('better-auth');
const packages = [`better-auth@${row.version}`, '@better-auth/oauth-provider@1.7.5'];
const email = 'ann@acme.example';

export const betterAuth: ProviderSetup = {
  row,
  install: () =>
    installed(`${row.id}-${row.version}`, async directory => {
      writeFileSync(join(directory, 'package.json'), '{"private": true}');
      const quietly = ['--legacy-peer-deps', '--no-audit', '--no-fund'];
      await run('npm', ['install', ...quietly, ...packages], {cwd: directory});
    }),
  start: async ({installed: directory, state, port, redirectUri, audience}) => {
    // The server file lies beside the packages that it imports.
    const server = join(directory, 'server.mjs');
    copyFileSync(join(import.meta.dirname, 'better-auth', 'server.mjs'), server);
    const clients = join(state, 'clients.json');
    const given = {port, redirectUri, audience, clients, email, password: ann.password};
    const issuer = `http://127.0.0.1:${port}/api/auth`;
    const program = {command: process.execPath, args: [server], cwd: state, env: {PROVIDER: JSON.stringify(given)}};
    const end = await startProgram(program, issuer);
    const {people, service} = JSON.parse(readFileSync(clients, 'utf8'));
    return {
      ...{issuer, end, clientId: people.client_id},
      service: {clientId: service.client_id, secret: service.client_secret},
    };
  },
  signIn: async page => {
    if (new URL(page.url()).pathname === '/sign-in') {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(ann.password);
      await page.getByRole('button', {name: 'Sign in'}).click();
    }
    await page.waitForURL(({pathname}) => pathname !== '/sign-in');
  },
  consent: {
    allow: page => page.getByRole('button', {name: 'Allow'}).click(),
    deny: page => page.getByRole('button', {name: 'Deny'}).click(),
  },
};
