import {type HandedOut, jsonText, type Managed, seenOnLinux} from '../managed.ts';
import {copilotSettings} from './copilot-rules.ts';

/**
 * One file for Copilot's command line, its plugins and VS Code. It does not provide servers, so with either handling
 * people connect them themselves. Bridge entries are matched by their name, since the path of the program differs from
 * person to person.
 */
export const copilotManaged: Managed = {
  method: 'bridge',
  files: (place, servers) => [
    {
      path: copilotSettings(place),
      text: jsonText({allowedMcpServers: servers.flatMap(allowedIn)}),
      does: 'Lets everyone connect these servers, and no others, to GitHub Copilot and VS Code.',
      handling: ['servers', 'allow-list'],
      ...seenOnLinux(place, '1.0.102'),
    },
  ],
};

/** Returns the list entries that allow a server with any method, with all its tools or fewer. */
export const allowedIn = ({name, url}: HandedOut): readonly object[] => [
  {serverUrl: url},
  {serverUrl: `${url}?*`},
  {serverName: name},
];
