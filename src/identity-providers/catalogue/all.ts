import type {IdentityProvider} from '../identity-provider.ts';
import {auth0} from './auth0.ts';
import {authelia} from './authelia.ts';
import {authentik} from './authentik.ts';
import {cognito} from './cognito.ts';
import {dex} from './dex.ts';
import {entraId} from './entra-id.ts';
import {gitlab} from './gitlab.ts';
import {google} from './google.ts';
import {hydra} from './hydra.ts';
import {jumpCloud} from './jumpcloud.ts';
import {keycloak} from './keycloak.ts';
import {okta} from './okta.ts';
import {ping} from './ping.ts';
import {spring} from './spring.ts';
import {thunderId} from './thunderid.ts';
import {wso2} from './wso2.ts';
import {zitadel} from './zitadel.ts';

/** Every kind of identity provider that is recognised; those that are told by more come first. */
export const identityProviders: readonly IdentityProvider[] = [
  thunderId,
  keycloak,
  entraId,
  okta,
  auth0,
  cognito,
  google,
  ping,
  zitadel,
  spring,
  authentik,
  authelia,
  jumpCloud,
  wso2,
  gitlab,
  hydra,
  dex,
];
