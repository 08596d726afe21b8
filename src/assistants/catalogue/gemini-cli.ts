import {isWithin} from '../../domain/paths.ts';
import {type Assistant, dashedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, forEverybody, inProject, join, type Place} from '../place.ts';
import {entriesForEveryone, isOverruled, listedIn, type Rules} from '../rules.ts';
import {at, textsIn} from '../trust.ts';

/** Returns the person's own directory. `GEMINI_CLI_HOME` names a home directory. */
export const geminiDirectory = (place: Place): string =>
  join(place, directoryIn(place, 'GEMINI_CLI_HOME') ?? place.home, '.gemini');

/**
 * Returns the two system files. A variable can name each of them. Unless its variable is set, the file with the
 * defaults is next to the settings.
 */
const systemFiles = (place: Place): readonly [defaults: string, settings: string] => {
  const usual =
    place.system === 'win32' ? 'C:\\ProgramData\\gemini-cli' : forEverybody(place, 'gemini-cli', 'GeminiCli');
  const settings = directoryIn(place, 'GEMINI_CLI_SYSTEM_SETTINGS_PATH') ?? join(place, usual, 'settings.json');
  const defaults = directoryIn(place, 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH');
  return [defaults ?? join(place, settings, '..', 'system-defaults.json'), settings];
};

/** Returns the names in lower case, because Gemini CLI ignores case. */
const namesIn = (value: unknown): readonly string[] => textsIn(value).map(name => name.toLowerCase().trim());

/**
 * Seen with 0.61: a server must be in every list of allowed servers and in no list of excluded ones. This includes the
 * person's own lists. The system settings override the person's own entry.
 */
export const geminiRules: Rules = {
  language: 'JSON',
  files: place => [join(place, geminiDirectory(place), 'settings.json'), ...systemFiles(place)],
  gives: ([_, ...system]) => entriesForEveryone(system, 'mcpServers'),
  blocks: (values, entry) => {
    const lists = values.map(value => at(value, 'mcp'));
    const name = entry.name.toLowerCase();
    if (namesIn(listedIn(lists, 'excluded')).includes(name)) return true;
    const allowed = lists.map(list => at(list, 'allowed')).filter(list => Array.isArray(list));
    if (allowed.some(list => !namesIn(list).includes(name))) return true;
    return isOverruled(values.slice(2), 'mcpServers', entry);
  },
};

/** From its own announcement. Organisations' accounts and API keys still work (seen with 0.61). */
const ENDED =
  'Since 18 June 2026 Gemini CLI no longer accepts personal accounts. If you have one, connect Antigravity instead; its command is agy.';

export const geminiCli: Assistant = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  files: (scope, place) => [
    scope === 'user'
      ? join(place, geminiDirectory(place), 'settings.json')
      : inProject(place, '.gemini', 'settings.json'),
  ],
  // Antigravity keeps its files in `~/.gemini` too.
  traces: place => [join(place, geminiDirectory(place), 'settings.json')],
  command: 'gemini',
  // It accepts comments, but exits on a trailing comma or a byte order mark.
  format: json('mcpServers', 'comments', {refusesMark: true}),
  entry: {
    preserved: ['excludeTools', 'includeTools', 'timeout', 'trust'],
    shown: ['type', 'url', 'command', 'args', 'httpUrl', 'description'],
    header: remoteHttp,
    command: program,
    read: readerOf({url: ['httpUrl', 'url'], types: [undefined, 'http']}),
  },
  // This URI requires `oauth.redirectUri` in the entry; otherwise Gemini CLI listens on a free port.
  redirects: ['http://localhost:7777/oauth/callback'],
  names: dashedNames,
  // Seen with 0.61: the rule of the nearest folder decides. A rule may apply to the parent of its folder
  // (`TRUST_PARENT`).
  trust: {
    language: 'JSON',
    files: ({place}) => ['trustedFolders.json', 'settings.json'].map(name => join(place, geminiDirectory(place), name)),
    standing: ([folders, settings], {place, folder}) => {
      if (place.env.GEMINI_CLI_TRUST_WORKSPACE === 'true') return 'trusted';
      if (at(settings, 'security', 'folderTrust', 'enabled') === false) return 'trusted';
      const rules = Object.entries(typeof folders === 'object' && folders !== null ? folders : {})
        .map(([path, rule]) => ({path: rule === 'TRUST_PARENT' ? join(place, path, '..') : path, rule}))
        .filter(({path}) => isWithin(folder, path))
        .toSorted((one, other) => other.path.length - one.path.length);
      if (!rules[0]) return 'untrusted';
      return rules[0].rule === 'DO_NOT_TRUST' ? 'refused' : 'trusted';
    },
  },
  rules: geminiRules,
  ended: ENDED,
  afterwards: () => [
    ENDED,
    'Start Gemini CLI again, or run /mcp reload in it.',
    'Trust this folder when Gemini CLI asks; it starts no server until then.',
  ],
};
