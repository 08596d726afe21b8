import {forEverybody, join, type Place, programData} from '../place.ts';
import {givenIn, isOverruled, type Rules} from '../rules.ts';

const key = 'mcp';

/**
 * Returns the rules in the directory for everyone, which OpenCode and its forks read last. Each program has a directory
 * of its own name. Seen with OpenCode 1.18 and Kilo Code 7.7: each of the files is read, and overrides the person's and
 * the project's files.
 */
export const openCodeRules = (name: string, files: readonly string[]): Rules => ({
  language: 'JSON',
  files: place => files.map(file => join(place, managedDirectory(place, name), file)),
  gives: values => givenIn(values, key),
  blocks: (values, entry) => isOverruled(values, key, entry, ['enabled', false]),
});

const managedDirectory = (place: Place, name: string) =>
  place.system === 'win32' ? join(place, programData(place), name) : forEverybody(place, name, name);
