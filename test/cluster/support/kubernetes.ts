import {readFileSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {type Installation, releaseSecret} from './installations.ts';

/**
 * The server's behaviour below a path of that name: it accepts everybody, allows no list, allows lists in one
 * namespace only, never answers, or demands the token of a plugin.
 */
export type Behaviour = 'open' | 'denied' | 'one-namespace' | 'silent' | 'plugin';

/** The token that a plugin has to supply. */
export const PLUGIN_TOKEN = 'token-of-the-plugin';

type Answer = {readonly status: number; readonly body: object};

const certificates = join(import.meta.dirname, '..', '..', 'ports', 'network', 'certificates');
const certificate = (name: string) => readFileSync(join(certificates, name));

/**
 * Starts a Kubernetes API with an installation, as far as kubectl and Helm need it, on a free port of loopback. It
 * uses TLS, because the tools send no credentials without it. Returns its origin.
 */
export const kubernetesWith = async (installation: Installation): Promise<string> => {
  const identity = {key: certificate('server.key'), cert: certificate('self-signed.crt')};
  const server = createServer(identity, (request, response) => {
    const [, behaviour = '', ...path] = (request.url ?? '').split('/');
    if (behaviour === 'silent') return;
    const {status, body} = answerTo(`/${path.join('/')}`, behaviour as Behaviour, request, installation);
    response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const gateway = 'gateway.networking.k8s.io';

const answerTo = (
  target: string,
  behaviour: Behaviour,
  {headers}: IncomingMessage,
  installation: Installation,
): Answer => {
  if (behaviour === 'plugin' && headers.authorization !== `Bearer ${PLUGIN_TOKEN}`) {
    return status(401, 'Unauthorized', 'Unauthorized');
  }
  const {pathname, searchParams} = new URL(target, 'https://any');
  const known = discovery[pathname];
  if (known) return {status: 200, body: known};
  const [, namespace, kind] = /^\/(?:api\/v1|apis\/[^/]+\/v1)(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(pathname) ?? [];
  if (kind !== 'httproutes' && kind !== 'secrets') return status(404, 'NotFound', 'the server could not find it');
  const isDenied =
    behaviour === 'denied' || (behaviour === 'one-namespace' && namespace !== 'openchoreo-control-plane');
  if (isDenied) return forbidden(kind, namespace);
  return {
    status: 200,
    body: kind === 'secrets' ? secretsIn(installation, searchParams) : routesIn(installation, namespace),
  };
};

const secretsIn = (installation: Installation, query: URLSearchParams) => {
  const secret = releaseSecret(installation);
  const wanted = /(?:^|,)name=([^,]+)/.exec(query.get('labelSelector') ?? '')?.[1];
  const items = wanted === undefined || wanted === secret.metadata.labels.name ? [secret] : [];
  return {apiVersion: 'v1', kind: 'SecretList', metadata: {resourceVersion: '1'}, items};
};

const routesIn = ({routes}: Installation, namespace: string | undefined) => ({
  ...{apiVersion: `${gateway}/v1`, kind: 'HTTPRouteList', metadata: {resourceVersion: '1'}},
  items: routes
    .filter(route => namespace === undefined || route.namespace === namespace)
    .map(({hostnames, ...metadata}) => ({
      ...{apiVersion: `${gateway}/v1`, kind: 'HTTPRoute', metadata},
      spec: {hostnames},
    })),
});

const status = (code: number, reason: string, message: string): Answer => ({
  status: code,
  body: {apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', message, reason, code},
});

const forbidden = (kind: 'httproutes' | 'secrets', namespace: string | undefined): Answer => {
  const [resource, group] = kind === 'secrets' ? ['secrets', ''] : [`httproutes.${gateway}`, gateway];
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = `${resource} is forbidden: User "ann" cannot list resource "${kind}" in API group "${group}" ${where}`;
  return status(403, 'Forbidden', message);
};

const verbs = ['get', 'list'];

const discovery: Readonly<Record<string, object>> = {
  '/version': {major: '1', minor: '32', gitVersion: 'v1.32.4'},
  '/api': {kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: []},
  '/apis': {
    ...{kind: 'APIGroupList', apiVersion: 'v1'},
    groups: [
      {
        name: gateway,
        versions: [{groupVersion: `${gateway}/v1`, version: 'v1'}],
        preferredVersion: {groupVersion: `${gateway}/v1`, version: 'v1'},
      },
    ],
  },
  '/api/v1': {
    ...{kind: 'APIResourceList', groupVersion: 'v1'},
    resources: [{name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs}],
  },
  [`/apis/${gateway}/v1`]: {
    ...{kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${gateway}/v1`},
    resources: [{name: 'httproutes', singularName: 'httproute', namespaced: true, kind: 'HTTPRoute', verbs}],
  },
};
