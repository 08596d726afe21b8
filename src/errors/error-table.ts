import {SETUP} from '../setup-command.ts';
import {AFTER_UPGRADE} from './after-upgrade.ts';
import {AUTH, bySigningIn, INPUT, orByFlag, PENDING, type Row, row, withSignInCommand} from './error-row.ts';
import {companyFileRows} from './error-table-company-file.ts';
import {localRows} from './error-table-local.ts';
import {networkRows} from './error-table-network.ts';
import {platformRows} from './error-table-platform.ts';

export type {Whose} from './error-row.ts';

/**
 * Every way in which this program can fail, with the exit code, who has to act, and the next step. A row here creates a
 * code. A more specific remedy is given where the error is thrown.
 */
export const errorTable = {
  'input-required': row(INPUT, 'you', 'Pass it as a flag, or run in a terminal.'),
  'input-invalid': row(INPUT, 'you', 'Correct the value and run the command again.'),
  'input-usage': row(INPUT, 'you', `See ${SETUP} --help.`),

  ...companyFileRows,

  ...networkRows,

  'auth-sign-in-required': row(AUTH, 'you', (signIn = SETUP, isAsked = false) =>
    isAsked ? 'Sign in again.' : `Run ${signIn} to sign in.`,
  ),
  'auth-grant-missing': row(
    AUTH,
    'platform',
    'Ask its operators to enable authorization_code and refresh_token for this client.',
  ),
  'auth-method-missing': row(
    AUTH,
    'you',
    `Sign in another way, or ask its operators to allow this one; ${SETUP} values lists what a client needs.`,
  ),
  'auth-redirect-refused': row(
    AUTH,
    'you',
    `Register this redirect URL for the client, or ask the operators to; ${SETUP} values lists what it needs.`,
  ),
  'auth-client-confidential': row(
    AUTH,
    'platform',
    `Ask its operators to register a public client for people; ${SETUP} values lists what it needs.`,
  ),
  'auth-pkce-missing': row(
    AUTH,
    'platform',
    'Ask the identity provider’s operators to enable PKCE with S256 for this client.',
  ),
  'auth-pkce-unlisted': row(
    AUTH,
    'you',
    orByFlag(
      'Ask its operators whether it supports PKCE with S256. If it does, you can sign in anyway.',
      'Pass --assume-pkce to do so.',
    ),
  ),
  'auth-par-required': row(
    AUTH,
    'platform',
    'Ask its operators to publish the endpoint for pushed authorization requests, or not to require them of this client.',
  ),
  'auth-dpop-required': row(
    AUTH,
    'platform',
    'Ask its operators not to require DPoP of this client: this program does not support it.',
  ),
  'auth-scope-refused': row(
    AUTH,
    'you',
    orByFlag('Ask its operators to allow these scopes, or request others.', 'Name those with --scopes.'),
  ),
  'auth-client-unknown': row(
    AUTH,
    'you',
    orByFlag(
      'Check the client ID if you entered it yourself. If you did not, nothing is wrong here: ask the identity provider’s operators to register that client.',
      'Pass another one with --client-id.',
    ),
  ),
  'auth-scope-missing': row(
    AUTH,
    'you',
    orByFlag(
      'Sign in again and ask for it.',
      withSignInCommand(signIn => `Run ${signIn} --scopes "…".`),
    ),
  ),
  'auth-audience-wrong': row(
    AUTH,
    'you',
    orByFlag(
      'Ask the identity provider’s operators to issue tokens for that audience, or sign in again and name it.',
      withSignInCommand(signIn => `Run ${signIn} --audience NAME.`),
    ),
  ),
  'auth-client-disabled': row(AUTH, 'platform', 'Ask its operators to enable the client.'),
  'auth-service-account-off': row(
    AUTH,
    'platform',
    'Ask its operators to allow this client the grant type client_credentials.',
  ),
  'auth-consent-required': row(
    AUTH,
    'platform',
    'Ask an administrator of the identity provider to grant the permissions.',
  ),
  'auth-interaction-required': row(AUTH, 'you', bySigningIn('Sign in again and complete what the browser asks for')),
  'auth-token-opaque': row(AUTH, 'platform', 'Ask its operators to issue JWT access tokens to this client.'),
  'auth-declined': row(AUTH, 'you', 'Sign in again and approve the request this time.'),
  'auth-authorization-failed': row(
    AUTH,
    'platform',
    `Ask the identity provider’s operators to compare the client’s redirect URL and scopes with what ${SETUP} values lists.`,
  ),
  'auth-issuer-mismatch': row(
    AUTH,
    'you',
    'Sign in again, using a new window. If it happens again, do not trust this identity provider.',
  ),
  'auth-sign-in-timeout': row(
    AUTH,
    'you',
    orByFlag(
      'Sign in again. If your browser does not come back, paste the address that it ended up at.',
      withSignInCommand(signIn => `For that, run ${signIn} in a terminal.`),
    ),
  ),
  'auth-sign-in-pending': row(PENDING, 'you', `Type the code there, then run ${SETUP} login --resume.`),
  'auth-device-missing': row(AUTH, 'you', bySigningIn('Sign in through a browser')),
  'auth-grant-refused': row(AUTH, 'you', bySigningIn('Sign in again')),
  'auth-id-token-refused': row(
    AUTH,
    'you',
    'Sign in again. If it happens again, tell the identity provider’s operators: its ID tokens are invalid.',
  ),
  'auth-clock': row(AUTH, 'you', 'Correct this computer’s clock, then sign in again.'),
  'auth-endpoint-foreign': row(
    AUTH,
    'platform',
    'Ask the identity provider’s operators whether that address is theirs. Until you know, don’t sign in there.',
  ),
  'auth-client-refused': row(
    AUTH,
    'you',
    'Check the client ID and the client secret: one is wrong, or the secret was reset. If both are right, ask the identity provider’s operators whether the client still exists.',
  ),
  'auth-method-refused': row(
    AUTH,
    'platform',
    'Ask the identity provider’s operators to allow this client the grant client_credentials, with a secret that is sent as client_secret_basic or client_secret_post.',
  ),
  'auth-resource-refused': row(
    AUTH,
    'you',
    orByFlag(
      'Sign in without a resource, or ask the identity provider’s operators to register the MCP server’s address as one (RFC 8707).',
      withSignInCommand(signIn => `Run ${signIn} --resource none.`),
    ),
  ),
  'auth-admin-refused': row(AUTH, 'you', 'Check the administrator’s username and password.'),
  'auth-recipe-closed': row(
    AUTH,
    'you',
    'Sign in with an existing MCP client, or ask an administrator to create a confidential client with client_credentials and client_secret_basic.',
  ),
  'auth-application-unknown': row(
    AUTH,
    'you',
    orByFlag('Copy the Application ID of the Sample App from the developer portal.', 'Pass it with --application-id.'),
  ),
  'auth-permission-missing': row(
    AUTH,
    'you',
    `Sign in with an account that is allowed to do this, or ask an administrator to allow yours. ${AFTER_UPGRADE}`,
  ),
  'auth-no-role': row(
    AUTH,
    'you',
    `Ask an administrator to give this account a role, or sign in with an account that has one. ${AFTER_UPGRADE}`,
  ),
  'auth-token-refused': row(
    AUTH,
    'you',
    'Sign in again. If it is refused again, ask the platform’s operators to compare the token’s issuer and audience with what the server expects.',
  ),
  'auth-client-exists': row(
    AUTH,
    'you',
    'Use the existing client with its secret, choose another client ID, or set a new secret.',
  ),

  ...platformRows,

  ...localRows,

  'warnings-only': row(1, 'you', 'Read them; nothing is broken.'),

  bug: row(70, 'us', 'Please report it with the lines above: it is a fault in platform-setup.'),
  cancelled: row(130, 'you', `Run ${SETUP} to continue. Nothing was left half done.`),
} as const satisfies Record<string, Row>;
