import type {AccessToken, ClientCredentials, JWTStructured} from 'oidc-provider';
import type {Hooks} from '../../faults/hooks.ts';
import type {IdentityRelease} from '../../releases/identity-release.ts';
import type {Applications} from '../applications/applications.ts';
import {subjectOf} from '../tokens/client-subject.ts';
import type {Users} from '../users.ts';

type Options = {
  readonly applications: Applications;
  readonly users: Users;
  readonly release: IdentityRelease;
  readonly hooks: Pick<Hooks, 'tokenClaims'>;
};

/** Makes the library's access tokens say what the platform's do: its issuer rule, and who the person or client is. */
export const accessTokenClaims =
  ({applications, users, release, hooks}: Options) =>
  (token: AccessToken | ClientCredentials, jwt: JWTStructured): void => {
    const application = applications.byClientId(token.clientId ?? '');
    const person = token.kind === 'AccessToken' ? users.byId(token.accountId) : undefined;
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
            ...(person.groups.length > 0 && {groups: person.groups}),
          }
        : {grant_type: 'client_credentials', ...(application && {sub: subjectOf(application, release)})}),
    };
    jwt.payload = {...hooks.tokenClaims(claims, 'access')};
  };
