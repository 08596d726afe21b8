import {directoryIn, forEverybody, join, type Place} from '../place.ts';
import {givenIn, isOverruled, listedIn, type Rules} from '../rules.ts';
import {at, textsIn} from '../trust.ts';

/** The person's own directory. The variable names a home directory. */
export const geminiDirectory = (place: Place): string =>
  join(place, directoryIn(place, 'GEMINI_CLI_HOME') ?? place.home, '.gemini');

/** One variable names the file of each; the defaults lie beside the settings else. */
const systemFiles = (place: Place): readonly [defaults: string, settings: string] => {
  const usual =
    place.system === 'win32' ? 'C:\\ProgramData\\gemini-cli' : forEverybody(place, 'gemini-cli', 'GeminiCli');
  const settings = directoryIn(place, 'GEMINI_CLI_SYSTEM_SETTINGS_PATH') ?? join(place, usual, 'settings.json');
  const defaults = directoryIn(place, 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH');
  return [defaults ?? join(place, settings, '..', 'system-defaults.json'), settings];
};

/** Names count whatever their case. */
const namesIn = (value: unknown): readonly string[] => textsIn(value).map(name => name.toLowerCase().trim());

/**
 * Seen with 0.61: a server has to be in every list of allowed ones, and in none of those that are excluded, the person's
 * list among them. What the system settings say of an entry comes over the person's own.
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
