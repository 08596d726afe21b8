import {allAssistants} from '../../assistants/catalogue/all.ts';
import type {CommandHandler} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/context/current-context.ts';
import {finishWriting} from '../../command-line/output/finish.ts';
import {tellDisconnected} from '../../command-line/output/tell-disconnected.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {readPlace} from '../../command-line/read-place.ts';
import {assistantIds} from '../../command-line/wizard/wizard-input.ts';
import {SetupError} from '../../errors/errors.ts';
import {disconnectAssistants} from '../../flows/assistants/entry.ts';
import {SETUP} from '../../setup-command.ts';

/** `setup mcp disconnect [ASSISTANT…]`: takes the entries of a deployment out again; all of them, or those of the named. */
export const runMcpDisconnect: CommandHandler = async invocation => {
  const {flags, args, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, invocation);
  const ids = await assistantIds(args, `${SETUP} mcp disconnect`);
  const stranger = ids.find(id => !context.entries?.some(({assistant}) => assistant === id));
  if (stranger !== undefined) {
    throw new SetupError('input-invalid', `${stranger} is not connected to ${context.name}.`, {
      remedy: `See ${SETUP} mcp list.`,
    });
  }
  const chosen = ({assistant, scope}: {assistant: string; scope: string}) =>
    (ids.length === 0 || ids.includes(assistant)) && (flags.scope === undefined || flags.scope === scope);
  const results = await finishWriting(
    disconnectAssistants({context, assistants: allAssistants, chosen}, ports, signal),
    terminal,
  );
  if (flags.json) {
    terminal.stdout.writeJson({context: context.name, disconnected: results});
    return;
  }
  const {home} = readPlace(env);
  if (results.length === 0) terminal.stdout.write(`No assistant is connected to ${context.name}.\n`);
  tellDisconnected(results, home, terminal);
};
