import {generateKeyPairSync} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';
import {installPackages} from './python.ts';

const row = rowOf('canaille');

const configuration = (state: string, authority: string) => {
  const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
  const {kty, n, e, d, p, q, dp, dq, qi} = privateKey.export({format: 'jwk'});
  const key = Object.entries({kty, n, e, d, p, q, dp, dq, qi, kid: 'one', alg: 'RS256', use: 'sig'});
  return [
    'SECRET_KEY = "of-a-test"',
    `SERVER_NAME = "${authority}"`,
    'PREFERRED_URL_SCHEME = "http"',
    '[CANAILLE]',
    'DATABASE = "sql"',
    '[CANAILLE_SQL]',
    `DATABASE_URI = "sqlite:///${join(state, 'canaille.sqlite')}"`,
    '[CANAILLE_OIDC]',
    // Canaille trusts a client whose page is on loopback, and would not ask for consent.
    'TRUSTED_DOMAINS = []',
    `ACTIVE_JWKS = [{${key.map(([name, value]) => `${name} = "${value}"`).join(', ')}}]`,
  ].join('\n');
};

export const canaille: ProviderSetup = {
  row,
  install: () => installPackages(`${row.id}-${row.version}`, [`canaille[front,oidc,server,sqlite]==${row.version}`]),
  start: async ({installed, state, port, clientId, redirectUri, service}) => {
    const authority = `127.0.0.1:${port}`;
    const config = join(state, 'config.toml');
    writeFileSync(config, configuration(state, authority));
    const command = join(installed, 'bin', 'canaille');
    const env = {CANAILLE_CONFIG: config};
    const canaille = (...args: readonly string[]) => run(command, args, {cwd: state, env: {...process.env, ...env}});
    await canaille('install');
    const names = ['--formatted-name', 'Ann Example', '--family-name', 'Example', '--emails', 'ann@acme.example'];
    await canaille('create', 'user', '--user-name', ann.username, '--password', ann.password, ...names);
    await canaille(
      ...['create', 'client', '--client-id', clientId, '--client-name', 'CLI'],
      ...['--redirect-uris', redirectUri, '--token-endpoint-auth-method', 'none', '--response-types', 'code'],
      ...['--grant-types', 'authorization_code', '--grant-types', 'refresh_token'],
      ...['openid', 'profile', 'email'].flatMap(scope => ['--scope', scope]),
    );
    await canaille(
      ...['create', 'client', '--client-id', service.clientId, '--client-name', 'CI'],
      ...['--client-secret', service.secret, '--token-endpoint-auth-method', 'client_secret_basic'],
      ...['--grant-types', 'client_credentials'],
    );
    // ID tokens have the same audience as access tokens, so the audience must contain the client.
    await canaille('set', 'client', clientId, '--audience', clientId);
    const issuer = `http://${authority}`;
    const args = ['run', '--bind', authority];
    return {issuer, end: await startProgram({command, args, cwd: state, env}, issuer)};
  },
  signIn: async page => {
    await page.locator('[name=login]').fill(ann.username);
    await page.locator('[type=submit]').first().click();
    await page.locator('[name=password]').fill(ann.password);
    await page.locator('[type=submit]').first().click();
    await page.waitForURL(({pathname}) => !pathname.includes('/login') && !pathname.includes('/auth/'));
  },
  consent: {
    allow: page => page.locator('[name=answer][value=accept]').click(),
    deny: page => page.locator('[name=answer][value=deny]').click(),
  },
};
