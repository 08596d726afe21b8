import {addressIn, type McpEntry} from '../../domain/mcp-servers.ts';
import {type RunTokens, tokenFor} from '../../domain/tokens.ts';
import type {ToolCost, ToolPreset} from '../../domain/tool-sets.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {listTools} from './list-tools.ts';

type Input = {readonly entry: McpEntry; readonly tools: ToolPreset; readonly tokens: RunTokens};

/**
 * Returns how many tools of a server a preset has, and how much of a conversation they take. Undefined if that cannot
 * be found out: nothing depends on it, and a later step reports the fault.
 */
export const toolCost: Flow<Input, ToolCost | undefined> = ({entry, tools, tokens}, run) =>
  stoppable(run, async run => {
    const headers = {Authorization: `Bearer ${tokenFor(entry.server, tokens).reveal()}`};
    try {
      const found = await listTools({url: addressIn(entry, tools), headers}, run);
      return {tools: found.names.length, tokens: found.tokens};
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      return undefined;
    }
  });
