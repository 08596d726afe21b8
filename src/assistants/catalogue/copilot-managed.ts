import {type HandedOut, jsonText, type Managed, seenOnLinux} from '../managed.ts';
import {copilotSettings} from './copilot-rules.ts';

/**
 * One file for Copilot's command line, its plugins and VS Code. It gives nobody a server, so people connect these
 * themselves either way. What starts the bridge counts by its name, as the program lies elsewhere for each of them.
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

/** The entries of a list that let people connect a server by any method, with all tools or fewer. */
export const allowedIn = ({name, url}: HandedOut): readonly object[] => [
  {serverUrl: url},
  {serverUrl: `${url}?*`},
  {serverName: name},
];
