import {tomlTable} from '../editors/toml-tree.ts';
import {type HandedOut, type Managed, seenOnLinux} from '../managed.ts';
import {codexSystem} from './codex-rules.ts';

/**
 * Entries start the bridge: it runs with any version, and while nobody has signed in, it offers a tool to do so.
 *
 * A person's entry of the same name would be merged with the organisation's, key by key, and Codex does not start with an
 * address and a program in one: so the organisation's have names of their own. The list has one identity for each name:
 * the program where the organisation gives the server; where people connect it themselves, the address with all tools,
 * since their programs lie in different places.
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
