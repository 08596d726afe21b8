import {join} from 'node:path';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';

const row = rowOf('oidc-provider');
const server = join(import.meta.dirname, 'oidc-provider', 'server.mjs');

/** The library that the sandbox is built on, as it is: without the sandbox's own behaviour. */
export const oidcProvider: ProviderSetup = {
  row,
  install: async () => ({directory: import.meta.dirname}),
  start: async ({state, installed: _, ...given}) => {
    const issuer = `http://127.0.0.1:${given.port}`;
    const env = {PROVIDER: JSON.stringify(given)};
    return {issuer, end: await startProgram({command: process.execPath, args: [server], cwd: state, env}, issuer)};
  },
  signIn: async page => {
    // A browser that is signed in already gets the page of consent.
    if ((await page.locator('[name=login]').count()) === 0) return;
    await page.locator('[name=login]').fill(ann.username);
    await page.locator('[name=password]').fill(ann.password);
    await page.locator('[type=submit]').click();
    await page.waitForLoadState();
  },
  consent: {
    allow: page => page.locator('[type=submit]').click(),
    deny: page => page.getByRole('link', {name: /cancel/i}).click(),
  },
};
