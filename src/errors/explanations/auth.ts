import type {Explanation} from './explanation.ts';

export const authExplanations = {
  'auth-sign-in-required': {
    name: 'not signed in',
    means: 'You need to sign in before a token can be issued.',
    why: 'You have not signed in here, you signed out, or the identity provider refused to renew the sign-in.',
  },
  'auth-grant-missing': {
    name: 'grant type missing',
    means: 'The identity provider does not offer the grant type that this sign-in uses.',
    why: 'It is disabled for the client or for the whole server.',
  },
  'auth-method-missing': {
    name: 'client authentication missing',
    means: 'The identity provider offers no client authentication by a secret.',
    why: 'It offers neither client_secret_basic nor client_secret_post.',
  },
  'auth-redirect-refused': {
    name: 'redirect URL not registered',
    means: 'The identity provider does not accept this redirect URL.',
    why: 'The client is registered with another URL; localhost and 127.0.0.1 count as different.',
  },
  'auth-client-confidential': {
    name: 'client requires a secret',
    means: 'The client that people sign in with requires a secret, which a program on a laptop cannot keep.',
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
    name: 'pushed requests required',
    means:
      'The client must push its authorization requests (RFC 9126), but the identity provider names no endpoint for them, or refuses them.',
    why: 'The identity provider enforces a security profile.',
  },
  'auth-dpop-required': {
    name: 'DPoP required',
    means: 'Tokens are bound to a key (DPoP, RFC 9449), which this program does not support.',
    why: 'A setting of the client at the identity provider.',
  },
  'auth-scope-refused': {
    name: 'scope refused',
    means: 'The identity provider does not grant this client one of the requested scopes.',
    why: 'The scope is not registered or not allowed for the client.',
  },
  'auth-scope-missing': {
    name: 'wrong scope',
    means: 'The token lacks a scope that the server requires.',
    why: 'The scope was not requested, or the identity provider left it out.',
  },
  'auth-audience-wrong': {
    name: 'wrong audience',
    means: 'The token was issued for a different audience than the server expects.',
    why: 'The server is not registered as a resource, the identity provider ignores the “resource” parameter, or the server expects an outdated value.',
  },
  'auth-client-unknown': {
    name: 'client not registered',
    means: 'The identity provider has no client with this ID.',
    why: 'The ID has a typo, or the client was removed or is registered at another identity provider.',
  },
  'auth-client-disabled': {
    name: 'client disabled',
    means: 'The client exists but is disabled.',
    why: 'An administrator disabled it.',
  },
  'auth-service-account-off': {
    name: 'service account disabled',
    means: 'The client is not allowed to use client_credentials.',
    why: 'Its service account is off, or the grant type is not allowed.',
  },
  'auth-consent-required': {
    name: 'permission missing',
    means: 'An administrator must grant the client its permissions first.',
    why: 'The identity provider requires an administrator’s consent.',
  },
  'auth-interaction-required': {
    name: 'action in the browser needed',
    means: 'The identity provider needs you to do something in the browser before it renews the sign-in.',
    why: 'A second factor, a changed password, or new terms.',
  },
  'auth-token-opaque': {
    name: 'token is not a JWT',
    means: 'The access token is opaque, but the platform’s servers accept only JWTs.',
    why: 'The client is set up that way, or no audience was requested.',
  },
  'auth-declined': {
    name: 'sign-in declined',
    means: 'The sign-in page was cancelled or the request denied.',
    why: 'You declined, or a policy did.',
  },
  'auth-authorization-failed': {
    name: 'authorization failed',
    means: 'The identity provider ended the sign-in with an error.',
    why: 'See the message. Often the redirect URL, a scope or the client is wrong.',
  },
  'auth-issuer-mismatch': {
    name: 'wrong issuer',
    means: 'The identity provider identifies itself by a different address than the one used.',
    why: 'It was reached by an internal address, its external address is not set, or another server answered.',
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
    why: 'Its signing key, audience or nonce is wrong, or somebody is intercepting the connection.',
  },
  'auth-clock': {
    name: 'clock is wrong',
    means: 'This computer’s clock and the server’s disagree, so tokens look invalid.',
    why: 'Time synchronisation is off, or a virtual machine was suspended.',
  },
  'auth-endpoint-foreign': {
    name: 'suspicious endpoint',
    means: 'The identity provider’s metadata names an address that no credential should be sent to.',
    why: 'It is misconfigured, or this is an attack.',
  },
  'auth-client-refused': {
    name: 'client refused',
    means: 'The client ID and its secret were not accepted.',
    why: 'The secret is wrong or outdated, or the client belongs to another identity provider.',
  },
  'auth-method-refused': {
    name: 'client authentication refused',
    means: 'The client is not allowed to authenticate this way.',
    why: 'It may not sign in by itself, or it proves itself in a way other than by a secret, such as a signed JWT.',
  },
  'auth-resource-refused': {
    name: 'resource not registered',
    means: 'The identity provider does not know the resource that the token is for (RFC 8707).',
    why: 'The MCP server’s address is not registered as a resource.',
  },
  'auth-admin-refused': {
    name: 'administrator refused',
    means: 'The administrator’s username and password were not accepted.',
    why: 'A typo, or an account without rights at the identity provider.',
  },
  'auth-recipe-closed': {
    name: 'MCP client cannot be created here',
    means: 'This identity provider has no way to create an MCP client with an administrator’s password.',
    why: 'A newer release, or an identity provider other than the bundled one.',
  },
  'auth-application-unknown': {
    name: 'application not found',
    means: 'The application that an administrator signs in through was not found.',
    why: 'Its ID is different on this installation.',
  },
  'auth-permission-missing': {
    name: 'access denied',
    means: 'The sign-in was accepted, but the action was denied (403).',
    why: 'The account has no role that allows it, or the role was assigned less than a minute ago. After the platform is upgraded, roles can be missing for a minute.',
  },
  'auth-no-role': {
    name: 'no role',
    means: 'The account is signed in, but has no role.',
    why: 'No role has been assigned yet, the role binding names another claim, or the platform was upgraded less than a minute ago and is still loading its roles.',
  },
  'auth-token-refused': {
    name: 'token refused',
    means: 'The server does not accept the token (401).',
    why: 'It has expired, was signed with an old key, comes from another issuer, is for another audience, or a clock is wrong.',
  },
  'auth-client-exists': {
    name: 'MCP client exists',
    means: 'An MCP client with this ID already exists.',
    why: 'An earlier run or a colleague created it.',
  },
} as const satisfies Record<string, Explanation>;
