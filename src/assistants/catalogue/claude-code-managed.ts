import {jsonText, type Managed, seenOnLinux} from '../managed.ts';
import {managedPath} from './claude-code-rules.ts';
import {allowedIn} from './copilot-managed.ts';

/** A file of its own among those of the directory, so that an administrator's other settings stay as they are. */
const ALLOW_LIST = 'platform-setup.json';

/**
 * Entries start the bridge: it runs with any version, and while nobody has signed in, it offers a tool to do so.
 *
 * What people connect for themselves may run the helper, which counts by its address, with or without the tools that were
 * asked for; or the bridge, which counts by its name, as the program that it starts lies elsewhere for each of them.
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
