import {missing} from '../support/admin.ts';
import {ann, describeProvider} from '../support/describe-provider.ts';
import {KEYCLOAK_VERSION} from '../support/install-keycloak.ts';
import {decide, typeCredentials} from '../support/pages.ts';
import {audienceMapper, openRealm, publicClient, serviceAccount} from '../support/realm.ts';
import {rowOf} from '../support/rows.ts';

await describeProvider({
  row: {...rowOf('keycloak'), version: KEYCLOAK_VERSION},
  install: async () => (missing === undefined ? {directory: ''} : {missing}),
  start: async ({clientId, redirectUri, audience, service}) => {
    const protocolMappers = [audienceMapper(audience)];
    const {issuer, remove} = await openRealm(
      [
        publicClient(clientId, redirectUri, {protocolMappers, consentRequired: true}),
        serviceAccount(service.clientId, service.secret, {protocolMappers}),
      ],
      {revokeRefreshToken: true, refreshTokenMaxReuse: 0},
    );
    return {issuer, end: remove};
  },
  signIn: async page => {
    await typeCredentials(page, {...ann, password: 'the-password-of-ann'});
    await page.waitForURL(url => url.pathname === '/auth-callback' || !url.pathname.endsWith('/openid-connect/auth'));
  },
  consent: {allow: page => decide(page, 'Yes'), deny: page => decide(page, 'No')},
});
