import {describe, expect, test} from 'vitest';
import {clusterAddressesOf, type HttpRoute} from '../../src/platform/cluster-addresses.ts';
import {openchoreo} from '../../src/platform/platforms.ts';

const controlPlane = 'openchoreo-control-plane';
const route = (name: string, namespace: string, ...hostnames: string[]): HttpRoute => ({name, namespace, hostnames});
const api = (...hostnames: string[]) => route('openchoreo-api', controlPlane, ...hostnames);

const read = (routes: readonly HttpRoute[], values?: unknown) => clusterAddressesOf(openchoreo, {routes, values});

describe('the addresses that a cluster tells', () => {
  test('0.14: base domain, port and TLS in the values', () => {
    const values = {global: {baseDomain: 'acme.example.com', port: ':8443', tls: {enabled: true}}};
    const found = {baseDomain: {name: 'acme.example.com', scheme: 'https', port: 8443}, addresses: {}};
    expect(read([], values)).toEqual(found);
    expect(read([api('api.acme.example.com')], values)).toEqual(found);
  });

  test('0.14 without a port of its own', () => {
    const values = {global: {baseDomain: 'acme.example.com', port: '', tls: {enabled: false}}};
    expect(read([], values)?.baseDomain).toEqual({name: 'acme.example.com', scheme: 'http'});
  });

  test('from 0.15 on: the route, and scheme and port from the external URL', () => {
    const values = {openchoreoApi: {config: {server: {publicUrl: 'http://api.openchoreo.localhost:8080'}}}};
    expect(read([api('api.openchoreo.localhost')], values)).toEqual({
      baseDomain: {name: 'openchoreo.localhost', scheme: 'http', port: 8080},
      addresses: {},
    });
  });

  test('the external URL of another host says nothing of this one', () => {
    const values = {openchoreoApi: {config: {server: {publicUrl: 'http://api.placeholder.invalid:8080'}}}};
    expect(read([api('api.acme.example.com')], values)?.baseDomain).toEqual({name: 'acme.example.com'});
  });

  test('without a route: external URL, else the hostnames of the values', () => {
    const publicUrl = 'https://api.acme.example.com';
    expect(read([], {openchoreoApi: {config: {server: {publicUrl}}}})?.baseDomain).toEqual({
      name: 'acme.example.com',
      scheme: 'https',
      port: 443,
    });
    expect(read([], {openchoreoApi: {http: {hostnames: ['api.acme.example.com']}}})?.baseDomain).toEqual({
      name: 'acme.example.com',
    });
  });

  test('the identity provider’s address tells how their gateway is reached', () => {
    const values = {security: {oidc: {issuer: 'http://thunder.acme.example.com:9080'}}};
    expect(read([api('api.acme.example.com')], values)?.baseDomain).toEqual({
      name: 'acme.example.com',
      scheme: 'http',
      port: 9080,
    });
    const elsewhere = {security: {oidc: {issuer: 'http://login.company.example:9080'}}};
    expect(read([api('api.acme.example.com')], elsewhere)?.baseDomain).toEqual({name: 'acme.example.com'});
  });

  test('1.2 in several clusters: a cluster’s own host stands first among the observer’s', () => {
    const routes = [
      api('api.openchoreo.localhost'),
      route('observer', 'openchoreo-observability-plane', 'host.k3d.internal', 'observer.openchoreo.localhost'),
    ];
    expect(read(routes)).toEqual({baseDomain: {name: 'openchoreo.localhost'}, addresses: {}});
  });

  test('an observer below another name is taken by it', () => {
    const routes = [
      api('api.openchoreo.203-0-113-7.nip.io'),
      route('observer', 'openchoreo-observability-plane', 'observer.openchoreo.observability.203-0-113-8.nip.io'),
    ];
    expect(read(routes)?.addresses).toEqual({
      observerUrl: 'https://observer.openchoreo.observability.203-0-113-8.nip.io',
    });
  });

  test('a control plane without the usual label is given by its whole address', () => {
    expect(read([api('platform.acme.example.com')])).toEqual({
      baseDomain: {name: 'platform.acme.example.com'},
      addresses: {controlPlaneUrl: 'https://platform.acme.example.com'},
    });
  });

  test('routes of other programs, wildcards and nonsense tell nothing', () => {
    const other = route('openchoreo-api', 'default', 'api.evil.example.com');
    expect(
      read([other, api('*.acme.example.com', 'a b')], {global: {baseDomain: 7}, openchoreoApi: 'x'}),
    ).toBeUndefined();
  });
});
