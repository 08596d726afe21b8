import {createHmac, generateKeyPairSync, type KeyObject, sign} from 'node:crypto';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {changedJson} from './answers.ts';

/** A key of the tests, with which changed ID tokens are signed. */
const ours = generateKeyPairSync('rsa', {modulusLength: 2048});
const foreign = generateKeyPairSync('rsa', {modulusLength: 2048});

type Claims = Readonly<Record<string, unknown>>;
type Options = {readonly header?: Claims; readonly by?: 'ours' | 'foreign' | 'nobody' | 'secret'};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const signed = (claims: Claims, {header = {}, by = 'ours'}: Options): string => {
  const text = `${encoded({alg: 'RS256', kid: 'ours', ...header})}.${encoded(claims)}`;
  const rsa = (key: KeyObject) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64url');
  const signature = {
    ours: () => rsa(ours.privateKey),
    foreign: () => rsa(foreign.privateKey),
    nobody: () => '',
    secret: () => createHmac('sha256', 'secret').update(text).digest('base64url'),
  }[by];
  return `${text}.${signature()}`;
};

const claimsIn = (token: unknown): Claims =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());

/** Adds this key to those of the identity provider. */
export const withOurKey: Wrap = changedJson(({keys}) => ({
  keys: [...(keys as object[]), {...ours.publicKey.export({format: 'jwk'}), kid: 'ours', alg: 'RS256', use: 'sig'}],
}));

/**
 * Changes the claims of ID tokens, and signs them with the key in the options. Answers without an ID token stay as
 * they are.
 */
export const idToken = (change: (claims: Claims) => Claims, options: Options = {}): Wrap =>
  changedJson(value =>
    value.id_token === undefined ? value : {...value, id_token: signed(change(claimsIn(value.id_token)), options)},
  );
