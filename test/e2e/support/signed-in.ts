import type {Context, Credentials} from '../../../src/ports/storage.ts';
import {surroundingsForTest} from './run.ts';
import {storeIn} from './store.ts';

/** A home in which somebody is signed in at an issuer, by a token that has ended unless the caller says otherwise. */
export const signedIn = (issuer: string, kept: Partial<Credentials> = {}) => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const key = {issuer, clientId: 'platform-cli'};
  const context: Context = {
    ...key,
    name: 'acme',
    platform: 'bundled',
    baseDomain: 'acme.localhost',
    layout: 'single',
    controlPlaneUrl: issuer,
    authUrl: issuer,
    signIn: 'browser',
  };
  store.put(context, {
    ...key,
    accessToken: 'access-0',
    refreshToken: 'refresh-0',
    account: 'ann@acme.example',
    obtainedAt: 1,
    expiresAt: 2,
    ...kept,
  });
  return {store, options: {surroundings}};
};
