import {describe, expect, test} from 'vitest';
import {checkNamed} from '../../src/flows/foreign-address.ts';
import type {Ports} from '../../src/ports/ports.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'api.public.example': ['203.0.113.5'],
  'idp.public.example': ['203.0.113.6', '2001:db8::6'],
  'api.private.example': ['10.1.2.3'],
  'idp.private.example': ['10.1.2.4'],
  'both.example': ['203.0.113.7', '192.168.0.7'],
  'metadata.example': ['169.254.169.254'],
  'here.example': ['127.0.0.1'],
};

const network = (proxy?: string) => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return {addresses: names[host] ?? [], bySystem: []};
  };
  return {asked, ports: {network: {resolve, proxy: async () => proxy}} as unknown as Pick<Ports, 'network'>};
};

const check = (named: string, by: string, proxy?: string) =>
  checkNamed(new URL(named), new URL(by), network(proxy).ports);

describe('what is named', () => {
  test.each([
    ['https://idp.public.example', 'https://api.public.example'],
    ['https://idp.public.example', 'https://api.private.example'],
    ['https://idp.private.example', 'https://api.private.example'],
    ['https://unknown.example', 'https://api.public.example'],
    ['http://idp.localhost:8080', 'http://api.localhost:8080'],
    ['https://idp.public.example', 'http://api.localhost:8080'],
    ['https://10.0.0.9', 'http://127.0.0.1:8080'],
    ['http://169.254.0.9', 'http://169.254.0.9:8080'],
  ])('may be followed: %s by %s', async (named, by) => {
    await expect(check(named, by)).resolves.toBeUndefined();
  });

  test.each([
    ['https://idp.private.example', 'https://api.public.example', /in a private network/],
    ['https://both.example', 'https://api.public.example', /in a private network/],
    ['https://192.168.0.1/x', 'https://api.public.example', /in a private network/],
    ['http://metadata.example', 'https://api.public.example', /a link-local address/],
    ['http://169.254.169.254/latest', 'https://api.private.example', /a link-local address/],
    ['http://169.254.169.254/latest', 'http://api.localhost', /a link-local address/],
    ['http://[fe80::1]/', 'https://api.public.example', /a link-local address/],
    ['http://here.example', 'https://api.private.example', /on this machine/],
    ['http://127.0.0.1:9200', 'https://api.public.example', /on this machine/],
    ['http://127.0.0.1:9200', 'http://169.254.0.9', /on this machine/],
  ])('is not followed: %s by %s', async (named, by, where) => {
    await expect(check(named, by)).rejects.toMatchObject({
      code: 'auth-endpoint-foreign',
      message: expect.stringMatching(where),
      about: {url: new URL(by).origin},
    });
  });

  test('is not looked up where it is the host that names it', async () => {
    const {ports, asked} = network();
    await checkNamed(new URL('https://api.private.example/x'), new URL('https://api.private.example'), ports);
    expect(asked).toEqual([]);
  });

  test('counts by its address alone behind a proxy, which looks names up itself', async () => {
    const proxy = 'http://proxy.example:3128';
    await expect(check('https://idp.private.example', 'https://api.public.example', proxy)).resolves.toBeUndefined();
    await expect(check('http://169.254.169.254', 'https://api.public.example', proxy)).rejects.toThrow('link-local');
    await expect(check('http://127.0.0.1', 'https://api.public.example', proxy)).rejects.toThrow('this machine');
  });
});
