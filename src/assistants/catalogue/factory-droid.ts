import {type Assistant, dottedNames} from '../assistant.ts';
import type {Connection} from '../connection.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, forEverybody, inProject, join, type Place} from '../place.ts';
import type {Rules} from '../rules.ts';
import {at, textsIn} from '../trust.ts';

/** Returns the person's own directory. `FACTORY_HOME_OVERRIDE` names a home directory. */
export const droidDirectory = (place: Place): string =>
  join(place, directoryIn(place, 'FACTORY_HOME_OVERRIDE') ?? place.home, '.factory');

/**
 * Seen with 0.215: the organisation's policy applies if it is enabled, otherwise the person's own. A server with an
 * address is judged only by its host; a server with a command by the command and its arguments, comparing only letters
 * and digits.
 */
export const droidRules: Rules = {
  language: 'JSON',
  files: place => [
    join(place, forEverybody(place, 'factory', 'Factory'), 'settings.json'),
    join(place, droidDirectory(place), 'settings.json'),
  ],
  blocks: (values, {connection}) => {
    const policy = values.map(value => at(value, 'mcpPolicy')).find(one => at(one, 'enabled') === true);
    return policy !== undefined && !textsIn(at(policy, 'allowlist')).some(listed => isFor(listed, connection));
  },
};

const isFor = (listed: string, connection: Connection): boolean => {
  if (connection.kind === 'command') {
    const wanted = bare(listed);
    return wanted !== '' && [connection.command, ...connection.args].some(part => bare(part).includes(wanted));
  }
  const host = URL.canParse(connection.url) ? dotless(new URL(connection.url).hostname) : '';
  const wanted = hostIn(listed);
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
};

const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

const dotless = (host: string) => host.toLowerCase().replace(/\.$/, '');

/** Returns the host of a list entry, which is either a host or a web address. */
const hostIn = (listed: string) => {
  if (!URL.canParse(listed)) return dotless(listed.trim());
  const {protocol, hostname} = new URL(listed);
  return /^https?:$/.test(protocol) ? dotless(hostname) : '';
};

export const factoryDroid: Assistant = {
  id: 'factory-droid',
  name: 'Factory Droid',
  files: (scope, place) => [
    scope === 'user' ? join(place, droidDirectory(place), 'mcp.json') : inProject(place, '.factory', 'mcp.json'),
  ],
  traces: place => [droidDirectory(place)],
  command: 'droid',
  // Seen with 0.215: it ignores a file that has a trailing comma or a byte order mark.
  format: json('mcpServers', 'comments', {refusesMark: true}),
  entry: {
    preserved: ['connectTimeout', 'disabledTools', 'enabledTools', 'timeout'],
    off: ['disabled', true],
    shown: ['type', 'url', 'command', 'args'],
    // Like `--no-oauth`: Droid then reports a refusal as it is.
    header: entry => ({...remoteHttp(entry), oauth: false, disabled: false}),
    command: entry => ({type: 'stdio', ...program(entry), disabled: false}),
    // Droid takes an entry without a type for a program.
    read: readerOf({types: ['http'], commandTypes: [undefined, 'stdio']}),
  },
  names: dottedNames,
  rules: droidRules,
  // Seen with 0.215.
  defersTools: true,
  afterwards: () => ['Start Droid again; its /mcp shows the servers.'],
};
