import {SETUP} from '../../setup-command.ts';

/** Many identity providers offer no codes; if one does, the failure itself says so. */
const CODES = `If the identity provider offers sign-in codes, ${SETUP} login --device needs neither a browser nor a port here.`;

/** The question of a check, and the remedy for its warnings. */
export type CheckExplanation = {readonly name: string; readonly means: string; readonly remedy: string};

/** The explanations by the ID of the check, without its service or assistant. */
export const checkExplanations: Readonly<Record<string, CheckExplanation>> = {
  node: {
    name: 'Node and this program',
    means: 'Shows which Node runs this program, and which version of this program runs.',
    remedy: 'This check never fails. For another Node, change which one comes first on your PATH.',
  },
  proxy: {
    name: 'proxy',
    means: 'Shows which proxy the calls use: from the deployment, the flags or the environment.',
    remedy: 'Pass another proxy with --proxy URL, or none with --proxy none.',
  },
  trust: {
    name: 'trusted authorities',
    means:
      'Shows which certificate authorities are trusted in addition to the system’s. Warns if NODE_TLS_REJECT_UNAUTHORIZED turns certificate checks off for other Node programs.',
    remedy: 'Unset NODE_TLS_REJECT_UNAUTHORIZED, and pass the certificate authority of the platform: --ca-file FILE.',
  },
  config: {
    name: 'saved deployment',
    means: 'Checks whether this program’s configuration can be read.',
    remedy: `Fix the file that the message names, or move it away and run ${SETUP}.`,
  },
  credentials: {
    name: 'stored secrets',
    means: 'Shows where the secrets are stored, and whether only you can read them.',
    remedy: `Run ${SETUP} doctor --fix to close the file to others, unless the check has already done so. If other people use this machine, sign in again afterwards.`,
  },
  'own-files': {
    name: 'directory of this program',
    means: 'Checks whether this program can write to its own directory, where it keeps sign-ins.',
    remedy: 'Check the permissions of the directory that the message names, and the free space.',
  },
  'assistant-files': {
    name: 'files of your assistants',
    means: 'Checks whether the files of your assistants can be parsed.',
    remedy: 'Open the file in an editor, and fix what the message names.',
  },
  name: {
    name: 'name resolution',
    means: 'Checks whether the name in the address can be resolved.',
    remedy: 'Check the spelling, your DNS and your VPN.',
  },
  tcp: {
    name: 'connection',
    means: 'Checks whether a connection to the server can be made.',
    remedy: 'Check that the platform is running, and that no firewall is in between.',
  },
  tls: {
    name: 'certificate',
    means: 'Checks whether the certificate is trusted, and when it expires.',
    remedy: 'Ask the server’s operators to renew a certificate that expires soon.',
  },
  health: {
    name: 'health',
    means: 'Checks whether the service reports that it is healthy.',
    remedy: 'Ask your platform team to check it.',
  },
  clock: {
    name: 'clock',
    means: 'Shows how far this computer’s clock is from the server’s.',
    remedy: 'Correct this computer’s clock, for example by turning network time on.',
  },
  versions: {
    name: 'versions',
    means: 'Checks whether this program supports the platform’s release.',
    remedy: 'Update this program, or ask the platform’s operators to update the platform.',
  },
  resource: {
    name: 'protected resource metadata',
    means: 'Shows how the control plane identifies itself, and checks whether it trusts your identity provider.',
    remedy: 'Ask the platform’s operators to set the control plane’s external address.',
  },
  discovery: {
    name: 'discovery',
    means: 'Checks whether the identity provider says where its endpoints are.',
    remedy: 'Check the address at which this computer reaches the identity provider (--auth-url).',
  },
  issuer: {
    name: 'issuer',
    means: 'Checks whether the identity provider’s issuer matches its address.',
    remedy:
      'Ask the identity provider’s operators which address it gives as its own, and pass that one (--auth-url URL). If you passed --issuer, correct that instead.',
  },
  grants: {
    name: 'grants, PKCE and client authentication',
    means:
      'Checks whether the identity provider offers what a sign-in needs. Without refresh tokens, a sign-in ends when its first token expires.',
    remedy: 'Ask the identity provider’s operators to enable refresh_token for the client.',
  },
  'redirect-url': {
    name: 'client and redirect URL',
    means: 'Checks whether the client is registered with the URL that the browser returns to.',
    remedy: `Register what ${SETUP} provider guide lists, or send it to the identity provider’s operators.`,
  },
  'callback-port': {
    name: 'callback port',
    means: 'Checks whether the port that the browser returns to is free.',
    remedy: `Stop the program that uses it, or run ${SETUP} login in a terminal and paste the address that the browser ended up at. ${CODES}`,
  },
  browser: {
    name: 'browser',
    means: 'Checks whether a browser can be opened here.',
    remedy: `Run ${SETUP} login in a terminal. It prints an address: open that in a browser on any machine, and sign in. Then copy the address at which the browser ends up, and paste it into the terminal. ${CODES}`,
  },
  'own-cli': {
    name: 'the platform’s CLI',
    means: 'Shows how the platform’s own CLI is signed in.',
    remedy: `Do what the warning says about the CLI’s file or address. If the CLI is only signed out, sign it in: ${SETUP} --cli-config.`,
  },
  'sign-in': {
    name: 'sign-in',
    means: 'Checks whether you are signed in, and whether the sign-in can be renewed.',
    remedy: `If the last renewal failed, try once more: ${SETUP} token --renew. If it cannot be renewed, sign in again: ${SETUP} login. If it came without a refresh token, first ask the identity provider’s operators to allow the client the grant refresh_token.`,
  },
  token: {
    name: 'access token',
    means: 'Checks whether there is a valid token.',
    remedy: `Sign in again: ${SETUP} login.`,
  },
  claims: {
    name: 'token contents',
    means: 'Shows who issued the token and which server it is for, and checks that it has not expired.',
    remedy: 'Sign in again. If it happens again, tell the identity provider’s operators.',
  },
  'signing-key': {
    name: 'signing key of the token',
    means: 'Checks whether the identity provider still publishes the key that signed the token.',
    remedy: `Run ${SETUP} status --live: it gets a new token if the key was replaced. If the server still refuses the token, sign in again: ${SETUP} login.`,
  },
  access: {
    name: 'what the account may do',
    means:
      'Checks whether the account has a role. After an upgrade of the platform, roles can be missing for a minute.',
    remedy: 'Wait a minute and check again. If the role is still missing, ask an administrator for one.',
  },
  challenge: {
    name: 'MCP sign-in challenge',
    means: 'Checks whether the MCP server requires a sign-in and says how to sign in.',
    remedy:
      'Ask the platform’s operators to make the server answer 401, with WWW-Authenticate, if a request has no token.',
  },
  mcp: {
    name: 'tools of the MCP server',
    means: 'Checks whether the MCP server lists its tools to this account.',
    remedy: 'Ask the platform’s operators which tools this account may use.',
  },
  'assistants-access': {
    name: 'what the assistants’ account may do',
    means:
      'Checks whether the account has a role that fits its purpose, and whether an account that is meant only to look can also make changes.',
    remedy: 'Ask an administrator of the platform to give the account the role that it needs, and no more.',
  },
  entries: {
    name: 'entries of an assistant',
    means: 'Checks whether the assistant’s entries are there, are used, and reach the servers.',
    remedy: `Do what the warning says. If the entry itself is missing or wrong, connect the assistant again: ${SETUP} mcp connect.`,
  },
};

const PREFIX = 'check-';

/** Returns the code of a check's warnings, which is the same for all of them: `check-tls` for `tls-observer`. */
export const codeOfCheck = (id: string): string => `${PREFIX}${stemOf(id)}`;

/** Returns the explanation of such a code; undefined if it is not one. */
export const explanationOfCheck = (code: string): CheckExplanation | undefined =>
  code.startsWith(PREFIX) ? checkExplanations[code.slice(PREFIX.length)] : undefined;

const stemOf = (id: string): string => {
  if (id in checkExplanations) return id;
  const [first = ''] = id.split('-');
  return first in checkExplanations ? first : 'entries';
};
