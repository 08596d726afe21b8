import {tomlTable} from '../editors/toml-tree.ts';
import {type HandedOut, type Managed, seenOnLinux} from '../managed.ts';
import {codexSystem} from './codex-rules.ts';

/**
 * The entries start the bridge: it works with any version, and offers a tool to sign in while nobody is signed in.
 *
 * Codex merges a person's entry with the organisation's entry of the same name, key by key, and does not start if the
 * result has both an address and a program. So the organisation's entries have names of their own.
 *
 * `requirements.toml` lists one identity for each permitted name. For a server that the organisation provides, the
 * identity is the command of its entry. For a server that people connect themselves, it is the server's address,
 * reduced to the tools that the organisation allows, because the path of the program differs from person to person.
 */
export const codexManaged: Managed = {
  method: 'bridge',
  files: (place, servers) => [
    {
      path: codexSystem(place, 'config.toml'),
      text: tomlText(servers.map(({name, entry}) => [['mcp_servers', givenName(name)], entry])),
      does: 'Gives everyone these servers in Codex.',
      handling: ['servers'],
      ...seenOnLinux(place, SEEN),
    },
    {
      path: codexSystem(place, 'requirements.toml'),
      text: tomlText(servers.map(server => [['mcp_servers', givenName(server.name), 'identity'], identityOf(server)])),
      does: 'Stops people from using other servers in Codex.',
      handling: ['servers'],
      ...seenOnLinux(place, SEEN),
    },
    {
      path: codexSystem(place, 'requirements.toml'),
      text: tomlText(
        servers.map(({name, url, narrowed = url}) => [['mcp_servers', name, 'identity'], {url: narrowed}]),
      ),
      does: 'Lets everyone connect these servers, and no others, to Codex with the helper.',
      handling: ['allow-list'],
      ...seenOnLinux(place, SEEN),
    },
  ],
};

const SEEN = '0.169.0';

const givenName = (name: string) => `org-${name}`;

const identityOf = ({connection, url}: HandedOut): object =>
  connection.kind === 'command' ? {command: connection.command} : {url};

const tomlText = (tables: readonly (readonly [keys: readonly string[], values: object])[]): string =>
  tables.map(([keys, values]) => `${tomlTable(keys, values).join('\n')}\n`).join('\n');
