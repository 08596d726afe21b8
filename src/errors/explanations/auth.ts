import type {Explanation} from './explanation.ts';

export const authExplanations = {
  'auth-sign-in-required': {
    name: 'not signed in',
    means: 'There is no sign-in that a token could be had with.',
    why: 'Nobody has signed in here, somebody signed out, or the identity provider refused to renew the sign-in.',
  },
  'auth-grant-missing': {
    name: 'grant type missing',
    means: 'The identity provider does not offer the grant type that this sign-in uses.',
    why: 'It is switched off for the client or for the whole server.',
  },
  'auth-method-missing': {
    name: 'client authentication missing',
    means: 'The identity provider does not offer the way in which this client proves itself.',
    why: 'The client was registered for another method (client_secret_basic, client_secret_post).',
  },
  'auth-redirect-refused': {
    name: 'redirect URL not registered',
    means: 'The identity provider does not send people back to this redirect URL.',
    why: 'The client is registered with another URL; localhost and 127.0.0.1 count as different.',
  },
  'auth-client-confidential': {
    name: 'client wants a secret',
    means: 'The client for people demands a secret, which a program on a laptop cannot keep.',
    why: 'It was registered as a confidential client.',
  },
  'auth-pkce-missing': {
    name: 'PKCE missing',
    means: 'The identity provider does not offer PKCE with S256.',
    why: 'An old release, or a setting of the client.',
  },
  'auth-pkce-unlisted': {
    name: 'PKCE not listed',
    means: 'The metadata does not say whether PKCE with S256 is supported.',
    why: 'Some identity providers support it without listing it.',
  },
  'auth-par-required': {
    name: 'pushed requests demanded',
    means: 'The client has to push its requests (RFC 9126), and no endpoint for that is published.',
    why: 'A security profile of the identity provider.',
  },
  'auth-dpop-required': {
    name: 'DPoP demanded',
    means: 'Tokens are bound to a key (DPoP, RFC 9449), which this program does not support.',
    why: 'A setting of the client at the identity provider.',
  },
  'auth-scope-refused': {
    name: 'scope refused',
    means: 'The identity provider does not give this client one of the scopes that were asked for.',
    why: 'The scope is not registered, or not allowed for the client.',
  },
  'auth-scope-missing': {
    name: 'wrong scope',
    means: 'The token lacks a scope that the server demands.',
    why: 'The scope was not asked for, or the identity provider left it out.',
  },
  'auth-audience-wrong': {
    name: 'wrong audience',
    means: 'The token is made out to another audience than the one that the server takes.',
    why: 'The identity provider was not told about the server’s resource, ignores the parameter resource, or the server expects an old value.',
  },
  'auth-client-unknown': {
    name: 'client not registered',
    means: 'The identity provider has no client of this ID.',
    why: 'A typing error, or the client is registered at another identity provider or was removed.',
  },
  'auth-client-disabled': {
    name: 'client disabled',
    means: 'The client exists and is switched off.',
    why: 'An administrator disabled it.',
  },
  'auth-service-account-off': {
    name: 'client may not sign in by itself',
    means: 'The client may not use client_credentials.',
    why: 'Its service account is off, or the grant type is not allowed.',
  },
  'auth-consent-required': {
    name: 'permission missing',
    means: 'An administrator has to grant permissions of the client first.',
    why: 'The identity provider demands consent by an administrator.',
  },
  'auth-interaction-required': {
    name: 'action in the browser needed',
    means: 'The identity provider wants something done in the browser before it renews the sign-in.',
    why: 'A second factor, a changed password, or new terms.',
  },
  'auth-token-opaque': {
    name: 'token is not a JWT',
    means: 'The access token is opaque, and the platform’s servers check JWTs.',
    why: 'A setting of the client, or no audience was asked for.',
  },
  'auth-declined': {
    name: 'sign-in declined',
    means: 'Somebody pressed cancel or deny on the sign-in page.',
    why: 'A person declined, or a policy did in their name.',
  },
  'auth-authorization-failed': {
    name: 'authorization failed',
    means: 'The identity provider ended the sign-in with an error.',
    why: 'The message has its words; often the redirect URL, a scope or the client.',
  },
  'auth-issuer-mismatch': {
    name: 'wrong issuer',
    means: 'The identity provider identifies itself by another address than the one that was used.',
    why: 'It is reached by an internal address, its external address is not set, or the answer is from somebody else.',
  },
  'auth-sign-in-timeout': {
    name: 'nobody signed in',
    means: 'Nobody finished the sign-in before the time was up.',
    why: 'The page was not opened, or the code was not typed.',
  },
  'auth-sign-in-pending': {
    name: 'sign-in pending',
    means: 'A code was printed, and nobody has typed it yet.',
    why: 'The person is not done. Nothing is wrong.',
  },
  'auth-device-missing': {
    name: 'no sign-in with a code',
    means: 'The identity provider does not offer sign-in with a code (RFC 8628).',
    why: 'The device grant is off, or not allowed for the client.',
  },
  'auth-grant-refused': {
    name: 'grant refused',
    means: 'The identity provider refused the code or the refresh token.',
    why: 'It was used before, has expired, was revoked, or the session has ended.',
  },
  'auth-id-token-refused': {
    name: 'ID token not valid',
    means: 'The ID token that came with the sign-in cannot be trusted.',
    why: 'A wrong signing key, a wrong audience or nonce, or somebody in between.',
  },
  'auth-clock': {
    name: 'clock is wrong',
    means: 'This computer’s clock and the server’s disagree, so tokens look invalid.',
    why: 'Time synchronisation is off, or a virtual machine was suspended.',
  },
  'auth-endpoint-foreign': {
    name: 'suspicious endpoint',
    means: 'The identity provider’s metadata names an address that no credential should be sent to.',
    why: 'A fault in its configuration, or an attack.',
  },
  'auth-client-refused': {
    name: 'client refused',
    means: 'The client ID and its secret were not accepted.',
    why: 'A wrong or old secret, or a client of another identity provider.',
  },
  'auth-method-refused': {
    name: 'client authentication refused',
    means: 'The client may not prove itself in this way.',
    why: 'It wants its secret in the body in place of the header, or the reverse.',
  },
  'auth-resource-refused': {
    name: 'resource not registered',
    means: 'The identity provider does not know the resource that the token is for (RFC 8707).',
    why: 'The MCP server’s address is not registered as a resource.',
  },
  'auth-admin-refused': {
    name: 'administrator refused',
    means: 'The administrator’s username and password were not accepted.',
    why: 'A typing error, or an account without rights at the identity provider.',
  },
  'auth-recipe-closed': {
    name: 'MCP client cannot be created here',
    means: 'This identity provider has no way to create an MCP client with an administrator’s password.',
    why: 'A newer release, or an identity provider other than the bundled one.',
  },
  'auth-application-unknown': {
    name: 'application not found',
    means: 'The application by which an administrator signs in was not found.',
    why: 'Its ID differs on this installation.',
  },
  'auth-permission-missing': {
    name: 'access denied',
    means: 'The sign-in was accepted and the action denied (403).',
    why: 'The account has no role for it, or it was changed less than a minute ago: after an upgrade of the platform roles can be missing for a minute.',
  },
  'auth-no-role': {
    name: 'no role',
    means: 'The account is signed in, and no role is bound to it.',
    why: 'Nobody has bound one yet, the role binding names another claim, or the platform was upgraded less than a minute ago and has not read its roles again.',
  },
  'auth-token-refused': {
    name: 'token refused',
    means: 'The server does not accept the token (401).',
    why: 'It has expired, is signed with a key that is gone, is from another issuer or for another audience, or a clock is wrong.',
  },
  'auth-client-exists': {
    name: 'MCP client exists',
    means: 'There is an MCP client of this ID already.',
    why: 'An earlier run or a colleague created it.',
  },
} as const satisfies Record<string, Explanation>;
