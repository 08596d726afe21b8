import {allAssistants} from '../../assistants/all.ts';
import {isAtLeast, readVersion} from '../../assistants/versions.ts';
import {duration} from '../../duration.ts';
import {SetupError} from '../../errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Context, ContextEntry} from '../../ports/storage.ts';
import {isOurs} from '../assistant-entry.ts';
import {readEntries} from '../assistant-file.ts';
import {gitStanding} from '../git-repository.ts';
import {entriesOf} from '../mcp-entries.ts';
import {expiryOf} from '../token-claims.ts';
import {listThrough} from '../verify-entries.ts';
import {type Check, type Finding, pass, type Scene, warn} from './check.ts';

const reconnect = 'Connect it anew: npx setup mcp connect.';

/** One check for each file of an assistant that is to hold entries of a context. */
export const assistantChecks = (context: Context, platform: Platform): readonly Check[] =>
  (context.entries ?? []).map(entry => ({
    id: `assistant-${entry.assistant}-${entry.scope}`,
    title: `Entries of ${allAssistants.find(({id}) => id === entry.assistant)?.name ?? entry.assistant}`,
    needs: ['mcp-control-plane'],
    run: scene => look(entry, context, platform, scene),
  }));

const look = async (entry: ContextEntry, context: Context, platform: Platform, scene: Scene): Promise<Finding> => {
  const {machine, ports, signal, tell} = scene;
  const {path, method} = entry;
  const assistant = machine.assistants.find(({id}) => id === entry.assistant);
  if (!assistant) return {verdict: 'skipped', saw: `${entry.assistant} is not known to this version`};
  const present = await readEntries(assistant, path, ports);
  const counts: string[] = [];
  for (const [index, wanted] of entriesOf(context.name, {...context, evidence: ''}, platform).entries()) {
    const name = entry.names[index];
    if (name === undefined) continue;
    const connection = assistant.entry.read(present[name]);
    if (!connection) throw broken(`${path} has no entry “${name}” any more.`);
    if (!isOurs(connection, wanted)) throw broken(`“${name}” in ${path} leads elsewhere than to ${wanted.url}.`);
    if (connection.kind === 'header') {
      const ends = expiryOf((connection.headers.Authorization ?? '').replace(/^Bearer /i, ''));
      if (ends !== undefined && ends <= ports.clock.now())
        throw broken(`The token in “${name}” of ${path} ended ${duration(ports.clock.now() - ends)} ago.`);
    }
    const {names} = await listThrough(connection, ports, signal, tell);
    counts.push(`${wanted.server} ${names.length} tools`);
  }
  const saw = `${path}, by ${method}: ${counts.join(', ')}`;
  if (method === 'header' && (await gitStanding(path, ports, signal)) === 'committable') {
    return warn(
      saw,
      `${path} holds a token, and git would commit it.`,
      'Connect without one: npx setup mcp connect --method bridge.',
    );
  }
  return (await tooOld(entry, scene)) ?? pass(saw);
};

/** A client that was new enough for a helper may have been replaced by one that is not. */
const tooOld = async (
  {assistant: id, method}: ContextEntry,
  {machine, ports, signal}: Scene,
): Promise<Finding | undefined> => {
  const assistant = machine.assistants.find(one => one.id === id);
  if (method !== 'helper' || !assistant?.command || !assistant.helperSince) return undefined;
  const asked = await ports.processes.run(assistant.command, ['--version'], {timeout: 2_000, signal});
  const version = asked.outcome === 'exited' ? readVersion(asked.stdout) : undefined;
  if (version === undefined || isAtLeast(version, assistant.helperSince)) return undefined;
  return warn(
    `${assistant.name} ${version}`,
    `${assistant.name} runs a helper properly from ${assistant.helperSince} on; this one signs out after an hour.`,
    'Update it, or connect it by the bridge: npx setup mcp connect.',
    'reconnect',
  );
};

const broken = (message: string) => new SetupError('local-entry-failed', message, {remedy: reconnect});
