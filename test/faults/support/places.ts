import type {IncomingMessage} from 'node:http';
import type {Service} from '../../../src/platform/platform.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {pathOf} from '../../../src/sandbox/http-server.ts';

const {paths} = bundled;

type Where = {readonly service: Service; readonly is: (path: string) => boolean};

const at = (service: Service, ...wanted: readonly string[]): Where => ({
  service,
  is: path => wanted.includes(path),
});

/** The places for a fault, each by the requests of a client there. */
export const places = {
  discovery: at('identity-provider', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'),
  keys: at('identity-provider', '/oauth2/jwks'),
  token: at('identity-provider', paths.token),
  authorize: at('identity-provider', paths.authorize),
  health: at('control-plane', paths.health),
  metadata: at('control-plane', paths.protectedResource),
  version: at('control-plane', paths.version),
  api: {service: 'control-plane', is: path => path.startsWith(paths.namespaces)},
  mcp: at('control-plane', paths.mcp),
  'observer-health': at('observer', paths.health),
  'observer-mcp': at('observer', paths.mcp),
} as const satisfies Record<string, Where>;

export type Place = keyof typeof places;

export const isAt = (place: Place, service: Service, request: IncomingMessage): boolean =>
  places[place].service === service && places[place].is(pathOf(request));
