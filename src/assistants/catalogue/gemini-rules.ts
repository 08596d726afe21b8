import {directoryIn, forEverybody, join, type Place} from '../place.ts';
import {givenIn, isOverruled, listedIn, type Rules} from '../rules.ts';
import {at, textsIn} from '../trust.ts';

/** Returns the person's own directory. `GEMINI_CLI_HOME` names a home directory. */
export const geminiDirectory = (place: Place): string =>
  join(place, directoryIn(place, 'GEMINI_CLI_HOME') ?? place.home, '.gemini');

/** Returns the two system files. A variable can name each. If none does, the defaults are next to the settings. */
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
  gives: ([_, ...system]) => givenIn(system, 'mcpServers'),
  blocks: (values, entry) => {
    const lists = values.map(value => at(value, 'mcp'));
    const name = entry.name.toLowerCase();
    if (namesIn(listedIn(lists, 'excluded')).includes(name)) return true;
    const allowed = lists.map(list => at(list, 'allowed')).filter(list => Array.isArray(list));
    if (allowed.some(list => !namesIn(list).includes(name))) return true;
    return isOverruled(values.slice(2), 'mcpServers', entry);
  },
};
