import {expect, test} from 'vitest';
import {readMetadata} from '../../src/flows/metadata.ts';
import type {HttpReply} from '../../src/ports/ports.ts';

const issuer = 'https://idp.acme.example/realm';
const usual = `${issuer}/.well-known/openid-configuration`;
const second = 'https://idp.acme.example/.well-known/oauth-authorization-server/realm';

/** Starts an identity provider that answers at these addresses, and 404 elsewhere. */
const provider = (answers: Readonly<Record<string, readonly [status: number, body: string]>>) => {
  const asked: string[] = [];
  const get = async ({href}: URL): Promise<HttpReply> => {
    asked.push(href);
    const [status, body] = answers[href] ?? [404, 'nothing here'];
    return {status, body, ms: asked.length, header: () => undefined};
  };
  return {asked, get};
};

test('the usual place comes first, and is enough', async () => {
  const {asked, get} = provider({[usual]: [200, '{"issuer":"a"}'], [second]: [200, '{"issuer":"b"}']});
  await expect(readMetadata(issuer, get)).resolves.toEqual({document: {issuer: 'a'}, address: new URL(usual), ms: 1});
  expect(asked).toEqual([usual]);
});

test('where nothing is there, the next place is asked, and told', async () => {
  const {get} = provider({[second]: [200, '{"issuer":"b"}']});
  await expect(readMetadata(issuer, get)).resolves.toEqual({document: {issuer: 'b'}, address: new URL(second), ms: 2});
});

test('a provider that fails is not asked elsewhere', async () => {
  const {asked, get} = provider({[usual]: [500, ''], [second]: [200, '{}']});
  await expect(readMetadata(issuer, get)).rejects.toMatchObject({code: 'platform-error', about: {url: usual}});
  expect(asked).toEqual([usual]);
});

test('where it is nowhere, the answer of the usual place is told', async () => {
  const {asked, get} = provider({});
  await expect(readMetadata(issuer, get)).rejects.toMatchObject({
    code: 'platform-no-such-endpoint',
    about: {url: usual},
    message: expect.stringContaining('404'),
  });
  expect(asked).toHaveLength(4);
});

test('text in the place of metadata is told with the address that gave it', async () => {
  const {get} = provider({[second]: [200, 'hello']});
  await expect(readMetadata(issuer, get)).rejects.toMatchObject({
    code: 'platform-not-json',
    message: expect.stringContaining(second),
  });
});

test('metadata that are kept from everybody are no refusal of a token', async () => {
  const {get} = provider({[usual]: [401, '']});
  const message = expect.stringContaining('requires its own sign-in');
  await expect(readMetadata(issuer, get)).rejects.toMatchObject({code: 'platform-error', message});
});
