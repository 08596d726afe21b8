import {allAssistants} from '../../assistants/catalogue/all.ts';
import type {CommandHandler} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/context/current-context.ts';
import {describeStanding} from '../../command-line/output/entry-standing.ts';
import {formatTable, widthOf} from '../../command-line/output/format-table.ts';
import {withIsoTimes} from '../../command-line/output/iso-times.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {readPlace} from '../../command-line/read-place.ts';
import {signInStanding} from '../../domain/sign-in/sign-in-standing.ts';
import {inspectEntries, inspectGiven} from '../../flows/assistants/entry.ts';
import {SETUP} from '../../setup-command.ts';
import {shortPath} from '../../state/stores/own-paths.ts';

/** `setup mcp list`: the entries of a deployment in assistants, as their files have them now. No network. */
export const runMcpList: CommandHandler = async invocation => {
  const {flags, env, terminal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, invocation);
  const place = readPlace(env);
  const [own, [given = []]] = await Promise.all([
    inspectEntries(context, allAssistants, ports),
    inspectGiven([context], {assistants: allAssistants, place}, ports),
  ]);
  const entries = [...own, ...given];
  if (flags.json) {
    terminal.stdout.writeJson({context: context.name, entries: entries.map(withIsoTimes)});
    return;
  }
  if (entries.length === 0) {
    terminal.stdout.write(`No assistant is connected to ${context.name}. Run ${SETUP} mcp connect.\n`);
    return;
  }
  const now = ports.clock.now();
  const standing = signInStanding(await ports.credentials.get(context), now);
  // Most entries have all tools, and then it is not worth a column.
  const isNarrowed = entries.some(({tools}) => tools !== undefined);
  const rows = entries.map(one => [
    one.assistant,
    one.name,
    ...(isNarrowed ? [one.tools ?? 'all'] : []),
    shortPath(one.path, place.home),
    describeStanding(one, now, standing),
  ]);
  const header = ['ASSISTANT', 'ENTRY', ...(isNarrowed ? ['TOOLS'] : []), 'FILE', 'SIGN-IN'];
  terminal.stdout.write(await formatTable([header, ...rows], widthOf(terminal)));
};
