import {join, type Place, programData} from '../place.ts';
import {entriesAt, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/** Returns a path in the directory for an administrator's settings, which apply to everyone. */
export const codexSystem = (place: Place, name: string): string =>
  place.system === 'win32' ? join(place, programData(place), 'OpenAI', 'Codex', name) : join(place, '/etc/codex', name);

/** Seen with 0.169: if servers are listed, a server is allowed only if its name is listed with its identity. */
export const codexRules: Rules = {
  language: 'TOML',
  files: place => [codexSystem(place, 'requirements.toml'), codexSystem(place, 'config.toml')],
  gives: ([_, config]) => entriesAt(config, 'mcp_servers'),
  blocks: ([requirements], {name, connection}) => {
    const listed = at(requirements, 'mcp_servers');
    if (listed === undefined) return false;
    const identity = at(listed, name, 'identity');
    return connection.kind === 'command'
      ? at(identity, 'command') !== connection.command
      : at(identity, 'url') !== connection.url;
  },
};
