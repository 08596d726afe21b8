import type {Credentials} from '../../../../src/domain/credentials.ts';
import {contextAt} from '../../../support/context.ts';
import {surroundingsForTest} from '../run.ts';
import {storeIn} from '../store.ts';

/** Sets up a home with a sign-in at an issuer. Its token has expired unless the caller says otherwise. */
export const signedIn = (issuer: string, kept: Partial<Credentials> = {}) => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const context = contextAt(issuer);
  const {clientId} = context;
  store.put(context, {
    issuer,
    clientId,
    accessToken: 'access-0',
    refreshToken: 'refresh-0',
    account: 'ann@acme.example',
    obtainedAt: 1,
    expiresAt: 2,
    ...kept,
  });
  return {store, options: {surroundings}};
};
