import type {Assistant} from './assistant.ts';
import {readerOf} from './connections.ts';
import {program, remoteHttp} from './entries.ts';
import {json} from './formats.ts';
import {dashedNames} from './names.ts';
import {inHome, inProject} from './place.ts';

export const geminiCli: Assistant = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  files: (scope, place) => [
    scope === 'user' ? inHome(place, '.gemini', 'settings.json') : inProject(place, '.gemini', 'settings.json'),
  ],
  // Antigravity keeps its files in ~/.gemini too.
  traces: place => [inHome(place, '.gemini', 'settings.json')],
  command: 'gemini',
  // It reads comments, and ends at a trailing comma.
  format: json('mcpServers', 'comments'),
  entry: {
    header: remoteHttp,
    command: program,
    read: readerOf({url: ['httpUrl', 'url'], types: [undefined, 'http']}),
  },
  names: dashedNames,
  afterwards: () => [
    'Start Gemini CLI again, or run /mcp reload in it.',
    'Gemini CLI starts no server in a folder that is not trusted: trust it when it asks.',
  ],
};
