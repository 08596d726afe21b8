import {SetupError} from '../../errors/errors.ts';
import {recogniseProvider} from '../../identity-providers/catalogue.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';
import type {Flow} from '../flow.ts';
import {oauthClient} from '../sign-in/oauth-client.ts';
import {stoppable} from '../stoppable.ts';

/**
 * Which kind of identity provider there is at an issuer: by what it says of itself, or by its address alone where it
 * cannot be asked.
 */
export const identifyProvider: Flow<{readonly issuer: string}, IdentityProvider> = ({issuer}, run) =>
  stoppable(run, async run => {
    const {signal} = run;
    try {
      const authentication = {method: 'none'} as const;
      return (await oauthClient({issuer, clientId: 'setup', authentication, fromKept: true}, run)).provider;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      return recogniseProvider(issuer);
    }
  });
