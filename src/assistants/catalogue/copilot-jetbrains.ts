import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {configHome, join, localData, type Place} from '../place.ts';

/** One directory for all JetBrains IDEs, named after the first of them. */
const directory = (place: Place) =>
  join(place, place.system === 'win32' ? localData(place) : configHome(place), 'github-copilot', 'intellij');

/** GitHub Copilot as a plugin for JetBrains IDEs. */
export const copilotJetbrains: Assistant = {
  id: 'copilot-jetbrains',
  name: 'Copilot in JetBrains',
  files: (scope, place) => (scope === 'user' ? [join(place, directory(place), 'mcp.json')] : []),
  traces: place => [directory(place)],
  format: json('servers'),
  entry: {
    preserved: ['timeout', 'tools'],
    shown: ['type', 'url', 'command', 'args'],
    header: entry => ({url: entry.url, requestInit: {headers: headersOf(entry)}}),
    command: entry => ({type: 'stdio', ...program(entry)}),
    read: readerOf({headers: ['requestInit', 'headers'], commandTypes: [undefined, 'stdio']}),
  },
  names: dottedNames,
  afterwards: () => ['If Copilot’s tools do not list the servers, restart the IDE. They work in Agent mode only.'],
};
