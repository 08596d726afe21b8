import {AUTH, bySigningIn, INPUT, LOCAL, PLATFORM, type Row, row} from './error-row.ts';
import {networkRows} from './error-table-network.ts';

export type {Whose} from './error-row.ts';

/**
 * Every way this program can fail, with the exit code, whose turn it is, and what to do next.
 * Adding a row here is what makes a code exist; a remedy that knows more is given where the error is thrown.
 */
export const errorTable = {
  'input-required': row(INPUT, 'you', 'Pass the flag that the message names, or run in a terminal.'),
  'input-invalid': row(INPUT, 'you', 'Correct the value and run the command again.'),
  'input-usage': row(INPUT, 'you', 'See npx setup --help.'),

  ...networkRows,

  'auth-sign-in-required': row(AUTH, 'you', (signIn = 'npx setup') => `Run ${signIn} to sign in.`),
  'auth-grant-missing': row(
    AUTH,
    'platform',
    'Have its operators switch authorization_code and refresh_token on for this client.',
  ),
  'auth-method-missing': row(
    AUTH,
    'platform',
    'Register a client of the kind that the message names; npx setup values says what it needs.',
  ),
  'auth-redirect-refused': row(
    AUTH,
    'you',
    'Register the client with this redirect URL, or have the operators do it; npx setup values says what it needs.',
  ),
  'auth-client-confidential': row(
    AUTH,
    'platform',
    'Register a public client for people; npx setup values says what it needs.',
  ),
  'auth-pkce-missing': row(
    AUTH,
    'platform',
    'Have the identity provider’s operators switch PKCE with S256 on for this client.',
  ),
  'auth-pkce-unlisted': row(
    AUTH,
    'platform',
    'Ask its operators whether it supports PKCE with S256. If it does, go on with --assume-pkce.',
  ),
  'auth-par-required': row(
    AUTH,
    'platform',
    'Have its operators publish the endpoint for pushed requests, or stop demanding them of this client.',
  ),
  'auth-dpop-required': row(
    AUTH,
    'platform',
    'This program does not support DPoP. Have its operators stop demanding it of this client.',
  ),
  'auth-scope-refused': row(AUTH, 'you', 'Have its operators allow these scopes, or ask for others with --scopes.'),
  'auth-client-unknown': row(AUTH, 'you', 'Check the client ID (--client-id), or have its operators register it.'),
  'auth-client-disabled': row(AUTH, 'platform', 'Have its operators enable the client.'),
  'auth-service-account-off': row(
    AUTH,
    'platform',
    'Have its operators let this client sign in by itself, with the grant type client_credentials.',
  ),
  'auth-consent-required': row(AUTH, 'you', 'Ask an administrator of the identity provider to grant the permissions.'),
  'auth-interaction-required': row(
    AUTH,
    'you',
    bySigningIn(signIn => `Sign in again in the browser, and do what is asked for there: ${signIn}.`),
  ),
  'auth-token-opaque': row(AUTH, 'platform', 'Have its operators give this client access tokens as JWTs.'),
  'auth-declined': row(AUTH, 'you', 'Sign in again, and allow it this time.'),
  'auth-authorization-failed': row(
    AUTH,
    'platform',
    'Compare the client’s redirect URL and scopes with what the identity provider has registered.',
  ),
  'auth-issuer-mismatch': row(
    AUTH,
    'platform',
    'Sign in again, in a fresh window. If it stays, do not trust this identity provider.',
  ),
  'auth-sign-in-timeout': row(AUTH, 'you', 'Check that the platform answers (npx setup status), then sign in again.'),
  'auth-device-missing': row(
    AUTH,
    'you',
    bySigningIn(signIn => `Sign in through a browser: ${signIn}.`),
  ),
  'auth-grant-refused': row(
    AUTH,
    'you',
    bySigningIn(signIn => `Sign in again: ${signIn}.`),
  ),
  'auth-id-token-refused': row(
    AUTH,
    'platform',
    'Sign in again. If it stays, the identity provider’s ID tokens are at fault.',
  ),
  'auth-clock': row(AUTH, 'you', 'Set this machine’s clock right, then sign in again.'),
  'auth-endpoint-foreign': row(AUTH, 'platform', 'Compare the identity provider’s metadata with what its owners say.'),
  'auth-client-refused': row(
    AUTH,
    'you',
    'Check the client ID and the client secret: one is wrong, or the secret was reset.',
  ),
  'auth-method-refused': row(
    AUTH,
    'you',
    'The client may want its secret sent in another way: try it as the other kind of client.',
  ),
  'auth-resource-refused': row(
    AUTH,
    'platform',
    'Have the identity provider’s operators register the MCP server’s address as a resource (RFC 8707).',
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
    'Copy the Application ID of the Sample App from the developer portal: --application-id.',
  ),
  'auth-permission-missing': row(
    AUTH,
    'you',
    'Sign in with an account that may do this, or have an administrator permit it to yours.',
  ),
  'auth-no-role': row(
    AUTH,
    'you',
    'Ask an administrator to give this account a role, or sign in with an account that has one.',
  ),
  'auth-token-refused': row(AUTH, 'platform', 'Compare the token’s issuer and audience with what the server expects.'),
  'auth-client-exists': row(
    AUTH,
    'you',
    'Use the existing client with its secret, choose another client ID, or set a new secret.',
  ),

  'platform-not-found': row(PLATFORM, 'you', 'Enter its base domain (--base-domain), or try npx setup demo.'),
  'platform-unhealthy': row(
    PLATFORM,
    'platform',
    'The service answers, but not as healthy. Tell its operators, who can see why.',
  ),
  'platform-not-json': row(
    PLATFORM,
    'you',
    'Check the address: a sign-in page, a proxy or another program answers there. If it is right, sign in to your network where it asks for that, or tell the operators.',
  ),
  'platform-invalid-answer': row(
    PLATFORM,
    'platform',
    'Try again. If it stays, the server’s version may not be supported.',
  ),
  'platform-no-such-endpoint': row(PLATFORM, 'you', 'Check the address, and that this server is the one it should be.'),
  'platform-error': row(PLATFORM, 'platform', 'Try again in a moment. Details are in the server’s log.'),
  'platform-busy': row(PLATFORM, 'platform', 'Wait a moment, then try again.'),
  'platform-rejected': row(PLATFORM, 'you', 'The server named what it does not accept. Change that and try again.'),
  'platform-observer-missing': row(PLATFORM, 'you', 'Pass --observer-url, or --observer-url none to go on without it.'),
  'platform-mcp-failed': row(
    PLATFORM,
    'platform',
    'The MCP server’s answer does not follow the protocol. See its log for details.',
  ),

  'platform-tool-failed': row(
    PLATFORM,
    'you',
    'The tool says what it did not like. Change the arguments and try again.',
  ),

  'local-config-invalid': row(LOCAL, 'you', 'Mend the file, or move it away and run npx setup again.'),
  'local-file-invalid': row(LOCAL, 'you', 'Mend the file by hand, then try again. Nothing in it was changed.'),
  'local-file-changed': row(
    LOCAL,
    'you',
    'Look at the changes again: the file is not what it was when they were shown.',
  ),
  'local-read-failed': row(LOCAL, 'you', 'Check the permissions of the file and of its directory.'),
  'local-open-to-others': row(
    LOCAL,
    'you',
    'Take the right to write there from the group and from others: chmod go-w.',
  ),
  'local-write-failed': row(LOCAL, 'you', 'Check the directory’s permissions and the free space.'),
  'local-keychain-failed': row(
    LOCAL,
    'you',
    bySigningIn(signIn => `Unlock the keychain, or sign in again: ${signIn}.`),
  ),
  'local-entry-exists': row(
    LOCAL,
    'you',
    'Replace it with --replace, or name this deployment otherwise: --context NAME.',
  ),
  'local-entry-blocked': row(
    LOCAL,
    'you',
    'Ask whoever manages this computer to allow the platform’s servers, or connect another assistant.',
  ),
  'local-entry-failed': row(LOCAL, 'you', 'Connect it anew: npx setup mcp connect. It says more with --debug.'),
  'local-token-in-git': row(
    LOCAL,
    'you',
    'Keep it out of git with --in-git ignore, choose a connection that stores no token (--method bridge), or write it anyway: --in-git write.',
  ),
  'local-nothing-to-undo': row(LOCAL, 'you', 'Take entries out: npx setup mcp disconnect. Sign out: npx setup logout.'),
  'local-credentials-invalid': row(
    LOCAL,
    'you',
    bySigningIn(signIn => `Sign in again: ${signIn}. It keeps the file under another name and begins a new one.`),
  ),
  'local-authority-missing': row(LOCAL, 'you', 'Save the authority to a file, and pass it: --ca-file FILE.'),
  'local-locked': row(LOCAL, 'you', 'Another setup is writing. Wait for it, then try again.'),
  'local-callback-failed': row(
    LOCAL,
    'you',
    bySigningIn(signIn => `Sign in with a code instead: ${signIn} --device.`),
  ),
  'local-port-taken': row(
    LOCAL,
    'you',
    'End that program, or choose another port with --port. Port 0 takes a free one.',
  ),
  'local-sandbox-failed': row(LOCAL, 'us', 'Run npx setup sandbox by itself to see what it says.'),

  'local-report-unsafe': row(
    LOCAL,
    'us',
    'Please report this, without the report. npx setup doctor shows the same on the screen.',
  ),

  'warnings-only': row(1, 'you', 'See what they say; nothing is broken.'),

  bug: row(70, 'us', 'This is a fault in platform-setup. Please report it with the lines above.'),
  cancelled: row(130, 'you', 'Nothing was left half done. Run npx setup to go on.'),
} as const satisfies Record<string, Row>;
