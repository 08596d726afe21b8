import type {Flow} from '../flow.ts';
import {namedPage} from '../named-address.ts';
import {oauthClient} from '../sign-in/oauth-client.ts';
import {stoppable} from '../stoppable.ts';

type Input = {readonly issuer: string; readonly clientId: string};

/**
 * Where a browser ends the session that it has with an identity provider, and with it whoever else was signed in by that
 * session (OpenID Connect RP-Initiated Logout 1.0, 2). It asks the person there, as this program keeps no ID token to
 * prove who asks.
 *
 * @returns undefined where the identity provider offers no such page
 * @throws SetupError `network-*`, `platform-*`
 */
export const endSession: Flow<Input, string | undefined> = ({issuer, clientId}, run) =>
  stoppable(run, async run => {
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    const {end_session_endpoint: endpoint} = client.configuration.serverMetadata();
    const url = namedPage(endpoint, new URL(issuer));
    if (!url) return undefined;
    url.searchParams.set('client_id', clientId);
    return url.href;
  });
