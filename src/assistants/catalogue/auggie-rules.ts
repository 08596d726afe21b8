import {join, programData} from '../place.ts';
import {givenIn, isOverruled, type Rules} from '../rules.ts';

const key = 'mcpServers';

/** Seen with 0.36: an entry in the settings for everyone replaces the person's own entry of the same name. */
export const auggieRules: Rules = {
  language: 'JSON',
  files: place => [
    place.system === 'win32'
      ? join(place, programData(place), 'augment', 'settings.json')
      : join(place, '/etc/augment/settings.json'),
  ],
  gives: values => givenIn(values, key),
  blocks: (values, entry) => isOverruled(values, key, entry, ['disabled', true]),
};
