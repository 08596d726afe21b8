import {allAssistants} from '../../assistants/catalogue/all.ts';
import type {CommandHandler, Terminal} from '../../command-line/command.ts';
import {contextFlag} from '../../command-line/context-argument.ts';
import {currentContext} from '../../command-line/current-context.ts';
import {describeEntryState, formatEntries} from '../../command-line/output/entry-state.ts';
import {widthOf} from '../../command-line/output/format-table.ts';
import {withIsoTimes} from '../../command-line/output/output.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {readPlace} from '../../command-line/read-place.ts';
import {contextForAssistants} from '../../domain/context.ts';
import {signInState} from '../../domain/sign-in-lifecycle.ts';
import {inspectEntries, inspectOrganisationEntries} from '../../flows/assistants/inspect-entries.ts';
import {SETUP} from '../../setup-command.ts';
import {shortPath} from '../../store/own-paths.ts';

/** `setup mcp list`: lists the entries of a deployment in assistants, as their files have them. It makes no calls. */
export const runMcpList: CommandHandler = async invocation => {
  const {flags, env, terminal} = invocation;
  const {context, ports} = await currentContext(portsOf(invocation), invocation);
  const place = readPlace(env);
  const [own, [byOrganisation = []]] = await Promise.all([
    inspectEntries(context, allAssistants, ports),
    inspectOrganisationEntries([context], {assistants: allAssistants, place}, ports),
  ]);
  const entries = [...own, ...byOrganisation];
  const saved = await ports.config.read();
  const others = saved.contexts.flatMap(({name, entries: known = []}) =>
    name === context.name || known.length === 0
      ? []
      : {context: name, assistants: new Set(known.map(one => one.assistant)).size},
  );
  if (flags.json) {
    terminal.stdout.writeJson({context: context.name, entries: entries.map(withIsoTimes), others});
    return;
  }
  const about = contextFlag(context.name, saved);
  if (entries.length === 0) {
    terminal.stdout.tell(`No assistant is connected to ${context.name}. Run ${SETUP} mcp connect${about}.\n`);
    tellOthers(others, terminal);
    return;
  }
  const now = ports.clock.now();
  const standing = signInState(await ports.credentials.get(contextForAssistants(context)), now);
  const rows = entries.map(one => ({
    assistant: one.assistant,
    name: one.name,
    tools: one.tools,
    path: shortPath(one.path, place.home),
    standing: describeEntryState(one, now, standing, about),
  }));
  terminal.stdout.write(await formatEntries(rows, widthOf(terminal)));
  tellOthers(others, terminal);
};

/** Prints the other deployments that assistants are connected to, each with the command that lists its entries. */
const tellOthers = (
  others: readonly {readonly context: string; readonly assistants: number}[],
  {stdout}: Terminal,
): void => {
  for (const {context, assistants} of others) {
    const many = assistants === 1 ? '1 assistant is' : `${assistants} assistants are`;
    stdout.tell(`${many} connected to ${context} as well: ${SETUP} mcp list --context ${context}\n`);
  }
};
