import type {CommandHandler} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/context/current-context.ts';
import {answersOf, keptSecret} from '../../command-line/context/saved-context.ts';
import {saysNetwork} from '../../command-line/network-flags.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {runEither} from '../../command-line/wizard/run-either.ts';
import {assistantIds, inShape, readWizardInput, usualConnection} from '../../command-line/wizard/wizard-input.ts';
import {SetupError} from '../../errors/errors.ts';
import {keepNetwork} from '../../flows/deployment/network.ts';
import {SETUP} from '../../setup-command.ts';
import {initialState} from '../../state/model.ts';
import {splitPasted, tellPasted} from './paste.ts';

/**
 * `setup mcp connect [ASSISTANT…]`: writes entries for the MCP servers of a saved deployment into assistants' files,
 * or renews those that are there. It is the last part of the wizard by itself.
 */
export const runMcpConnect: CommandHandler = async invocation => {
  const {args} = invocation;
  const {context: saved, ports} = await currentContext(portsOf(invocation), invocation);
  const context = saysNetwork(invocation.flags) ? await keepNetwork(saved, ports) : saved;
  const {pasted, others} = splitPasted(args);
  for (const one of pasted) tellPasted(one, context, invocation);
  if (pasted.length > 0 && others.length === 0) return;
  const {settings, answers} = await readWizardInput(invocation, ports, context);
  const named =
    args.length === 0
      ? {}
      : {
          connect: {
            ...usualConnection(settings.connect ?? {}),
            assistants: inShape(await assistantIds(others, `${SETUP} mcp connect`), invocation.flags),
          },
        };
  if (args.length > 0 && answers.connect) {
    throw new SetupError('input-usage', 'Name the assistants either as arguments or with --assistants, not both.');
  }
  const again = answersOf(context, {}, await keptSecret(context, ports.credentials));
  const {connect} = {...answers, ...named};
  const known = {...settings, saved: context, again};
  await runEither(
    initialState(known, {...again, deploymentAccepted: true, resume: 'connect', ...(connect ? {connect} : {})}),
    ports,
    invocation,
  );
};
