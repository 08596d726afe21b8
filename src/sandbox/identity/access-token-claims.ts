import type {AccessToken, ClientCredentials, JWTStructured} from 'oidc-provider';
import type {Hooks} from '../faults/hooks.ts';
import type {Applications} from './applications.ts';
import type {Users} from './users.ts';

/** Makes the library's access tokens look like the platform's: its issuer rule, its type, and who the person is. */
export const accessTokenClaims =
  (applications: Applications, users: Users, change: Hooks['tokenClaims']) =>
  (token: AccessToken | ClientCredentials, jwt: JWTStructured): void => {
    const application = applications.byClientId(token.clientId ?? '');
    const person = token.kind === 'AccessToken' ? users.byId(token.accountId) : undefined;
    jwt.header = {typ: 'JWT'};
    const claims = {
      ...jwt.payload,
      // An application may name an issuer of its own. Its tokens are good for nothing then, as on a real platform.
      ...(application && {iss: application.issuer}),
      nbf: Number(jwt.payload.iat),
      ...(person
        ? {
            // Whichever way they came: this is what tells a person from a service.
            grant_type: 'authorization_code',
            username: person.username,
            given_name: person.givenName,
            family_name: person.familyName,
            groups: person.groups,
          }
        : {grant_type: 'client_credentials'}),
    };
    jwt.payload = {...change(claims, 'access')};
  };
