import {basename, dirname} from 'node:path';
import type {Assistant} from '../../../assistants/assistant.ts';
import {allAssistants} from '../../../assistants/catalogue/all.ts';
import {bearerIn} from '../../../assistants/connection.ts';
import {isOff} from '../../../assistants/formats/choices.ts';
import type {Place} from '../../../assistants/place.ts';
import type {Trust, TrustState} from '../../../assistants/trust.ts';
import {isAtLeast, readVersion} from '../../../assistants/versions.ts';
import type {Context, ContextEntry} from '../../../domain/context.ts';
import {type Finding, pass, warn} from '../../../domain/finding.ts';
import type {McpServer} from '../../../domain/mcp-servers.ts';
import type {OwnCommand} from '../../../domain/own-command.ts';
import {isSamePath} from '../../../domain/paths.ts';
import {Secret} from '../../../domain/secret.ts';
import {expiryOf} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import {phrase, setup, type Text} from '../../../errors/remedy.ts';
import {askForRole} from '../../../errors/shared-advice.ts';
import type {Platform} from '../../../platform/platform.ts';
import {ago} from '../../../text.ts';
import {leadsTo, nameFor, toolsIn} from '../../assistants/assistant-entry.ts';
import {readEntries} from '../../assistants/assistant-file.ts';
import {createGoneProgram} from '../../assistants/inspect-entries.ts';
import type {OrganisationEntry} from '../../assistants/organisation-entries.ts';
import {blocked, readRules} from '../../assistants/organisation-rules.ts';
import {leftAlone, ownershipIn} from '../../assistants/ownership.ts';
import {asTried, foreignKeysIn, namesOf, refusedEntry} from '../../assistants/verify-entries.ts';
import {gitStatusOf, repositoryOf} from '../../git-repository.ts';
import {grantCommand} from '../../platform-tools/account-access.ts';
import {savedEntriesOf} from '../../saved-entries.ts';
import type {Check, Learned, Scene} from '../check.ts';

/**
 * Returns a warning if the assistant waits for the person before it starts what a project's file names; undefined if it
 * does not, or does not say.
 */
export const untrusted = async (
  {name, trust, files, ended}: Assistant,
  {path, scope, names, method}: ContextEntry,
  {machine: {place}, ports}: Scene,
): Promise<Finding | undefined> => {
  if (!trust || scope !== 'project') return undefined;
  const folder = folderOf(path, files, place);
  if (folder === undefined) return undefined;
  const repository = await repositoryOf(path, ports);
  const question = {place, folder, names, method, ...(repository === undefined ? {} : {repository})};
  // Loaded here: few people have entries in a project, and the parsers are large.
  const {parseWithinLimits} = await import('../../../assistants/editors/parse-values.ts');
  const values = await Promise.all(
    trust.files(question).map(async file => {
      const contents = await ports.files.read(file).catch(() => undefined);
      return contents && parseWithinLimits(contents.bytes.toString('utf8'), trust.language);
    }),
  );
  const standing = trust.standing(values, question);
  if (standing === 'trusted') return undefined;
  const [sentence, remedy] = says[standing]({name, folder, names, ...trust});
  return warn(`${path}, ${standing}`, sentence, ended === undefined ? remedy : `${remedy} ${ended}`);
};

/** Returns the directory of the project that a file belongs to. */
const folderOf = (path: string, files: Assistant['files'], place: Place): string | undefined => {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (files('project', {...place, project: at}).some(one => isSamePath(one, path))) return at;
    if (dirname(at) === at) return undefined;
  }
};

type Who = {
  readonly name: string;
  readonly folder: string;
  readonly names: readonly string[];
} & Pick<Trust, 'forgets' | 'approves'>;

type Says = (who: Who) => readonly [sentence: string, remedy: string];

const says: Readonly<Record<Exclude<TrustState, 'trusted'>, Says>> = {
  untrusted: ({name, folder}) => [
    `${name} does not trust ${folder} yet, so it does not start the MCP servers named in that folder.`,
    `Start ${name} in that folder, and trust the folder when it asks.`,
  ],
  unapproved: ({name, folder, names, approves}) =>
    approves
      ? [
          `${name} needs your approval to use these servers in ${folder}.`,
          `Run ${names.map(one => `${approves} ${one}`).join(' and ')} in that folder.`,
        ]
      : [
          `${name} trusts ${folder}, but you still have to approve these servers.`,
          `Start ${name} in that folder, and approve them when it asks.`,
        ],
  refused: ({name, folder, names, forgets, approves}) => [
    `${name} was told not to use these servers, or not to trust ${folder}.`,
    approves
      ? `Run ${names.map(one => `${approves} ${one}`).join(' and ')} in that folder to change that.`
      : forgets
        ? `Run ${forgets} in that folder to change that.`
        : `To use these servers after all, change that in ${name}.`,
  ],
};

const reconnect = phrase`Connect it again: ${setup('doctor', '--fix')}.`;

/** Returns one check for each file of an assistant that should hold entries of a context. */
export const assistantChecks = (context: Context, platform: Platform): readonly Check[] => {
  const ids = (context.entries ?? []).map(({assistant, scope}) => `assistant-${assistant}-${scope}`);
  return (context.entries ?? []).map((entry, index) => {
    const id = ids[index] ?? '';
    // One assistant may have entries in several projects.
    const before = ids.slice(0, index).filter(one => one === id).length;
    const name = allAssistants.find(one => one.id === entry.assistant)?.name ?? entry.assistant;
    return {
      id: before === 0 ? id : `${id}-${before + 1}`,
      title: before === 0 ? `Entries of ${name}` : `Entries of ${name}, ${before + 1}`,
      needs: ['token'],
      time: START_TIME,
      run: scene => look(entry, context, platform, scene),
    };
  });
};

/** Says that an entry works and lists no tools of the control plane, and what to do. */
const withoutTools = async (
  context: Context,
  {subject, learned, outcomeOf}: Scene,
): Promise<readonly [string, Text]> => {
  // The release decides how a role is granted.
  await outcomeOf('versions');
  return [
    'The control plane offers no tools through this entry. Its account seems to have no role there.',
    askForRole(grantCommand(context, subject.platform, learned.version)),
  ];
};

/** How long the programs of assistants and this program may take to start on a busy machine, in milliseconds. */
export const START_TIME = 15_000;

const look = async (entry: ContextEntry, context: Context, platform: Platform, scene: Scene): Promise<Finding> => {
  const {machine, ports, signal} = scene;
  const {path, method, scope} = entry;
  const assistant = machine.assistants.find(({id}) => id === entry.assistant);
  if (!assistant) return {verdict: 'skipped', saw: `${entry.assistant} is not known to this version`};
  const present = await readEntries(assistant, path, ports);
  const ruling = await readRules(assistant, machine.place, ports);
  const goneProgram = createGoneProgram(ports);
  const ownership = ownershipIn([context], path);
  const counts: string[] = [];
  const left: string[] = [];
  const off: string[] = [];
  const others = new Set<string>();
  let isWithoutTools = false;
  for (const wanted of savedEntriesOf(context, platform)) {
    const name = nameFor(wanted.label, assistant.names);
    if (!entry.names.includes(name)) continue;
    if (isOff(present[name], assistant.entry)) {
      off.push(`“${name}”`);
      continue;
    }
    // An entry cannot be checked if its server does not answer, or refuses the token.
    const ground = await scene.outcomeOf(`mcp-${wanted.server}`);
    if (ground?.verdict === 'fail')
      return {verdict: 'skipped', saw: 'the check of its server failed', because: `mcp-${wanted.server}`};
    if (ground?.verdict === 'skipped')
      return {verdict: 'skipped', saw: ground.saw, ...(ground.because ? {because: ground.because} : {})};
    const connection = assistant.entry.read(present[name]);
    if (!connection) {
      if (present[name] === undefined) {
        const isThere = await ports.files.exists(path);
        throw broken(isThere ? `${path} has no entry “${name}” any more.` : `${path} does not exist any more.`);
      }
      left.push(name);
      continue;
    }
    const blockedBy = ruling.blockedBy({name, connection});
    const provided = blockedBy === undefined ? undefined : ruling.providedBy(wanted, context.name);
    if (provided) return pass(`${provided.path}, by your organisation; ${path} is ignored`);
    if (blockedBy !== undefined) throw blocked(assistant, path, blockedBy, machine.place);
    const isOurs = ownership.isOurs({name, entry: present[name]}, assistant);
    const gone = await goneProgram(connection);
    const leads = leadsTo(connection, wanted, context.name);
    // This program does not change an entry that the person has made their own, so it does not report it as broken.
    if (!isOurs && (!leads || gone !== undefined)) {
      left.push(name);
      continue;
    }
    if (!leads) throw broken(`“${name}” in ${path} does not point to ${wanted.url}.`);
    if (gone !== undefined) throw broken(`“${name}” in ${path} starts ${gone}, which no longer exists.`);
    if (connection.kind === 'header') {
      const ends = expiryOf(bearerIn(connection));
      if (ends !== undefined && ends <= ports.clock.now())
        throw broken(
          `The token in “${name}” of ${path} expired ${ago(ports.clock.now() - ends)}.`,
          isOurs ? reconnect : replaceIt(assistant),
        );
    } else {
      const none = new Secret('');
      const tokens = {signIn: none, ...(context.resources?.observability === undefined ? {} : {observability: none})};
      const means = {place: machine.place, own: machine.own, context: context.name, tokens};
      const found = {entry: present[name], connection, scope, readers: readersOf(entry, context, machine)};
      const foreign = foreignKeysIn(found, wanted, means);
      const isWrittenFor = (own: OwnCommand) => foreignKeysIn(found, wanted, {...means, own}).length === 0;
      const copy = foreign.length > 0 ? await copyStarted(isWrittenFor, scene) : undefined;
      if (copy !== undefined && basename(copy) !== machine.version) others.add(basename(copy));
      if (foreign.length > 0 && copy === undefined) {
        const what = `The entry differs from what this program writes, so it was not tried. What differs: ${namesOf(foreign)}.`;
        if (!isOurs) return warn(`${path}, “${name}”`, what, replaceIt(assistant));
        const again = phrase`If you did not change the entry, first find out what changed it. To write it again, connect the assistant: ${setup('mcp connect')}.`;
        return warn(`${path}, “${name}”`, what, again, 'reconnect');
      }
    }
    const tried = asTried(connection, () => tokenAt(wanted.server, scene.learned));
    const {names} = await scene.toolsThrough(tried).catch(error => {
      throw refusedEntry(error, {name, path, connection}, isOurs ? reconnect : replaceIt(assistant));
    });
    const tools = toolsIn(connection, wanted);
    const which = tools === undefined || tools === 'all' ? '' : ` (--tools ${tools})`;
    counts.push(`${wanted.server} ${names.length} tools${which}`);
    if (wanted.server === 'control-plane' && names.length === 0) isWithoutTools = true;
  }
  if (left.length > 0) {
    return warn(path, `${leftAlone(path, left)}.`, replaceIt(assistant));
  }
  // The person has switched them off, so nothing is wrong.
  if (off.length > 0)
    return {verdict: 'skipped', saw: `${off.join(' and ')} of ${path}: switched off in ${assistant.name}`};
  const started = [...others].join(' and ');
  const starts = started === '' ? '' : `; starts platform-setup ${started} (this is ${machine.version})`;
  const saw = `${path}, by ${method}: ${counts.join(', ')}${starts}`;
  if (isWithoutTools) return warn(saw, ...(await withoutTools(context, scene)));
  const found = method === 'header' ? await gitStatusOf(path, ports, signal) : undefined;
  if (found?.standing === 'committable' || found?.standing === 'tracked') {
    const again = setup('mcp connect', `${assistant.id} --scope ${scope} --method bridge`);
    const where =
      scope === 'project' && !isSamePath(entry.project, machine.place.project)
        ? `In ${entry.project}, connect`
        : 'Connect';
    const without = phrase`${where} without a token: ${again}.`;
    return found.standing === 'tracked'
      ? warn(
          saw,
          `${found.path} holds a token, and ${found.system} tracks this file, so the token may be committed already.`,
          [
            without,
            phrase`If the token is committed already, sign out too: ${setup('logout')}. The identity provider then revokes it, if it can.`,
          ],
        )
      : warn(saw, `${found.path} holds a token, and ${found.system} would commit it.`, without);
  }
  return (
    (await tooOld(entry, scene)) ??
    (await untrusted(assistant, entry, scene)) ??
    pass(assistant.ended ? `${saw}. ${assistant.ended}` : saw)
  );
};

const replaceIt = ({id}: Assistant): Text =>
  phrase`If you changed the entry on purpose, leave it. To write the entry again, run ${setup('mcp connect', `${id} --replace`)}.`;

/**
 * Returns the directory of the person's copy of this program that an entry starts: another version than this one, or a
 * copy that another runner made. Undefined if the entry starts none of them with the arguments that this program
 * writes.
 */
const copyStarted = async (
  isWrittenFor: (own: OwnCommand) => boolean,
  {machine: {own, startsOf}, ports}: Scene,
): Promise<string | undefined> => {
  const copies = await ports.copies.list();
  return copies.find(({directory}) => startsOf(directory).some(start => isWrittenFor({...own, ...start})))?.directory;
};

/** Returns the access token of the checked sign-in that a server accepts. */
export const tokenAt = (server: McpServer, {token, ownToken}: Learned): string =>
  ((server === 'observability' ? ownToken : undefined) ?? token)?.accessToken ?? '';

/** An assistant that was new enough for a helper may have been replaced by an older version. */
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
    `${assistant.name} ${version} signs you out after an hour: it runs a helper correctly only from version ${assistant.helperSince} on.`,
    phrase`Update it, or connect it through the bridge: ${setup('mcp connect')}.`,
    'reconnect',
  );
};

/** The assistants that read a file: the entry's own, and others of the context that share the file. */
const readersOf = ({path}: ContextEntry, {entries = []}: Context, {assistants}: Scene['machine']) =>
  assistants.filter(({id}) => entries.some(one => isSamePath(one.path, path) && one.assistant === id));

const broken = (message: string, remedy = reconnect) => new SetupError('local-entry-failed', message, {remedy});

/** Returns one check for each assistant that an organisation has connected by a file of its own. */
export const organisationEntryChecks = (byOrganisation: readonly OrganisationEntry[]): readonly Check[] =>
  [...Map.groupBy(byOrganisation, ({assistant}) => assistant)].map(([{id, name}, entries]) => ({
    id: `assistant-${id}-organisation`,
    title: `Entries of ${name}`,
    needs: ['token'],
    time: START_TIME,
    run: async ({ports, learned, outcomeOf, toolsThrough}) => {
      const goneProgram = createGoneProgram(ports);
      const counts: string[] = [];
      for (const {server, name, path, connection} of entries) {
        const ground = await outcomeOf(`mcp-${server}`);
        if (ground?.verdict === 'fail')
          return {verdict: 'skipped', saw: 'the check of its server failed', because: `mcp-${server}`};
        if (ground?.verdict === 'skipped') return ground;
        const gone = await goneProgram(connection);
        if (gone !== undefined) {
          return warn(
            path,
            `Your organisation’s entry “${name}” starts ${gone}, which is not on this machine.`,
            'Ask whoever manages this machine to install it.',
          );
        }
        const {names} = await toolsThrough(asTried(connection, () => tokenAt(server, learned)));
        counts.push(`${server} ${names.length} tools`);
      }
      return pass(`${entries[0]?.path}, by your organisation: ${counts.join(', ')}`);
    },
  }));
