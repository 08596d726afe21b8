import {generateKeyPairSync} from 'node:crypto';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onPath} from '../../cluster/support/tools.ts';
import type {Place, ProviderSetup} from '../support/describe-provider.ts';
import {run, startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';

const row = rowOf('lemonldap-ng');
/** The portal of LemonLDAP::NG, with the scripts of its pages, which a web server usually serves. */
const application = `
use Plack::Builder;
use Lemonldap::NG::Portal::Main;
builder {
  enable 'Static', path => qr{^/static/}, root => '/usr/share/lemonldap-ng/portal/htdocs';
  enable 'Static', path => sub { s{^/javascript/}{} }, root => '/usr/share/javascript';
  Lemonldap::NG::Portal::Main->run({});
};
`;

/** Other modules that it needs, which Debian only recommends. */
const needed = ['Lemonldap::NG::Portal::Issuer::OpenIDConnect', 'Apache::Session::File', 'GD::SecurityImage'];

const templates = '/usr/share/lemonldap-ng/portal/templates';

/** A person of its demonstration. */
const person = {username: 'dwho', password: 'dwho'} as const;

/** Returns its configuration, by the names that its manager writes. */
const configuration = ({state, port, clientId, redirectUri, audience, service}: Place) => {
  const {privateKey, publicKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
  const issuer = `http://127.0.0.1:${port}/`;
  const client = {
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsAccessTokenJWT: 1,
    oidcRPMetaDataOptionsAccessTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsAdditionalAudiences: audience,
    oidcRPMetaDataOptionsBypassConsent: 0,
  };
  const sessions = {Directory: join(state, 'sessions'), LockDirectory: join(state, 'locks')};
  const storage = {...sessions, generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256'};
  return {
    ...{cfgNum: 1, cfgAuthor: 'test', cfgDate: 1, cfgVersion: row.version, key: 'of-a-test'},
    ...{portal: issuer, domain: '127.0.0.1', cookieName: 'lemonldap', securedCookie: 0, requireToken: 0},
    ...{authentication: 'Demo', userDB: 'Same', passwordDB: 'Null', registerDB: 'Null', portalCheckLogins: 0},
    ...{globalStorage: 'Apache::Session::File', globalStorageOptions: storage},
    ...{issuerDBOpenIDConnectActivation: 1, issuerDBOpenIDConnectPath: '^/oauth2/', issuerDBOpenIDConnectRule: 1},
    ...{demoExportedVars: {cn: 'cn', mail: 'mail', uid: 'uid'}, exportedVars: {}, locationRules: {}},
    oidcServiceMetaDataIssuer: issuer,
    oidcServicePrivateKeySig: privateKey.export({type: 'pkcs8', format: 'pem'}),
    oidcServicePublicKeySig: publicKey.export({type: 'spki', format: 'pem'}),
    oidcServiceKeyIdSig: 'one',
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcRPMetaDataExportedVars: {cli: {email: 'mail', preferred_username: 'uid'}, ci: {}},
    oidcRPMetaDataOptions: {
      cli: {
        ...client,
        oidcRPMetaDataOptionsClientID: clientId,
        oidcRPMetaDataOptionsPublic: 1,
        oidcRPMetaDataOptionsRequirePKCE: 1,
        oidcRPMetaDataOptionsRefreshToken: 1,
        oidcRPMetaDataOptionsRedirectUris: redirectUri,
      },
      ci: {
        ...client,
        oidcRPMetaDataOptionsClientID: service.clientId,
        oidcRPMetaDataOptionsClientSecret: service.secret,
        oidcRPMetaDataOptionsAllowClientCredentialsGrant: 1,
      },
    },
  };
};

export const lemonldapNg: ProviderSetup = {
  row,
  install: async () => {
    const modules = needed.map(name => `-M${name}`);
    const isThere = await run('perl', [...modules, '-e', '1']).then(
      () => onPath('plackup') !== undefined && existsSync(templates),
      () => false,
    );
    if (isThere) return {directory: '/usr'};
    return {
      missing:
        'there is no LemonLDAP::NG with what its portal needs (Debian: liblemonldap-ng-portal-perl, libplack-perl, libstring-random-perl, libgd-securityimage-perl)',
    };
  },
  start: async place => {
    const {state, port} = place;
    for (const name of ['conf', 'sessions', 'locks', 'cache']) mkdirSync(join(state, name));
    writeFileSync(join(state, 'conf', 'lmConf-1.json'), JSON.stringify(configuration(place)));
    const file = join(state, 'lemonldap-ng.ini');
    const ini = [
      ...['[all]', 'logger = Lemonldap::NG::Common::Logger::Std', 'logLevel = warn'],
      ...['[configuration]', 'type = File', `dirName = ${join(state, 'conf')}`],
      ...['[portal]', `templateDir = ${templates}`, 'staticPrefix = /static', 'languages = en', 'requireToken = 0'],
    ];
    writeFileSync(file, `${ini.join('\n')}\n`);
    const app = join(state, 'app.psgi');
    writeFileSync(app, application);
    const issuer = `http://127.0.0.1:${port}/`;
    const env = {LLNG_DEFAULTCONFFILE: file};
    const args = ['--host', '127.0.0.1', '--port', String(port), '--env', 'production', app];
    return {issuer, end: await startProgram({command: 'plackup', args, cwd: state, env}, issuer)};
  },
  signIn: async page => {
    await page.locator('[name=user]').fill(person.username);
    await page.locator('[name=password]').fill(person.password);
    await page.locator('[type=submit]').first().click();
    await page.waitForLoadState();
  },
  consent: {
    allow: page => page.locator('button.positive').click(),
    deny: page => page.locator('#refuse').click(),
  },
};
