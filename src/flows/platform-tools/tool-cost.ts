import {addressIn, type McpEntry} from '../../domain/mcp-servers.ts';
import {type RunTokens, tokenFor} from '../../domain/tokens.ts';
import type {ToolCost, ToolPreset} from '../../domain/tool-sets.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {listTools} from './list-tools.ts';

type Input = {readonly entry: McpEntry; readonly tools: ToolPreset; readonly tokens: RunTokens};

/**
 * How many tools of a server a preset has, and what they take. Undefined where that cannot be found out: nobody waits
 * for it, and what is wrong is said by what comes after.
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
