import type {CommandHandler} from '../../command-line/command.ts';
import {formatTable, widthOf} from '../../command-line/output/format-table.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {currentContextIn} from '../../domain/context.ts';
import {SETUP} from '../../setup-command.ts';
import {layoutName} from '../../state/view/names.ts';

/** `setup context list`: lists the saved deployments. */
export const runContextList: CommandHandler = async invocation => {
  const {flags, terminal} = invocation;
  const {config} = portsOf(invocation);
  const saved = await config.read();
  const {contexts} = saved;
  const currentContext = currentContextIn(saved)?.name;
  if (flags.json) {
    terminal.stdout.writeJson({currentContext, contexts});
    return;
  }
  const rows = contexts.map(({name, baseDomain, layout, controlPlaneUrl}) => [
    // The mark has a column of its own, as in kubectl, so that a narrow terminal does not cut it off.
    name === currentContext ? '*' : '',
    name,
    baseDomain,
    layout === 'unknown' ? '' : layoutName[layout],
    controlPlaneUrl,
  ]);
  const table = await formatTable(
    [['CURRENT', 'NAME', 'BASE DOMAIN', 'LAYOUT', 'CONTROL PLANE'], ...rows],
    widthOf(terminal),
  );
  terminal.stdout.write(rows.length === 0 ? `Nothing is set up yet. Run ${SETUP}.\n` : table);
};
