import {text as readAll} from 'node:stream/consumers';
import type {CommandHandler, Invocation} from '../../command-line/command.ts';
import {widthOf} from '../../command-line/output/format-table.ts';
import {showValue} from '../../command-line/output/show-value.ts';
import {reachServer, serverNamed} from '../../command-line/reach-server.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {callTool} from '../../flows/platform-tools/call-tool.ts';
import {readFailure} from '../../ports/files/file-errors.ts';
import {limits, readRegular, UnfitFile} from '../../ports/files/regular-file.ts';

/** `setup mcp call SERVER TOOL [key=value …]`: calls a tool, and prints its answer as a table, as text, or as JSON. */
export const runMcpCall: CommandHandler = async invocation => {
  const {flags, args, terminal} = invocation;
  const [name, tool, ...words] = args;
  const wanted = serverNamed(name);
  if (tool === undefined) {
    throw new SetupError('input-usage', 'The name of a tool is missing.', {
      remedy: phrase`See ${setup('mcp tools', wanted)}.`,
    });
  }
  const object = flags.input === undefined ? {} : {object: await readInput(flags.input, invocation)};
  const {run} = await reachServer(invocation);
  const answer = await run((server, own) => callTool({server, tool, toolArguments: {words, ...object}}, own));
  if (flags.json) terminal.stdout.writeJson(answer.value ?? answer.raw);
  else
    terminal.stdout.write(
      answer.value === undefined ? `${answer.texts.join('\n')}\n` : await showValue(answer.value, widthOf(terminal)),
    );
};

const readInput = async (file: string, {terminal}: Invocation): Promise<Record<string, unknown>> => {
  const text =
    file === '-'
      ? await readAll(terminal.stdin)
      : await readRegular(file, limits.given).then(
          ({bytes}) => bytes.toString('utf8'),
          error => {
            if (!(error instanceof UnfitFile)) throw readFailure(file, error);
            throw readFailure(file, error).saying('', 'Name a file, or - for standard input.');
          },
        );
  const where = file === '-' ? 'Standard input' : file;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new SetupError('input-invalid', `${where} is not a JSON object.`);
};
