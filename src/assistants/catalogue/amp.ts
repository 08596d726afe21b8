import {sha256} from '../../domain/fingerprint.ts';
import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {program, remote} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {configHome, inProject, join, type Place} from '../place.ts';
import {at} from '../trust.ts';

const directory = (place: Place) => join(place, configHome(place), 'amp');

/** If both files exist, Amp reads only the first; so the first must not be created beside the second. */
const names = ['settings.json', 'settings.jsonc'];

/**
 * Computes Amp's hash of an entry (`specHash`): over its command, arguments and variables, or over its address, headers
 * and transport. Other members do not change the hash.
 */
const hashOf = (entry: unknown): string => {
  const {url, headers = {}, transport = 'http', command, args = [], env = {}} = recordIn(entry) ?? {};
  const does = url === undefined ? {type: 'command', command, args, env} : {type: 'url', url, headers, transport};
  return sha256(JSON.stringify(does));
};

export const amp: Assistant = {
  id: 'amp',
  name: 'Amp',
  files: (scope, place) =>
    names.map(name => (scope === 'user' ? join(place, directory(place), name) : inProject(place, '.amp', name))),
  traces: place => [directory(place)],
  command: 'amp',
  // One key that contains a dot.
  format: json('amp.mcpServers', 'lenient', {refusesMark: true}),
  entry: {
    preserved: ['includeTools', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    header: remote,
    command: program,
    read: readerOf({}),
  },
  names: dottedNames,
  // Seen with 0.0.1790142911: an answer applies in every folder, to entries of the same name with the same hash.
  trust: {
    language: 'JSON',
    files: ({place, folder}) => [
      ...names.map(name => join(place, directory(place), name)),
      ...names.map(name => join(place, folder, '.amp', name)),
    ],
    approves: 'amp mcp approve',
    standing: ([settings, other, project, otherProject], question) => {
      const rules = at(settings ?? other, 'amp.mcpTrustedServers');
      const servers = at(project ?? otherProject, 'amp.mcpServers');
      const answers = question.names.map(name => {
        const hash = hashOf(at(servers, name));
        const answer = (Array.isArray(rules) ? rules : []).find(
          one => at(one, 'serverName') === name && at(one, 'specHash') === hash,
        );
        return at(answer, 'allow');
      });
      if (answers.includes(false)) return 'refused';
      return answers.every(answer => answer === true) ? 'trusted' : 'unapproved';
    },
  },
  afterwards: scope => [
    'Restart Amp.',
    ...(scope === 'project' ? ['In this folder, run amp mcp approve NAME for each server.'] : []),
  ],
};
