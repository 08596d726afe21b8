import {join} from 'node:path';
import {type Context, type ContextEntry, type IgnoreLine, startsProgram, toolLimitOf} from '../../domain/context.ts';
import {type OwnCopy, portableCommand} from '../../domain/own-command.ts';
import {isSamePath, pathKey} from '../../domain/paths.ts';
import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import type {Flow, Run, Tell} from '../flow.ts';
import {type GitStatus, gitStatusOf, ignoreFileOf, ignorePatternOf, withIgnored} from '../git-repository.ts';
import {diffOf, digest, noTokens, type PlannedFile} from '../planned-file.ts';
import {stoppable} from '../stoppable.ts';
import type {Target} from './assistant-entry.ts';
import {type AssistantFile, type ComposeInput, composeFiles} from './assistant-file.ts';
import {planReleases} from './ignore-lines.ts';
import {findMoved} from './moved-entries.ts';
import {refuseBlocked} from './organisation-rules.ts';
import {leftAlone} from './ownership.ts';
import {type Disconnection, planDisconnections} from './plan-disconnections.ts';

/** Warns of the parts of a plan that a person may not expect, before anything is written. */
export const tellWarnings = (
  {targets, entries}: Pick<ComposeInput, 'targets' | 'entries'>,
  files: readonly AssistantFile[],
  tell: Tell,
): void => {
  const adding = files.filter(({targets: of}) => of.some(({renews}) => !renews));
  const staying = adding.filter(({names}) => names.length > entries.length);
  const isAlone = adding.length > staying.length;
  if (isAlone && entries.every(({server}) => server === 'observability')) {
    const message =
      'Only the observability server is added, but many of its tools need UUIDs that come from the control plane’s tools.';
    tell({type: 'warning', message});
  }
  for (const file of staying) warnOfStaying(file, tell);
  for (const target of targets) {
    warnOfOtherWay(target, tell);
    warnOfOtherFile(target, tell);
  }
  if (targets.some(({method, renews}) => method === 'oauth' && !renews)) tell({type: 'warning', message: OWN_SIGN_IN});
  for (const file of files) warnOfOff(file, tell);
  for (const file of files) warnOfLeft(file, tell);
};

/** Warns that the other server's entry stays: a person who names one server may expect the other one to be removed. */
const warnOfStaying = ({path, targets}: AssistantFile, tell: Tell) => {
  const ids = targets.map(({assistant}) => assistant.id).join(' ');
  const message = `The entry that ${path} has for the other server stays. To remove it, run ${SETUP} mcp disconnect ${ids} first.`;
  tell({type: 'warning', message});
};

/** Warns that an assistant does not have the method that the person wanted. */
const warnOfOtherWay = ({assistant: {name, entry}, method, wanted, refused}: Target, tell: Tell) => {
  if (wanted === undefined) return;
  if (refused !== undefined) {
    tell({type: 'warning', message: `${refused} So ${name} is connected with ${article(method)} ${ways[method]}.`});
    return;
  }
  const isUnknown = wanted === 'helper' && entry.helper !== undefined;
  const lacks = isUnknown ? 'may not support a helper in this version' : lacking[wanted];
  tell({
    type: 'warning',
    message: `${name} ${lacks}; it is connected with ${article(method)} ${ways[method]}.`,
  });
};

/** Warns that an assistant is connected in this project only, although the person wanted every project. */
const warnOfOtherFile = ({assistant: {name}, spared}: Target, tell: Tell) => {
  if (spared === undefined) return;
  const message = `${name} has no settings file yet, and a new one would replace ${spared}, so it is connected in this project only.`;
  tell({type: 'warning', message});
};

/** Warns that entries that the person has switched off are written, but not used. */
const warnOfOff = ({off, targets}: AssistantFile, tell: Tell) => {
  const [target] = targets;
  if (off.length === 0 || !target) return;
  const names = off.map(name => `“${name}”`).join(' and ');
  const {name} = target.assistant;
  tell({
    type: 'warning',
    message: `${names} ${off.length === 1 ? 'is' : 'are'} switched off in ${name}, and ${off.length === 1 ? 'stays' : 'stay'} off.`,
  });
};

/** Warns that entries that the person has made their own are not renewed. */
const warnOfLeft = ({left, path, targets}: AssistantFile, tell: Tell) => {
  const ids = targets.map(({assistant}) => assistant.id).join(' ');
  if (left.length === 0) return;
  const message = `${leftAlone(path, left)}. To replace ${left.length === 1 ? 'it' : 'them'}, run ${SETUP} mcp connect ${ids} --replace.`;
  tell({type: 'warning', message});
};

const OWN_SIGN_IN =
  'Each assistant keeps its own sign-in, and each of its windows renews it separately. If refresh tokens can be used only once, one window can sign another out.';

const article = (method: Target['method']) => (method === 'helper' || method === 'bridge' ? 'the' : 'a');

const lacking = {
  helper: 'does not support a helper',
  bridge: 'does not support the bridge',
  header: 'does not support a token in its file',
  oauth: 'is not known to keep a sign-in of its own',
} as const;

const ways = {
  helper: 'helper',
  bridge: 'bridge',
  header: 'token in its file',
  oauth: 'sign-in of its own',
} as const;

export type Plan = {
  readonly files: readonly PlannedFile[];
  /** The records of the entries after the plan is written. */
  readonly entries: readonly ContextEntry[];
  /** The records to remove. */
  readonly removed?: readonly ContextEntry[];
  /** The removed records whose ignore line and directories go too, unless another entry still needs them. */
  readonly leaving?: readonly ContextEntry[];
  /** The records of the entries in its files when the plan was made, as `recordsIn` returns them. */
  readonly records?: string;
  /** The copy of this program that the entries start. */
  readonly copy?: OwnCopy;
};

/** The treatment of a token in a file that git would commit. */
export type InGit = 'refuse' | 'ignore' | 'write';

export type PlanInput = ComposeInput & {
  /**
   * Which of the program's own files change too: `all` of them; `account`: all, for the sign-in of the assistants;
   * `secret`: the secrets, for an account that is only signed in again, and the list of contexts as with `contexts`;
   * `config`: the list of contexts; `contexts`: that list if a file of an assistant changes; or `none`.
   */
  readonly ownFiles: 'all' | 'account' | 'secret' | 'config' | 'contexts' | 'none';
  /** Whether entries of the same names that are not ours are replaced. */
  readonly replace: boolean;
  readonly inGit: InGit;
  /**
   * Whether read-only files (mode 0444) are written. `with-ours`: only those that still hold all entries of ours, which
   * the person agreed to when the entries were first written. None is added to such a file again.
   */
  readonly overwriteReadOnly?: boolean | 'with-ours';
  /** The assistants to disconnect. */
  readonly disconnecting?: readonly Disconnection[];
};

/**
 * Plans every file that will change, and how, without changing one. Secrets are replaced in what is shown.
 *
 * @throws SetupError `local-file-invalid` if an assistant's file cannot be edited safely, `local-entry-exists` if an
 *   entry of the same name leads elsewhere, `local-entry-blocked`, `local-token-in-git`, `local-file-read-only`,
 *   `local-link-outside` if a project's file is a link to one outside the project
 */
export const planFiles: Flow<PlanInput, Plan> = (input, run) =>
  stoppable(run, async run => {
    const {ports, signal} = run;
    const {tell} = run;
    // Files that cannot be read or written are found before anything is written.
    const {contexts} = await ports.config.read();
    if (input.ownFiles !== 'all') refuseForgotten(input.context, contexts, ports);
    // The record of the first entry in a file, in any context, says what was made for that entry.
    const known = contexts.flatMap(({entries = []}) => entries);
    const composed = await composeFiles(input, ports);
    await refuseBlocked(composed, input, ports);
    refuseForeign(composed, input);
    tellWarnings(input, composed, tell);
    await refuseUnstartable(input, ports);
    const planned: PlannedFile[] = [];
    const ignored = new Map<AssistantFile, IgnoreLine>();
    for (const file of composed) {
      const isAgreed =
        input.overwriteReadOnly === 'with-ours' ? file.hasOurs && !file.isIncomplete : input.overwriteReadOnly === true;
      const overwriteReadOnly = isAgreed || file.change === 'unchanged';
      await ports.files.check(file.path, {overwriteReadOnly, within: file.within});
      const standing: GitStatus = file.holdsToken
        ? await gitStatusOf(file.path, ports, signal)
        : {standing: 'outside', path: file.path};
      const {root} = {root: undefined, ...standing};
      const before = planned.find(({path}) => root !== undefined && isSamePath(path, ignoreFileOf(root)));
      const keptOut = await keepOutOfGit({file, standing, before, known}, input, run);
      const ignore = keptOut?.planned;
      if (keptOut?.line) ignored.set(file, keptOut.line);
      const described = await describe(file);
      const {write} = described;
      planned.push(ignore && write ? {...described, write: {...write, isKeptOut: true}} : described);
      // One ignore file can keep two files of a repository out of git.
      if (ignore && before) planned.splice(planned.indexOf(before), 1, ignore);
      else if (ignore) planned.push(ignore);
    }
    await warnOfOthers(composed, input, run);
    const staying = stayingIn(composed, known, input);
    const moved = await whereDisconnected(input, contexts, ports);
    const disconnections = await planDisconnections({...moved, staying}, ports);
    planned.push(...disconnections.files);
    const entries = composed.flatMap(file => entriesIn(file, input, {known, ignored: ignored.get(file)}));
    const removed = [...(input.disconnecting ?? []).map(({entry}) => entry), ...movedFrom(composed, input)];
    const leaving = (input.disconnecting ?? []).flatMap(({entry}, index) => {
      const now = moved.disconnecting[index]?.entry;
      return now && disconnections.leaving.includes(now) && !isReplaced(entry, entries) ? entry : [];
    });
    const release = {leaving, context: input.context, contexts: withPlanned(contexts, entries, input), planned};
    for (const file of await planReleases(release, ports)) {
      const at = planned.findIndex(({path}) => isSamePath(path, file.path));
      planned.splice(at < 0 ? planned.length : at, at < 0 ? 0 : 1, file);
    }
    const startsOwn = ({method, isShared}: Target) => startsProgram(method) && !isShared;
    const copy = composed.some(({targets}) => targets.some(startsOwn)) && input.own.copy;
    if (copy) planned.push(await describeCopy(copy, ports));
    const isChanging = planned.some(({change}) => change !== 'unchanged');
    if (input.ownFiles === 'all') planned.push(...(await ownFiles('your sign-in', ports)));
    else if (input.ownFiles === 'account') planned.push(...(await ownFiles(THEIRS, ports)));
    else if (input.ownFiles === 'secret')
      planned.push(...(isChanging ? await ownFiles(THEIRS, ports) : [await secretsFile(THEIRS, ports)]));
    else if (input.ownFiles === 'config' || (input.ownFiles === 'contexts' && isChanging))
      planned.push(await ownFile(ports.config.path, CONFIG, ports));
    const records = recordsIn(contexts, planned);
    for (const {path, change, summary, diff, leadsTo} of planned) {
      tell({type: 'file-planned', path, ...(leadsTo === undefined ? {} : {leadsTo}), change, summary, diff});
    }
    return {
      files: planned,
      ...(records === '' ? {} : {records}),
      entries,
      removed,
      ...(leaving.length > 0 ? {leaving} : {}),
      ...(copy ? {copy} : {}),
    };
  });

/**
 * Refuses entries for a saved context that another run has removed: they would have no record.
 *
 * @throws SetupError `local-file-changed`
 */
export const refuseForgotten = (
  context: string,
  contexts: readonly Context[],
  {config}: Pick<Ports, 'config'>,
): void => {
  if (contexts.some(({name}) => name === context)) return;
  throw new SetupError('local-file-changed', `Another setup has removed ${context} from this machine.`, {
    remedy: 'Sign in to it again, then connect your assistants.',
    about: {path: config.path, isContextGone: true},
  });
};

const isReplaced = ({assistant, path}: ContextEntry, entries: readonly ContextEntry[]): boolean =>
  entries.some(one => one.assistant === assistant && isSamePath(one.path, path));

/** Returns the entries to disconnect, with their current places. */
const whereDisconnected = async (
  {disconnecting = [], place}: PlanInput,
  saved: readonly Context[],
  {files}: Ports,
): Promise<{readonly disconnecting: readonly Disconnection[]; readonly contexts: readonly Context[]}> => {
  const assistants = disconnecting.map(({assistant}) => assistant);
  const contexts = await findMoved(saved, {assistants, place}, {files});
  const entriesOf = (all: readonly Context[]) => all.flatMap(({entries = []}) => entries);
  const [before, now] = [entriesOf(saved), entriesOf(contexts)];
  const moved = disconnecting.map(({assistant, entry}) => {
    const at = before.findIndex(one => one.assistant === entry.assistant && isSamePath(one.path, entry.path));
    return {assistant, entry: {...entry, path: now[at]?.path ?? entry.path}};
  });
  return {disconnecting: moved, contexts};
};

/** Returns the entries that will be recorded once the plan is written, including those that are removed. */
const withPlanned = (
  contexts: readonly Context[],
  entries: readonly ContextEntry[],
  {context}: PlanInput,
): readonly Pick<Context, 'name' | 'entries'>[] =>
  [...contexts.filter(({name}) => name !== context), {name: context}].map(({name}) => {
    const known = contexts.find(one => one.name === name)?.entries ?? [];
    if (name !== context) return {name, entries: known};
    return {name, entries: [...known.filter(one => !isReplaced(one, entries)), ...entries]};
  });

/** Returns the former records of entries that are in another place now. */
const movedFrom = (composed: readonly AssistantFile[], {targets}: PlanInput): readonly ContextEntry[] =>
  targets.flatMap(({assistant, renews}) => {
    const now = composed.find(file => file.targets.some(one => one.assistant.id === assistant.id && one.renews));
    return renews &&
      now &&
      !isSamePath(now.path, renews.path) &&
      !composed.some(({path}) => isSamePath(path, renews.path))
      ? [renews]
      : [];
  });

/**
 * Returns the records of the entries in these files, of any context: whose they are, and what was made for them. As
 * text, to be compared with later records.
 */
export const recordsIn = (contexts: readonly Context[], files: readonly Pick<PlannedFile, 'path'>[]): string => {
  const known = contexts.flatMap(({name, entries = []}) =>
    entries
      .filter(entry => files.some(({path}) => isSamePath(path, entry.path)))
      .map(({assistant, path, names, made, created = false, directories = []}) =>
        JSON.stringify([name, assistant, pathKey(path), names, made, created, directories]),
      ),
  );
  return known.toSorted().join('\n');
};

/** Returns the paths where entries stay because another assistant reads the same file. */
const stayingIn = (
  composed: readonly AssistantFile[],
  known: readonly ContextEntry[],
  {disconnecting = []}: PlanInput,
): readonly string[] => {
  const isDisconnecting = (one: ContextEntry) =>
    disconnecting.some(({entry}) => isSamePath(entry.path, one.path) && entry.assistant === one.assistant);
  return [...composed.map(({path}) => path), ...known.filter(one => !isDisconnecting(one)).map(({path}) => path)];
};

const refuseForeign = (files: readonly AssistantFile[], {replace, ownFiles}: PlanInput) => {
  const found = replace ? undefined : files.find(({foreign}) => foreign.length > 0);
  if (!found) return;
  const names = found.foreign.map(name => `“${name}”`).join(' and ');
  throw new SetupError(
    'local-entry-exists',
    `${found.path} already has ${names}, which this program did not write or which has been changed since.`,
    // Only a deployment that is not saved yet can still get another name.
    {about: {path: found.path}, ...(ownFiles === 'all' ? {remedy: anotherName} : {})},
  );
};

const anotherName = {
  do: 'Replace it, or give this deployment another name.',
  flag: 'To replace it, pass --replace. For another name, pass --context NAME.',
};

/** Refuses an entry for everybody that would not work here: it is verified on this machine like any other entry. */
const refuseUnstartable = async ({targets, own}: PlanInput, {processes}: Ports) => {
  const shared = targets.filter(({isShared}) => isShared);
  if (shared.length === 0) return;
  const {command} = portableCommand(own);
  if (own.home !== undefined && shared.some(({renews}) => renews === undefined)) {
    throw new SetupError(
      'input-invalid',
      `This program keeps its files in ${own.home}. An entry for everybody cannot name that directory, so the program would not find them.`,
      {
        remedy: {do: 'Choose “this project only”, or the usual directory.', flag: 'Pass --scope project.'},
        about: {flag: 'scope'},
      },
    );
  }
  if ((await processes.find(command)) !== undefined) return;
  throw new SetupError('input-invalid', `${command} is not on your PATH, so an entry that names it would not start.`, {
    remedy: {
      do: `Choose “this project only”, or install it globally first (${INSTALL}).`,
      flag: 'For this project only, pass --scope project.',
    },
    about: {flag: 'scope'},
  });
};

/**
 * Warns of entries that name paths of this machine: for others who share the project by version control, they lead
 * nowhere. One warning names all files, because a warning for each would leave no room for the changes.
 */
const warnOfOthers = async (
  files: readonly AssistantFile[],
  {own}: Pick<PlanInput, 'own'>,
  {ports, tell, signal}: Run,
) => {
  const isNew = ({isLocal, change, targets}: AssistantFile) =>
    isLocal && change !== 'unchanged' && !targets.some(({renews}) => renews);
  const inRepository: string[] = [];
  const systems = new Set<string>();
  for (const {path} of files.filter(isNew)) {
    const found = await gitStatusOf(path, ports, signal);
    if (found.standing === 'outside' || found.standing === 'ignored') continue;
    inRepository.push(path);
    systems.add(found.system);
  }
  if (inRepository.length === 0) return;
  const where = `in a ${[...systems].join(' or ')} repository`;
  const about =
    inRepository.length === 1
      ? `${inRepository[0]} is ${where}, and its`
      : `${inRepository.join(', ')} are ${where}, and their`;
  const message = `${about} entries name files on this machine, so they do not work on another one.`;
  tell({type: 'warning', message: [message, await forEverybody(own, ports)].filter(Boolean).join(' ')});
};

/** Says how to write entries that work for everybody in a project; empty if this program's directory rules them out. */
const forEverybody = async (own: PlanInput['own'], {processes}: Ports): Promise<string> => {
  if (own.home !== undefined) return '';
  const {command} = portableCommand(own);
  const choice = 'choose the scope “this project, for everybody in it” (--scope shared)';
  return (await processes.find(command)) === undefined
    ? `To write entries for everybody who has ${command} on their PATH, put it on yours first (${INSTALL}), then ${choice}.`
    : `To write entries for everybody who has ${command} on their PATH, ${choice}.`;
};

/** The command that puts this program on the PATH. */
const INSTALL = 'in its checkout: npm install --global .';

type Guarded = {
  readonly file: AssistantFile;
  readonly standing: GitStatus;
  /** The `.gitignore` in the root of the repository, if this plan already changes it. */
  readonly before: PlannedFile | undefined;
  readonly known: readonly ContextEntry[];
};

/** The ignore file that keeps a file out of git, as it will be, and the line that is added to it. */
type KeptOut = {readonly planned: PlannedFile; readonly line?: IgnoreLine};

/** Keeps a token out of a file that version control would commit. @throws SetupError `local-token-in-git` */
const keepOutOfGit = async (
  {file: {path: named, change}, standing: found, before: planned, known}: Guarded,
  {inGit}: PlanInput,
  {ports, tell}: Run,
): Promise<KeptOut | undefined> => {
  if (found.standing === 'outside' || found.standing === 'ignored') return undefined;
  const {standing, system, root, path} = found;
  if (inGit === 'write') {
    if (change !== 'unchanged')
      tell({type: 'warning', message: `${path} will hold an access token. Do not commit it.`});
    return undefined;
  }
  // The ignore rules of other systems are not known, and git commits a tracked file even if it is ignored.
  const pattern = ignorePatternOf(path, root);
  const isIgnorable = system === 'git' && standing === 'committable' && pattern !== undefined;
  if (!isIgnorable || inGit === 'refuse') {
    const why =
      system === 'git' && standing === 'tracked'
        ? `${path} is already tracked by git, so .gitignore would not keep the token out.`
        : `${path} would hold an access token, and ${system} would commit it.`;
    throw new SetupError('local-token-in-git', why, {
      ...(isIgnorable
        ? {}
        : {
            remedy: {
              do: 'Choose a connection that stores no token, or write it anyway.',
              flag: 'Pass --method bridge, or --in-git write.',
            },
          }),
      about: {path: named, ...(isIgnorable ? {isIgnorable} : {})},
    });
  }
  const ignore = ignoreFileOf(root);
  // Git does not read an ignore file that is a link.
  const within = {root, isNoLink: true} as const;
  await ports.files.check(ignore, {within});
  const contents = await ports.files.read(ignore);
  const before = contents?.bytes ?? Buffer.alloc(0);
  const soFar = planned?.write?.after;
  const former = Buffer.isBuffer(soFar) ? soFar : before;
  const after = withIgnored(former, pattern);
  const file: PlannedFile = {
    path: ignore,
    change: contents ? 'changed' : 'new',
    summary: 'keeps it out of git',
    diff: await diffOf(before.toString('utf8'), after.toString('utf8')),
    before: digest(contents?.bytes ?? null),
    write: {after, mode: 0o644, tighten: false, tokens: noTokens, isIgnoreFile: true, within},
  };
  return after.equals(former)
    ? {planned: file}
    : {planned: file, line: {path: ignore, pattern, ...madeFor(ignore, contents?.bytes, known)}};
};

/**
 * Returns what is created together with an ignore line. If an earlier line of ours is still there, returns what was
 * created with that line: it is removed with the last line.
 */
const madeFor = (
  ignore: string,
  bytes: Buffer | undefined,
  known: readonly ContextEntry[],
): Pick<IgnoreLine, 'made'> => {
  if (!bytes) return {made: 'file'};
  const earlier = known.find(({ignored}) => ignored?.made && isSamePath(ignored.path, ignore))?.ignored?.made;
  if (earlier) return {made: earlier};
  return bytes.length > 0 && bytes.at(-1) !== 0x0a ? {made: 'line-end'} : {};
};

/**
 * Returns the records of a file, one for each assistant that reads it. An earlier record says what was made for the file.
 */
const entriesIn = (
  {path, targets, names, made, directories: needed, change, written, hasOurs, foreign}: AssistantFile,
  {place}: PlanInput,
  {known, ignored: added}: {readonly known: readonly ContextEntry[]; readonly ignored: IgnoreLine | undefined},
): readonly ContextEntry[] =>
  targets.map(({assistant, scope, method, renews, oauthClient, tools}) => {
    // If none of our entries is left, the parts that were made for them are gone as well.
    const before = change === 'new' || !hasOurs ? undefined : known.find(one => isSamePath(one.path, path));
    const directories = before ? (before.directories ?? []) : needed;
    const ignored = added ?? known.find(one => one.ignored && isSamePath(one.path, path))?.ignored;
    const limit = toolLimitOf({method, ...(tools === undefined ? {} : {tools})});
    const replaced = [...new Set([...(before?.replaced ?? []), ...foreign])].filter(name => names.includes(name));
    return {
      assistant: assistant.id,
      scope,
      project: renews?.project ?? place.project,
      method,
      ...(oauthClient === undefined ? {} : {oauthClient}),
      ...(limit === undefined ? {} : {tools: limit}),
      path,
      names,
      written,
      ...(replaced.length > 0 ? {replaced} : {}),
      made: before?.made ?? made,
      ...((before ? before.created : change === 'new') ? {created: true as const} : {}),
      ...(directories.length > 0 ? {directories} : {}),
      ...(ignored ? {ignored} : {}),
    };
  });

/** Plans the copy of this program that entries start. It has to exist for as long as the entries do. */
const describeCopy = async (copy: OwnCopy, {files, copies}: Ports): Promise<PlannedFile> => {
  await files.check(join(copy.to, 'package.json'));
  const change = (await copies.has(copy)) ? 'unchanged' : 'new';
  return {path: copy.to, change, summary: 'a copy of this program, for the entries', diff: '', before: null};
};

/** The description of the secrets of the assistants' account. */
const THEIRS = 'the sign-in of your assistants';

const ownFiles = (signIn: string, ports: Ports): Promise<readonly PlannedFile[]> =>
  Promise.all([ownFile(ports.config.path, CONFIG, ports), secretsFile(signIn, ports)]);

const secretsFile = async (signIn: string, {credentials, files}: Ports): Promise<PlannedFile> => {
  const where = await credentials.where();
  const isOwn = where === 'file' && (await files.isForOwner(credentials.path));
  const summary = `${signIn}${where !== 'file' ? `, in ${where}` : isOwn ? ', readable by you only' : ''}`;
  return ownFile(credentials.path, summary, {files});
};

/** The description of the file of contexts. */
const CONFIG = 'addresses, no secrets';

const ownFile = async (path: string, summary: string, {files}: Pick<Ports, 'files'>): Promise<PlannedFile> => {
  await files.check(path);
  const contents = await files.read(path);
  const change = contents ? 'changed' : 'new';
  return {path, change, summary, diff: '', before: digest(contents?.bytes ?? null), isOwn: true};
};

const describe = async (file: AssistantFile): Promise<PlannedFile> => {
  const {path, change, before, open, after, directories, tokens, targets, names, foreign, holdsToken} = file;
  const {within, leadsTo} = file;
  const readers = targets.map(({assistant}) => assistant.name).join(', ');
  const how = holdsToken
    ? 'with the token'
    : targets.every(({method}) => method === 'oauth')
      ? 'with no token: it signs in by itself'
      : `by the ${targets.every(({method}) => method === 'helper') ? 'helper' : 'bridge'}`;
  const where = file.isLocal ? ', on this machine only' : '';
  const {editor, text, whole} = open;
  const [entriesNow, entriesNext] = [editor.read(text, path), editor.read(after, path)];
  const changing = names.filter(name => JSON.stringify(entriesNow[name]) !== JSON.stringify(entriesNext[name]));
  // A file can change although none of its entries does, as when an entry moves to another place in it.
  const isPart = change !== 'unchanged' && changing.length > 0 && changing.length < names.length;
  const count = names.length === 1 ? '1 entry' : `${isPart ? `${changing.length} of ` : ''}${names.length} entries`;
  const summary = `${count} for ${readers}${change === 'unchanged' ? '' : `, ${how}${where}`}`;
  const shown = targets.flatMap(({assistant}) => assistant.entry.shown);
  const masked = (one: string, ours: readonly string[]) => editor.mask(one, ours, shown);
  // A replaced entry that is not ours may contain secrets anywhere.
  const own = names.filter(name => !foreign.includes(name));
  const diff = change === 'unchanged' ? '' : await diffOf(masked(text, own), masked(after, names));
  // Only the owner may read a file with a token; any other file keeps its permissions.
  const write = {
    ...{after: new Secret(whole(after)), mode: 0o600, tighten: holdsToken, tokens, directories},
    ...(within ? {within} : {}),
  };
  return {path, ...(leadsTo === undefined ? {} : {leadsTo}), change, summary, diff, before, write};
};
