import {SETUP} from '../../setup-command.ts';
import type {IdentityProvider} from '../identity-provider.ts';

export const jumpCloud: IdentityProvider = {
  id: 'jumpcloud',
  name: 'JumpCloud',
  evidence: 'documentation',
  knownBy: {issuer: /^https:\/\/oauth\.id\.jumpcloud\.com\/?$/},
  refreshToken: {
    scope: 'offline_access',
    setting: 'SSO Applications › {clientId} › SSO: allow the grant “Refresh Token”.',
  },
  target: 'resource',
  audience: `The application decides the audience. Once somebody is signed in, ${SETUP} doctor shows it: have the platform accept it.`,
  redirects: 'Register {redirect} exactly as it is written.',
  refusals: [],
  settings: {
    redirect: 'SSO Applications › {clientId} › SSO › Redirect URIs: add {redirect}.',
    confidential: 'SSO Applications › {clientId} › SSO › Client Authentication Type: choose “Public (None PKCE)”.',
    grant: 'SSO Applications › {clientId} › SSO › Grant types: allow “Authorization Code” and “Refresh Token”.',
  },
  guide: {
    person: [
      'SSO Applications › Add New Application › Custom Application: “Configure SSO with OIDC”.',
      'Grant types: “Authorization Code” and “Refresh Token”. Client Authentication Type: “Public (None PKCE)”.',
      'Redirect URIs: {redirect}.',
      'Assign the groups of people, and note the client ID.',
      'Sign in with --client-id; the issuer ends in a slash: --issuer https://oauth.id.jumpcloud.com/.',
    ],
    serviceAccount: ['Create an application with the grant “Client Credentials”, and note its client ID and secret.'],
  },
};
