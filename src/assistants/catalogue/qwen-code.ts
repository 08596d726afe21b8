import type {Assistant} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {headersOf, program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';
import {dashedNames} from '../names.ts';
import {directoryIn, inHome, inProject, join, type Place} from '../place.ts';

const directory = (place: Place) => directoryIn(place, 'QWEN_HOME') ?? inHome(place, '.qwen');

/** A Gemini CLI of its own, in which `url` still means server-sent events. */
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
    kept: ['excludeTools', 'includeTools', 'timeout', 'trust'],
    shown: ['type', 'url', 'command', 'args', 'httpUrl', 'description'],
    header: entry => ({httpUrl: entry.url, headers: headersOf(entry)}),
    command: program,
    read: readerOf({url: ['httpUrl']}),
  },
  names: dashedNames,
  afterwards: () => ['Restart Qwen Code.'],
};
