import {allAssistants} from '../../assistants/catalogue/all.ts';
import type {CommandHandler} from '../../command-line/command.ts';
import {formatTable, widthOf} from '../../command-line/output/format-table.ts';
import {reachServer} from '../../command-line/reach-server.ts';
import {toolsIn} from '../../command-line/tools-flag.ts';
import {readingAmong} from '../../domain/reading-tools.ts';
import {costOf, describeCost} from '../../domain/tool-sets.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {describeTools} from '../../flows/platform-tools/call-tool.ts';
import type {Tool} from '../../mcp/client.ts';
import {firstSentence} from '../../sentence.ts';

/** `setup mcp tools SERVER [TOOL]`: shows the tools of a server, or the arguments of one tool. */
export const runMcpTools: CommandHandler = async invocation => {
  const {flags, args, terminal} = invocation;
  const {url, run, reading} = await reachServer(invocation);
  const every = await run(describeTools);
  const tools = toolsIn(flags) === 'look' ? readingAmong(every, reading) : every;
  const wanted = args[1];
  const shown = wanted === undefined ? tools : tools.filter(({name}) => name === wanted);
  if (wanted !== undefined && shown.length === 0) {
    throw new SetupError('input-invalid', `${url} has no tool ${wanted}.`, {
      remedy: phrase`See ${setup('mcp tools', args[0])}.`,
    });
  }
  if (flags.json) {
    terminal.stdout.writeJson({url, tools: shown, tokens: costOf(shown).tokens});
  } else if (wanted !== undefined) {
    for (const tool of shown) terminal.stdout.write(await describe(tool));
  } else {
    const rows = shown.map(({name, description = ''}) => [name, firstSentence(description)]);
    terminal.stdout.write(await formatTable([['TOOL', 'WHAT IT DOES'], ...rows], widthOf(terminal)));
    const names = allAssistants.flatMap(({name, defersTools}) => (defersTools ? [name] : []));
    terminal.stdout.write(`\n${describeCost(costOf(shown))} in each conversation.\n`);
    terminal.stdout.write(`Fewer in assistants that look up tools only when needed: ${names.join(', ')}.\n`);
  }
};

type Property = {readonly type?: unknown; readonly description?: string; readonly enum?: readonly unknown[]};

const describe = async ({name, description = '', inputSchema}: Tool): Promise<string> => {
  const {properties = {}, required = []} = inputSchema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([key, property]) => [
    `  ${key}`,
    property.enum ? property.enum.join('|') : [property.type].flat().join('|'),
    required.includes(key) ? 'required' : '',
    property.description ?? '',
  ]);
  return `${name}\n\n${description}\n\n${rows.length === 0 ? 'It takes no arguments.\n' : `Arguments\n${await formatTable(rows)}`}`;
};
