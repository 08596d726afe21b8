import {describe, expect, test} from 'vitest';
import {findMetadata, isSameButSlash} from '../../src/identity-providers/identity-provider.ts';

describe('the metadata of an issuer', () => {
  /** Returns the requested addresses, if only the address with this ending exists. */
  const askedFor = async (issuer: string, there?: string) => {
    const asked: string[] = [];
    const found = await findMetadata(issuer, async ({href, pathname}) => {
      asked.push(href);
      return pathname === there ? {} : undefined;
    });
    return {asked, found};
  };

  test('has two places where the issuer has no path', async () => {
    const {asked, found} = await askedFor('https://idp.example/');
    expect(asked).toEqual([
      'https://idp.example/.well-known/openid-configuration',
      'https://idp.example/.well-known/oauth-authorization-server',
    ]);
    expect(found).toBeUndefined();
  });

  test('is behind or before the path of one that has one', async () => {
    const {asked} = await askedFor('https://idp.example/a/b/');
    expect(asked.map(address => new URL(address).pathname)).toEqual([
      '/a/b/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/a/b',
      '/.well-known/openid-configuration/a/b',
      '/a/b/.well-known/oauth-authorization-server',
    ]);
  });

  test('is looked for no further than where it is', async () => {
    const {asked, found} = await askedFor('https://idp.example/a', '/.well-known/oauth-authorization-server/a');
    expect(asked).toHaveLength(2);
    expect(found).toEqual({});
  });
});

test('a slash at the end makes no other address', () => {
  expect(isSameButSlash('https://idp.example/', 'https://idp.example')).toBe(true);
  expect(isSameButSlash('https://idp.example/a', 'https://idp.example/b')).toBe(false);
});
