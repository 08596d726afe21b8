import {expect, test} from 'vitest';
import type {Deployment} from '../../../src/domain/context.ts';
import {inBaseDomain} from '../../../src/flows/deployment/write-company-file.ts';

const at = (baseDomain: string, controlPlaneUrl: string, observerUrl?: string) =>
  ({baseDomain, controlPlaneUrl, ...(observerUrl ? {observerUrl} : {})}) as Deployment;

test.each([
  ['which was given', 'acme.example', 'https://cp.acme.example', undefined, 'acme.example'],
  [
    'which both addresses share',
    'cp.acme.example',
    'https://cp.acme.example',
    'https://o.acme.example',
    'acme.example',
  ],
  [
    'above which the observer is',
    'cp.acme.example',
    'https://cp.acme.example',
    'https://o.b.acme.example',
    'acme.example',
  ],
])('a company file is for the base domain %s', (_, baseDomain, controlPlane, observer, found) => {
  expect(inBaseDomain(at(baseDomain, controlPlane, observer)).baseDomain).toBe(found);
});

test.each([
  ['one address', 'cp.acme.example', 'https://cp.acme.example', undefined],
  ['addresses that share none', 'cp.acme.example', 'https://cp.acme.example', 'https://watch.example'],
  ['a name without labels', 'platform', 'http://platform:8080', 'http://platform:9090'],
  ['addresses by number', '10.0.0.1', 'http://10.0.0.1:8080', 'http://10.0.0.1:9090'],
])('is for none with %s, which it asks for', (_, baseDomain, controlPlane, observer) => {
  expect(() => inBaseDomain(at(baseDomain, controlPlane, observer))).toThrow(
    expect.objectContaining({code: 'input-required', about: expect.objectContaining({flag: 'base-domain'})}),
  );
});
