import {sha256} from '../../domain/fingerprint.ts';
import type {Assistant} from '../assistant.ts';
import {dashedNames} from '../assistant.ts';
import {readerOf, recordIn} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';
import {at, atFolder} from '../trust.ts';

const directory = (place: Place) => directoryIn(place, 'QWEN_HOME') ?? inHome(place, '.qwen');

/** Computes Qwen Code's hash of an entry: over what the entry does, with sorted keys. */
const hashOf = (entry: unknown): string => {
  const inOrder = (_: string, value: unknown) => {
    const fields = recordIn(value);
    return fields
      ? Object.fromEntries(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  };
  const {scope: _, extensionName: __, description: ___, ...rest} = recordIn(entry) ?? {};
  return sha256(JSON.stringify(rest, inOrder));
};

/** The redirect URI on which Qwen Code listens while a person signs in (from the documentation of 0.24). */
const REDIRECT = 'http://localhost:7777/oauth/callback';

/** A fork of Gemini CLI, in which `url` still means server-sent events. */
export const qwenCode: Assistant = {
  id: 'qwen-code',
  name: 'Qwen Code',
  files: (scope, place) => [
    scope === 'user' ? join(place, directory(place), 'settings.json') : inProject(place, '.qwen', 'settings.json'),
  ],
  traces: place => [directory(place)],
  command: 'qwen',
  format: json('mcpServers', 'comments'),
  entry: {
    preserved: ['excludeTools', 'includeTools', 'timeout', 'trust'],
    shown: ['type', 'url', 'command', 'args', 'httpUrl', 'description'],
    header: entry => ({httpUrl: entry.url, headers: headersOf(entry)}),
    // The form that `qwen mcp add --oauth-client-id` writes (0.24); the redirect URI is Qwen Code's own default.
    oauth: ({url, clientId}) => ({
      httpUrl: url,
      oauth: {enabled: true, clientId, redirectUri: REDIRECT},
    }),
    command: program,
    read: readerOf({url: ['httpUrl'], oauth: ['oauth', 'clientId']}),
  },
  redirects: [REDIRECT],
  names: dashedNames,
  // Seen with 0.24: an answer applies only to exactly the entry that it was given for.
  trust: {
    language: 'JSON',
    files: ({place, folder}) => [
      directoryIn(place, 'QWEN_CODE_MCP_APPROVALS_PATH') ?? join(place, directory(place), 'mcpApprovals.json'),
      join(place, folder, '.qwen', 'settings.json'),
    ],
    approves: 'qwen mcp approve',
    standing: ([approvals, settings], {folder, names}) => {
      const answers = names.map(name => {
        const answer = at(atFolder(approvals, folder), name);
        const isOfNow = at(answer, 'hash') === hashOf(at(settings, 'mcpServers', name));
        return isOfNow ? at(answer, 'status') : undefined;
      });
      if (answers.includes('rejected')) return 'refused';
      return answers.every(answer => answer === 'approved') ? 'trusted' : 'unapproved';
    },
  },
  // Seen with 0.24.
  defersTools: true,
  afterwards: (scope, method) => [
    ...(scope === 'project' ? ['In this folder, run qwen mcp approve NAME for each server.'] : []),
    'Restart Qwen Code.',
    ...(method === 'oauth' ? ['Then open /mcp in Qwen Code and sign in to each server.'] : []),
  ],
};
