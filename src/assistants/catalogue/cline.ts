import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';
import {listedIn} from '../rules.ts';
import {at} from '../trust.ts';
import {codeUser} from './vscode.ts';

const directory = (place: Place) => directoryIn(place, 'CLINE_DIR') ?? inHome(place, '.cline');

const dataDirectory = (place: Place) => directoryIn(place, 'CLINE_DATA_DIR') ?? join(place, directory(place), 'data');

/** `CLINE_MCP_SETTINGS_PATH` names the file itself. */
const settings = (place: Place) =>
  directoryIn(place, 'CLINE_MCP_SETTINGS_PATH') ??
  join(place, dataDirectory(place), 'settings', 'cline_mcp_settings.json');

const read = readerOf({types: ['streamableHttp'], commandTypes: [undefined, 'stdio']});

/** The older location, until the extension has moved the file to the new one. */
const legacy = (place: Place) =>
  codeUser(place, 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json');

/** If one entry has a wrong `type`, Cline loads none of them. */
export const cline: Assistant = {
  id: 'cline',
  name: 'Cline',
  files: (scope, place) => (scope === 'user' ? [settings(place), legacy(place)] : []),
  traces: place => [directory(place), codeUser(place, 'globalStorage', 'saoudrizwan.claude-dev')],
  command: 'cline',
  format: json('mcpServers', 'strict', {refusesMark: true}),
  entry: {
    preserved: ['alwaysAllow', 'autoApprove', 'disabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    header: entry => ({type: 'streamableHttp', ...remote(entry), disabled: false}),
    command: entry => ({...program(entry), disabled: false}),
    read: entry => read(recordIn(entry)?.transport ?? entry),
  },
  names: dottedNames,
  // From its documentation: the organisation's configuration is cached in each project.
  rules: {
    language: 'JSON',
    files: place => [inProject(place, '.cline', 'remote-config', 'cache', 'bundle.json')],
    isOfOrganisation: true,
    blocks: ([bundle], {name, connection}) => {
      const config = at(bundle, 'remoteConfig');
      if (connection.kind !== 'command') return at(config, 'blockPersonalRemoteMCPServers') === true;
      const allowed = listedIn([config], 'allowedMCPServers');
      const isListed = allowed === undefined || allowed.some(listed => at(listed, 'id') === name);
      return at(config, 'mcpMarketplaceEnabled') === false || !isListed;
    },
  },
  afterwards: () => ['Cline’s command line reads the servers at its next start; its extension does so at once.'],
};
