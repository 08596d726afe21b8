import {allAssistants} from '../../assistants/catalogue/all.ts';
import {documented, generic} from '../../assistants/catalogue/generic.ts';
import type {CommandHandler, Invocation, Terminal} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/current-context.ts';
import {oneOfIfGiven} from '../../command-line/one-of.ts';
import {confirm} from '../../command-line/output/confirm.ts';
import {writingRun} from '../../command-line/output/writing-run.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {readPlace} from '../../command-line/read-place.ts';
import {assistantIds} from '../../command-line/wizard/wizard-input.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {type Disconnected, disconnectAssistants} from '../../flows/assistants/disconnect-assistants.ts';
import {SETUP} from '../../setup-command.ts';
import {shortPath} from '../../store/own-paths.ts';

/** Prints for each file what became of its entries, and how to restore them. */
export const tellDisconnected = (results: readonly Disconnected[], home: string, {stdout}: Terminal): void => {
  for (const {assistant, path, outcome, ignoreFile} of results) {
    stdout.tell(`${assistant}: ${says[outcome]} (${shortPath(path, home)}).\n`);
    if (ignoreFile !== undefined)
      stdout.tell(`${shortPath(ignoreFile, home)}: the line for ${shortPath(path, home)} was removed.\n`);
  }
  if (results.some(({outcome, ignoreFile}) => outcome === 'removed' || ignoreFile !== undefined))
    stdout.tell(`To undo this, run ${SETUP} undo\n`);
};

const says: Readonly<Record<Disconnected['outcome'], string>> = {
  removed: 'entries removed',
  absent: 'its entries were already gone',
  left: 'disconnected; its entries stay, because they have been changed since',
  shared: 'disconnected; the entries stay, because another assistant reads the same file',
};

/**
 * `setup mcp disconnect [ASSISTANT…]`: removes the entries of a deployment. It removes those of every assistant only if
 * the person agrees, or with `--all` or `--yes`.
 */
export const runMcpDisconnect: CommandHandler = async invocation => {
  const {flags, args, env, terminal, signal} = invocation;
  const {context, ports} = await currentContext(portsOf(invocation), invocation);
  const named = await assistantIds(args, `${SETUP} mcp disconnect`);
  const ids = named.map(id => asConnected(id, context));
  if (flags.all && ids.length > 0) {
    throw new SetupError('input-usage', `--all means every assistant, but you also named ${ids.join(', ')}.`, {
      remedy: 'Leave out the names or the flag.',
      about: {flag: 'all'},
    });
  }
  const stranger = ids.find(id => !context.entries?.some(({assistant}) => assistant === id));
  if (stranger !== undefined) {
    throw new SetupError('input-invalid', `${stranger} is not connected to ${context.name}.`, {
      remedy: phrase`See ${setup('mcp list')}.`,
    });
  }
  const scope = oneOfIfGiven('scope', flags.scope, ['user', 'project', 'shared']);
  // A shared entry is saved with the scope `project`: a project's file has only one entry of a name.
  const within = scope === 'shared' ? 'project' : scope;
  const chosen = (entry: {assistant: string; scope: string}) =>
    (ids.length === 0 || ids.includes(entry.assistant)) && (within === undefined || within === entry.scope);
  if (ids.length === 0 && !flags.all && !flags.yes) await agree(context, chosen, invocation);
  const results = await disconnectAssistants(
    {context, assistants: allAssistants, place: readPlace(env), chosen},
    writingRun(ports, signal, terminal),
  );
  if (flags.json) {
    terminal.stdout.writeJson({context: context.name, disconnected: results});
    return;
  }
  const {home} = readPlace(env);
  if (results.length === 0) terminal.stdout.tell(`No assistant is connected to ${context.name}.\n`);
  tellDisconnected(results, home, terminal);
};

/**
 * Returns the ID under which a file is connected: `.mcp.json` and `mcp.json` are two assistants, but commands use one
 * name for both. Returns any other ID unchanged.
 */
const asConnected = (id: string, {entries = []}: Context): string => {
  const isConnected = (one: string) => entries.some(({assistant}) => assistant === one);
  return id === generic.id && !isConnected(id) && isConnected(documented.id) ? documented.id : id;
};

/** Shows the entries that would be removed, and asks. If no person can be asked, names or `--all` are required. */
const agree = async (
  {name, entries = []}: Context,
  chosen: (entry: ContextEntry) => boolean,
  invocation: Invocation,
): Promise<void> => {
  const {flags, env, terminal} = invocation;
  const going = entries.filter(chosen);
  if (going.length === 0) return;
  const {home} = readPlace(env);
  if (terminal.interactive && !flags.json) {
    const lines = going.map(({assistant, path}) => `  ${nameOf(assistant)}: ${shortPath(path, home)}\n`);
    terminal.stdout.tell(`These lose their entries of ${name}:\n${lines.join('')}`);
  }
  const ids = [...new Set(going.map(({assistant}) => assistant))];
  const about = [
    ...(flags.scope === undefined ? [] : [` --scope ${flags.scope}`]),
    ...(flags.context === undefined ? [] : [` --context ${flags.context}`]),
  ].join('');
  const command = `${SETUP} mcp disconnect`;
  const remedy = `Name the assistants, as in ${command} ${ids[0]}${about}, or take all of them: ${command} --all${about}.`;
  await confirm('Remove the entries of all of them?', {remedy}, invocation);
};

const nameOf = (assistant: string): string => allAssistants.find(({id}) => id === assistant)?.name ?? assistant;
