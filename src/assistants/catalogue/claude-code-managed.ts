import {jsonText, type Managed, seenOnLinux} from '../managed.ts';
import {managedPath} from './claude-code-rules.ts';
import {allowedIn} from './copilot-managed.ts';

/** A separate file in the directory, so that the administrator's other settings stay unchanged. */
const ALLOW_LIST = 'platform-setup.json';

/**
 * The entries start the bridge: it works with any version, and offers a tool to sign in while nobody is signed in.
 *
 * Entries that people connect themselves may run the helper or the bridge. The helper is matched by its address, with
 * or without the requested tools. The bridge is matched by its name, since the path of its program differs from person
 * to person.
 */
export const claudeCodeManaged: Managed = {
  method: 'bridge',
  files: (place, servers) => {
    const seen = seenOnLinux(place, '2.1.329');
    return [
      {
        path: managedPath(place, 'managed-mcp.json'),
        text: jsonText({mcpServers: Object.fromEntries(servers.map(({name, entry}) => [name, entry]))}),
        does: 'Gives everyone these servers in Claude Code. Nobody can add others.',
        handling: ['servers'],
        ...seen,
      },
      {
        path: managedPath(place, 'managed-settings.d', ALLOW_LIST),
        text: jsonText({allowManagedMcpServersOnly: true, allowedMcpServers: servers.flatMap(allowedIn)}),
        does: 'Lets everyone connect these servers, and no others, to Claude Code.',
        handling: ['allow-list'],
        ...seen,
      },
    ];
  },
};
