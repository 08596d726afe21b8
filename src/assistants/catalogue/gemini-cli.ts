import {isWithin} from '../../domain/paths.ts';
import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program, remoteHttp} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dashedNames} from '../names.ts';
import {inProject, join} from '../place.ts';
import {at} from '../trust.ts';
import {geminiDirectory, geminiRules} from './gemini-rules.ts';

/** From its own announcement. Organisations' accounts and API keys still work (seen with 0.61). */
const ENDED =
  'Since 18 June 2026 Gemini CLI no longer takes personal accounts: with one, connect Antigravity instead, whose command is agy.';

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
    kept: ['excludeTools', 'includeTools', 'timeout', 'trust'],
    shown: ['type', 'url', 'command', 'args', 'httpUrl', 'description'],
    header: remoteHttp,
    command: program,
    read: readerOf({url: ['httpUrl', 'url'], types: [undefined, 'http']}),
  },
  // This URI requires `oauth.redirectUri` in the entry; otherwise it listens on a free port.
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
    'Gemini CLI starts no server in a folder that is not trusted: trust it when it asks.',
  ],
};
