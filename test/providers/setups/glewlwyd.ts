import {generateKeyPairSync} from 'node:crypto';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {gunzipSync} from 'node:zlib';
import {onPath} from '../../cluster/support/tools.ts';
import {ann, type Place, type ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';

const row = rowOf('glewlwyd');

/** Glewlwyd's initial tables from Debian, and the account of the administrator in them. */
const tables = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz';
const administrator = {username: 'admin', password: 'password'} as const;

/** Debian's sample of Glewlwyd's configuration. `configuration` changes the settings that differ here. */
const sample = '/usr/share/doc/glewlwyd/glewlwyd.conf.sample.gz';

const configuration = (state: string, port: number): string => {
  const settings = {
    port: String(port),
    external_url: `"http://127.0.0.1:${port}"`,
    static_files_path: `"${join(state, 'webapp')}/"`,
    cookie_domain: '"127.0.0.1"',
    cookie_secure: '0',
    path: `"${join(state, 'glewlwyd.db')}"`,
  };
  return Object.entries(settings).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^(\\s*${name}\\s*=).*$`, 'm'), `$1 ${value}`),
    readCompressed(sample),
  );
};

const readCompressed = (path: string): string => gunzipSync(readFileSync(path)).toString();

/** Sets up through the API what an administrator would: the plugin, a scope, a person and two clients. */
const setUp = async ({port, clientId, redirectUri, audience, service}: Place) => {
  const api = `http://127.0.0.1:${port}/api`;
  const send = async (path: string, body: object, cookie = '') => {
    const headers = {'Content-Type': 'application/json', ...(cookie === '' ? {} : {Cookie: cookie})};
    const answer = await fetch(`${api}${path}`, {method: 'POST', headers, body: JSON.stringify(body)});
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const cookie = (await send('/auth/', administrator)).headers.getSetCookie().map(one => one.split(';')[0]);
  const add = (path: string, body: object) => send(path, body, cookie.join('; '));
  const {privateKey, publicKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
  const parameters = {
    ...{iss: `${api}/oidc`, 'jwt-type': 'rsa', 'jwt-key-size': '256'},
    key: privateKey.export({type: 'pkcs1', format: 'pem'}),
    cert: publicKey.export({type: 'spki', format: 'pem'}),
    ...{'access-token-duration': 3600, 'refresh-token-duration': 1_209_600, 'code-duration': 600},
    ...{'refresh-token-rolling': true, 'refresh-token-one-use': 'always', 'subject-type': 'public'},
    ...{'auth-type-code-enabled': true, 'auth-type-client-enabled': true, 'auth-type-refresh-enabled': true},
    ...{'allow-non-oidc': true, 'pkce-allowed': true, 'email-claim': 'on-demand', 'email-claim-scope': ['email']},
    ...{'resource-allowed': true, 'resource-scope': Object.fromEntries(scopes.map(scope => [scope, [audience]]))},
  };
  await add('/mod/plugin/', {module: 'oidc', name: 'oidc', display_name: 'OpenID Connect', parameters});
  for (const name of scopes.slice(1)) {
    await add('/scope/', {name, display_name: name, password_required: true, password_max_age: 0});
  }
  const person = {...ann, name: 'Ann', email: 'ann@acme.example', scope: [...scopes], enabled: true};
  await add('/user/', person);
  const known = {enabled: true, scope: [...scopes]};
  await add('/client/', {
    ...{...known, client_id: clientId, name: 'CLI', confidential: false, redirect_uri: [redirectUri]},
    ...{authorization_type: ['code', 'refresh_token'], token_endpoint_auth_method: ['none']},
  });
  await add('/client/', {
    ...{...known, client_id: service.clientId, name: 'CI', confidential: true, client_secret: service.secret},
    ...{authorization_type: ['client_credentials'], token_endpoint_auth_method: ['client_secret_basic']},
  });
};

const scopes = ['openid', 'profile', 'email', 'platform'] as const;

export const glewlwyd: ProviderSetup = {
  row,
  install: async () =>
    onPath('glewlwyd') !== undefined && existsSync(tables)
      ? {directory: '/usr'}
      : {missing: 'there is no glewlwyd with its documentation (Debian: glewlwyd)'},
  start: async place => {
    const {state, port} = place;
    const database = new DatabaseSync(join(state, 'glewlwyd.db'));
    database.exec(readCompressed(tables));
    database.close();
    // Glewlwyd serves no link that leads out of its directory, and Debian's scripts are such links.
    await run('cp', ['-rL', '/usr/share/glewlwyd/webapp', join(state, 'webapp')]);
    // In Debian a directory has the name of this settings file.
    const settings = readFileSync(join('/usr/share/glewlwyd', 'templates', 'config.json'));
    rmSync(join(state, 'webapp', 'config.json'), {recursive: true});
    writeFileSync(join(state, 'webapp', 'config.json'), settings);
    const config = join(state, 'glewlwyd.conf');
    writeFileSync(config, configuration(state, port));
    const issuer = `http://127.0.0.1:${port}/api/oidc`;
    const program = {command: 'glewlwyd', args: ['--config-file', config], cwd: state};
    const end = await startProgram(program, issuer, `http://127.0.0.1:${port}/config/`);
    await setUp(place);
    return {issuer, end};
  },
  signIn: async page => {
    const name = page.locator('#username');
    await name.fill(ann.username);
    await page.locator('#password').fill(ann.password);
    await page.locator('#password').press('Enter');
    await page.locator('#username').waitFor({state: 'detached'});
  },
  consent: {
    allow: async page => {
      const [grant, go] = ['Grant access', 'Continue'].map(name => page.getByRole('button', {name}));
      await go?.waitFor();
      if (await grant?.isVisible()) {
        for (const box of await page.locator('input[type=checkbox]:enabled').all()) await box.check();
        await grant?.click();
        await grant?.waitFor({state: 'detached'});
      }
      await go?.click();
    },
    // No other button leads back to the client.
    deny: page => page.getByRole('button', {name: 'Continue'}).click(),
  },
};
