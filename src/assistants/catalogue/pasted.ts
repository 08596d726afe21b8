import type {Assistant} from '../assistant.ts';
import {dottedNames} from '../assistant.ts';
import {readerOf} from '../formats/connections.ts';
import {program} from '../formats/entries.ts';
import {json} from '../formats/formats.ts';

/** An assistant whose servers are in no documented file: the person pastes JSON into its settings. */
export type PastedAssistant = {
  readonly assistant: Assistant;
  /** The key of the JSON that holds the entries. */
  readonly key: string;
  /** Where to paste the text, as the rest of a sentence. */
  readonly where: string;
};

const jetBrainsAi: Assistant = {
  id: 'jetbrains-ai',
  name: 'JetBrains AI Assistant',
  files: () => [],
  traces: () => [],
  format: json('mcpServers'),
  entry: {preserved: [], shown: ['command', 'args'], command: program, read: readerOf({url: []})},
  names: dottedNames,
  afterwards: () => ['Press Apply; the settings show whether the servers run.'],
};

export const pastedAssistants: readonly PastedAssistant[] = [
  {
    assistant: jetBrainsAi,
    key: 'mcpServers',
    where: 'the IDE’s settings under Tools, AI Assistant, Model Context Protocol (MCP)',
  },
];
