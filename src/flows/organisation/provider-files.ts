import type {Assistant} from '../../assistants/assistant.ts';
import {jsonText} from '../../assistants/managed.ts';
import {redirectAddresses} from '../../assistants/redirects.ts';
import {SETUP} from '../../setup-command.ts';
import type {KitFile} from './kit-file.ts';

type About = {
  readonly assistants: readonly Assistant[];
  /** The addresses of the MCP servers. */
  readonly servers: readonly string[];
  readonly issuer: string;
  readonly client: {readonly clientId: string; readonly scopes: readonly string[]};
  /** Where the browser returns to after a person's sign-in. */
  readonly redirectUri: string;
  /** What to click and type at this kind of identity provider. */
  readonly guide: {readonly text: string; readonly isTried: boolean};
};

/** What the operators of the identity provider need: the redirect addresses of every client, and how to register them. */
export const providerFiles = ({assistants, servers, issuer, client, redirectUri, guide}: About): readonly KitFile[] => {
  const clients = [
    {
      for: 'People, who sign in with this program',
      clientId: client.clientId,
      kind: 'public',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: client.scopes,
      redirectUris: [redirectUri],
    },
    {
      for: 'Assistants that sign in by themselves. Leave it out if none does.',
      kind: 'public',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: client.scopes,
      redirectUris: redirectAddresses(assistants, servers),
    },
  ];
  return [
    {
      path: 'identity-provider/clients.json',
      text: jsonText({issuer, clients}),
      does: 'Lists the clients to register at the identity provider, with all redirect addresses.',
      checked: 'Each address was seen in use, or is taken from the client’s documentation.',
    },
    {
      path: 'identity-provider/set-up.txt',
      text: `${elsewhere(guide.text)}\n`,
      does: 'Says what to click and type at this kind of identity provider.',
      checked: guide.isTried ? 'Tried on the identity provider itself.' : 'Taken from its documentation; not tried.',
    },
  ];
};

/** As commands are typed where this program is not installed. */
const elsewhere = (text: string): string => text.replaceAll(SETUP, 'npx platform-setup');
