import {readFileSync} from 'node:fs';
import {createServer, type RequestListener, type Server} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {createInterface} from 'node:readline';
import {faultsInForce} from '../../../src/sandbox/fault-effects.ts';
import {guarded, type Handler, hostRouter} from '../../../src/sandbox/http-server.ts';
import {kinds} from '../../../src/sandbox/platform-kinds.ts';
import {documentedRelease, releases} from '../../../src/sandbox/releases/releases.ts';
import {addressesOf, createServices, type SandboxDeployment} from '../../../src/sandbox/services.ts';
import {defaultValues, externalClientsOf} from '../../../src/sandbox/values.ts';
import {inManner, type Manner} from './manners.ts';
import type {PlatformReady, PlatformSettings} from './platform.ts';

/**
 * Runs the sandbox's services under host names of other machines, on every address of the namespace of this process.
 * Commands arrive as JSON in its argument and as lines of JSON; its reports are lines of JSON as well.
 */
const settings: PlatformSettings = JSON.parse(process.argv[2] ?? '{}');
const {scheme, backendPort, certificate, key, clientAuthority, accessTokenLifetime} = settings;
let manner: Manner = settings.manner;

const tell = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const kind = kinds.bundled;
const port = scheme === 'https' ? 443 : 80;
const deployment: SandboxDeployment = {
  ...{platform: kind.platform, scheme, layout: 'single' as const, baseDomain: 'acme.test'},
  ports: {gateway: port, observer: port},
};
const release = releases[documentedRelease];
const services = await createServices(deployment, {
  externalClients: externalClientsOf(defaultValues(kind.platform)),
  redirectUri: kind.platform.callbackUrl,
  ...(accessTokenLifetime === undefined ? {} : {accessTokenLifetime}),
  ...{kind, release, resources: release.identity.resources.registered, extras: [], projects: []},
  hooks: faultsInForce([]).hooks,
});
const handlers = new Map([...services.gateway.handlers, ...services.observability.handlers]);
const platform = hostRouter({...services.gateway, handlers});

const handler: Handler = async (request, response) => {
  tell({type: 'request', host: request.headers.host, method: request.method, path: request.url});
  await inManner(manner, platform, tell)(request, response);
};
const answer: RequestListener = (request, response) => void guarded(handler)(request, response);

const serverOf = (): Server => {
  if (scheme === 'http' || backendPort !== undefined) return createServer(answer);
  const options = {
    cert: readFileSync(certificate, 'utf8'),
    key: readFileSync(key, 'utf8'),
    // Without this setting the server could not present a weak certificate.
    ciphers: 'DEFAULT:@SECLEVEL=0',
    ...(clientAuthority && {ca: readFileSync(clientAuthority), requestCert: true, rejectUnauthorized: false}),
  };
  return createSecureServer(options, answer);
};

const server = serverOf();
// Like gateways: a request after a while meets an open connection, unless the network ended it.
server.keepAliveTimeout = 65_000;
server.on('connection', () => tell({type: 'connection'}));
server.listen({port: backendPort ?? port, host: '::'}, () => {
  const client = services.applications.list().find(one => one.tokenEndpointAuthMethod === 'client_secret_post');
  const urls = Object.values(addressesOf(deployment)).map(({url}) => url);
  const {clientId = '', clientSecret = ''} = client ?? {};
  tell({type: 'ready', clientId, clientSecret, urls} satisfies PlatformReady);
});

createInterface({input: process.stdin}).on('line', line => {
  manner = JSON.parse(line);
  tell({type: 'changed'});
});
