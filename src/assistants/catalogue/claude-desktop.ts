import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {applicationData, join, type Place, packagesDirectory} from '../place.ts';

/** Claude Desktop starts programs only: it skips entries with an address. */
export const claudeDesktop: Assistant = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  files: (scope, place) =>
    scope === 'user' ? [join(place, applicationData(place), 'Claude', 'claude_desktop_config.json')] : [],
  traces: place => [join(place, applicationData(place), 'Claude')],
  format: json('mcpServers'),
  entry: {
    preserved: ['alwaysAllow', 'timeout'],
    shown: ['type', 'url', 'command', 'args'],
    command: program,
    read: readerOf({url: []}),
  },
  names: dottedNames,
  afterwards: () => ['Quit Claude Desktop and start it again.'],
};

/**
 * Returns the directories in which Windows stores what the packaged Claude Desktop writes to `%APPDATA%`. A packaged
 * program has its own `%APPDATA%` and does not look into the usual one.
 */
const ofPackages = (place: Place): readonly string[] =>
  (place.system === 'win32' ? (place.packages ?? []) : [])
    .filter(name => /^Claude_/i.test(name))
    .map(name => join(place, packagesDirectory(place), name, 'LocalCache', 'Roaming', 'Claude'));

/**
 * The packaged Claude Desktop. It may exist beside the other one, which an older installer left behind or installed
 * again; each has its own file.
 */
export const claudeDesktopMsix: Assistant = {
  ...claudeDesktop,
  id: 'claude-desktop-msix',
  name: 'Claude Desktop (MSIX)',
  files: (scope, place) =>
    scope === 'user' ? ofPackages(place).map(directory => join(place, directory, 'claude_desktop_config.json')) : [],
  traces: ofPackages,
};
