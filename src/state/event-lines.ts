import {serverName, serviceName, sourceName} from './names.ts';
import {secondSignIn} from './own-tokens.ts';
import type {WizardEvent} from './reducer.ts';
import {shortPath} from './stores/places.ts';

/** A progress line for people without a terminal, or undefined for an event that needs none. */
export const toLine = (event: WizardEvent, home: string): string | undefined => {
  switch (event.type) {
    case 'source-answered':
      return `${sourceName[event.source]}: ${event.detail}`;
    case 'probe-answered':
      return `${serviceName[event.service]}: ${event.url}: ${event.detail} (${event.ms} ms)`;
    case 'layout-decided':
      return `Deployment ${event.baseDomain}: ${event.layout === 'unknown' ? 'layout unknown' : `${event.layout}-cluster`}. ${event.evidence}`;
    case 'secret-taken':
      return `Client ${event.clientId}, with the secret from ${event.from}`;
    case 'second-sign-in':
      return secondSignIn(event.resource);
    case 'sign-in-waiting':
      return `Open this address in a browser and sign in:\n\n${event.url}\n`;
    case 'device-code':
      return `Open ${event.verificationUri} on any machine and type the code:\n\n${event.userCode}\n`;
    case 'paste-refused':
      return 'What was pasted is not the answer to this sign-in.';
    case 'admin-signed-in':
      return `Signed in ${event.username} to create the MCP client`;
    case 'client-created':
      return `Created the MCP client ${event.clientId}`;
    case 'token-obtained':
      return `Signed in as ${event.account}${event.server === undefined ? '' : ` (${serverName[event.server]})`}`;
    case 'health-checked':
      return `${serviceName[event.service]} is healthy (${event.ms} ms)`;
    case 'role-awaited':
      return 'Waiting for a role';
    case 'server-checked':
      return `${serverName[event.server]}: ${event.tools} tools (${event.ms} ms)`;
    case 'assistant-found':
      return `${event.name} is here${event.version ? `, version ${event.version}` : ''}`;
    case 'file-written':
      return `${event.change === 'unchanged' ? 'Left as it is' : 'Written'}: ${shortPath(event.path, home)}`;
    case 'server-verified':
      return `${serverName[event.server]} answers ${event.assistant} through ${shortPath(event.path, home)}: ${event.tools} tools (${event.ms} ms)`;
    case 'warning':
      return `Warning: ${event.message}`;
    default:
      return undefined;
  }
};
