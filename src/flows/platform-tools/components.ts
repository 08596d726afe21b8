import {addressOf} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {cleanText} from '../../text.ts';
import {isSuccess, type JsonObject, readJson, statusError, textAt} from '../answers.ts';
import type {Flow, Run} from '../flow.ts';
import {releaseFor} from '../release-by-paths.ts';
import {stoppable} from '../stoppable.ts';
import {noRole, readAccess} from './access.ts';
import {meantBy} from './meant-by.ts';

export type Component = {
  readonly namespace: string;
  readonly project: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  /** ISO 8601. */
  readonly createdAt?: string;
};

const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
};

/** What a resource is called: by itself until 0.15, in its metadata since. */
export const nameIn = (item: JsonObject): string =>
  cleanText(textAt(objectAt(item, 'metadata'), 'name') ?? textAt(item, 'name') ?? '');

/** The project that a component of a namespace belongs to (from 0.16). */
export const projectOf = (item: JsonObject): string =>
  cleanText(textAt(objectAt(objectAt(item, 'spec'), 'owner'), 'projectName') ?? textAt(item, 'projectName') ?? '');

/** A component in the flat shape of 0.14, or as a Kubernetes resource as since 0.16. */
export const componentIn = (item: JsonObject, namespace: string, project: string): Component => {
  const [metadata, spec] = [objectAt(item, 'metadata'), objectAt(item, 'spec')];
  const type = textAt(objectAt(spec, 'componentType'), 'name') ?? textAt(item, 'type');
  const createdAt = textAt(metadata, 'creationTimestamp') ?? textAt(item, 'createdAt');
  return {
    namespace: cleanText(namespace),
    project: cleanText(project),
    name: nameIn(item),
    type: cleanText(type ?? ''),
    status: statusIn(item),
    ...(createdAt === undefined ? {} : {createdAt: cleanText(createdAt)}),
  };
};

/** A word for it: said as such in 0.14, by the condition `Ready` since. */
const statusIn = ({status}: JsonObject): string => {
  if (typeof status === 'string') return cleanText(status);
  const {conditions} = (status ?? {}) as {conditions?: unknown};
  const ready = (Array.isArray(conditions) ? (conditions as JsonObject[]) : []).find(({type}) => type === 'Ready');
  if (!ready) return '';
  return ready.status === 'True' ? 'Ready' : cleanText(textAt(ready, 'reason') ?? 'Not ready');
};

export type ComponentList = {
  readonly serverVersion: string;
  readonly components: readonly Component[];
  /** The release, where its paths alone told it, to be kept. */
  readonly release?: string;
};

type Input = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly token: string;
  /** The release, where its paths told it at an earlier time. */
  readonly release?: string;
  /** Whom the operators want to be asked for a role, where they said so. */
  readonly contact?: string;
  /** Only those of this namespace, or of this project. */
  readonly namespace?: string;
  readonly project?: string;
};

/** As many as a server gives at once (from 0.16). */
const PAGE = 100;

/** A server that always names a next page is not followed for ever. */
const MOST_PAGES = 200;

/**
 * Every component that the token may see, and the control plane's release (platform access 4.5 and 9.2), by the paths and
 * in the shape of that release. An account with a role for some projects sees those. That one without a role sees
 * nothing is an error, since an empty list would be taken for the truth; so is a namespace or a project that is not there.
 *
 * @throws SetupError `input-invalid`, `auth-token-refused`, `auth-permission-missing`, `auth-no-role`, `platform-*`, `network-*`
 */
export const listComponents: Flow<Input, ComponentList> = (input, run) =>
  stoppable(run, async run => {
    const {platform, controlPlaneUrl, release: kept} = input;
    const version = textAt(await getter(input, run)(platform.paths.version), 'version');
    const at = {platform, controlPlaneUrl};
    const told = await releaseFor(version, {...at, ...(kept === undefined ? {} : {kept})}, run);
    const listAs = async (release: string | undefined): Promise<ComponentList> => ({
      serverVersion: cleanText(version ?? 'unknown'),
      components: await componentsOf(input, release ?? version, run),
      ...(release !== undefined && release !== version ? {release} : {}),
    });
    try {
      return await listAs(told);
    } catch (error) {
      const isGone = error instanceof SetupError && error.code === 'platform-no-such-endpoint';
      if (!isGone || kept === undefined || told !== kept) throw error;
      // What was kept may be of a build that was replaced since.
      const now = await releaseFor(version, at, run);
      if (now === undefined || now === kept) throw error;
      return listAs(now);
    }
  });

/** What the token may see, by the paths of a release. */
const componentsOf = async (input: Input, version: string | undefined, run: Run): Promise<readonly Component[]> => {
  const {platform, controlPlaneUrl, token, namespace, project, contact} = input;
  const release = releaseOf(platform, version);
  const get = getter(input, run, release.apiHeaders);
  const list = release.components === 'by-project' ? byProject : byNamespace;
  const seen = await placesIn(input, get)
    .then(places => list(places, input, get))
    .catch(error => onlyPermission(error));
  if (!(seen instanceof SetupError) && seen.components.length > 0) return seen.components;
  // Whether a project of a namespace is there is said to everybody.
  if (!(seen instanceof SetupError) && seen.lacksProject && namespace !== undefined) throw await notThere(input, get);

  const known = {
    ...{platform, controlPlaneUrl},
    ...(version === undefined ? {} : {version}),
    ...(contact === undefined ? {} : {contact}),
  };
  const access = await readAccess({...known, token}, run);
  const scope = {...(namespace === undefined ? {} : {namespace}), ...(project === undefined ? {} : {project})};
  const refused = noRole(access, known, scope);
  if (refused) throw refused;
  // A role for some projects does not show the namespaces that they are in.
  const allowed = access.kind === 'some' ? placesOf(access.paths, input) : [];
  const found = allowed.length > 0 ? await list(allowed, input, get) : undefined;
  if (found && found.components.length > 0) return found.components;
  // No role explains the refusal, so it is the answer: nothing was seen, which is not the same as nothing there.
  if (seen instanceof SetupError) {
    if (access.kind === 'some') return [];
    throw seen;
  }
  const isElsewhere = found !== undefined && !found.lacksProject;
  if (seen.lacksProject && !isElsewhere) throw await notThere(input, get);
  const missing = namespace === undefined ? undefined : await noNamespace(namespace, input, get);
  if (missing) throw missing;
  return [];
};

/** That the project which is wanted is not there, or the namespace that it should be in. */
const notThere = async (input: Input, get: Get): Promise<SetupError> => {
  const {namespace, project = '', platform} = input;
  const missing = namespace === undefined ? undefined : await noNamespace(namespace, input, get);
  if (missing) return missing;
  const namespaces = namespace === undefined ? await namesAt(platform.paths.namespaces, get) : [namespace];
  const lists = namespaces.map(one => namesAt(projectsPath(platform, one), get));
  const where = namespace === undefined ? 'any namespace that this account can see' : `namespace ${namespace}`;
  const message = `There is no project ${project} in ${where}.`;
  return notThereError('project', message, {name: project, others: (await Promise.all(lists)).flat()});
};

/** That a namespace is not there, by the list of those that may be seen; undefined where that shows it, or nothing. */
const noNamespace = async (namespace: string, {platform}: Input, get: Get): Promise<SetupError | undefined> => {
  const others = await namesAt(platform.paths.namespaces, get);
  if (others.length === 0 || others.includes(namespace)) return undefined;
  const message = `This account cannot see a namespace called ${namespace}.`;
  return notThereError('namespace', message, {name: namespace, others});
};

/** As many names as are read before one is chosen. */
const MOST_NAMES = 10;

const notThereError = async (
  flag: 'project' | 'namespace',
  message: string,
  {name, others}: {readonly name: string; readonly others: readonly string[]},
): Promise<SetupError> => {
  const names = [...new Set(others)].sort();
  const meant = await meantBy(name, names);
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  const choice = `Choose another one (${names.slice(0, MOST_NAMES).join(', ')}${more}), or leave out --${flag}.`;
  const without = names.length > 0 ? choice : `Leave out --${flag} to see what there is.`;
  return new SetupError('input-invalid', message, {
    remedy: meant === undefined ? without : `Did you mean ${meant}?`,
    about: {flag},
  });
};

/** The names in a list, where it can be had: they are help, and their failure is not the answer. */
const namesAt = async (path: string, get: Get): Promise<readonly string[]> => {
  try {
    return (await pages(get, path)).map(nameIn);
  } catch (error) {
    if (error instanceof SetupError) return [];
    throw error;
  }
};

const projectsPath = ({paths}: Platform, namespace: string) =>
  `${paths.namespaces}/${encodeURIComponent(namespace)}/projects`;

/** What may not be seen is looked into by what the account may do at all; every other failure is the answer. */
const onlyPermission = (error: unknown): SetupError => {
  if (error instanceof SetupError && error.code === 'auth-permission-missing') return error;
  throw error;
};

/** Where to look: a namespace, and a project in it where only that may be seen, or is wanted. */
type Place = {readonly namespace: string; readonly project?: string};

const placesIn = async ({namespace, project, platform}: Input, get: Get): Promise<readonly Place[]> => {
  const wanted = project === undefined ? {} : {project};
  if (namespace !== undefined) return [{namespace, ...wanted}];
  const found = await pages(get, platform.paths.namespaces);
  return found.map(item => ({namespace: nameIn(item), ...wanted}));
};

/** The projects that a profile names, as `ns/default/project/shop`. */
const placesOf = (paths: readonly string[], {namespace: wantedNamespace, project: wantedProject}: Input) =>
  paths.flatMap((path): readonly Place[] => {
    const [, namespace, project] = /^ns\/([^/]+)(?:\/project\/([^/]+))?/.exec(path) ?? [];
    const isWanted =
      namespace !== undefined &&
      (wantedNamespace ?? namespace) === namespace &&
      (wantedProject ?? project ?? '') === (project ?? '');
    return isWanted ? [{namespace, ...(project === undefined ? {} : {project})}] : [];
  });

/** What was found, and whether none of the places has the project that is wanted. */
type Listed = {readonly components: readonly Component[]; readonly lacksProject: boolean};

const listedOf = (lists: readonly (readonly Component[] | undefined)[]): Listed => ({
  components: lists.flatMap(one => one ?? []),
  lacksProject: lists.length > 0 && lists.every(one => one === undefined),
});

/** From 0.16 on the components of a namespace are one list, of a project where that is asked for. */
const byNamespace = async (places: readonly Place[], {platform}: Input, get: Get): Promise<Listed> => {
  const lists = places.map(async ({namespace, project}) => {
    const query = project === undefined ? {} : {project};
    const path = `${platform.paths.namespaces}/${encodeURIComponent(namespace)}/components`;
    const items = await pages(get, path, query).catch(onlyMissing);
    return items?.map(item => componentIn(item, namespace, projectOf(item)));
  });
  return listedOf(await Promise.all(lists));
};

/** A project that is not in a namespace may be in another, or has just gone. */
const onlyMissing = (error: unknown): undefined => {
  if (error instanceof SetupError && error.about.isObjectMissing) return undefined;
  throw error;
};

/** Before that each project has a list of its own. */
const byProject = async (places: readonly Place[], {platform}: Input, get: Get): Promise<Listed> => {
  const lists: (readonly Component[] | undefined)[] = [];
  for (const {namespace, project: wanted} of places) {
    const projects = projectsPath(platform, namespace);
    const names = wanted === undefined ? (await pages(get, projects)).map(nameIn) : [wanted];
    for (const project of names) {
      const items = await pages(get, `${projects}/${encodeURIComponent(project)}/components`).catch(onlyMissing);
      lists.push(items?.map(item => componentIn(item, namespace, project)));
    }
  }
  return listedOf(lists);
};

type Get = (path: string, query?: Readonly<Record<string, string>>) => Promise<JsonObject>;

const getter =
  (
    {controlPlaneUrl, token}: Input,
    {ports: {http}, signal, tell}: Run,
    flavour: Readonly<Record<string, string>> = {},
  ): Get =>
  async (path, query = {}) => {
    const url = addressOf(controlPlaneUrl, path);
    url.search = new URLSearchParams(query).toString();
    const headers = {...flavour, Authorization: `Bearer ${token}`};
    const reply = await http.send({method: 'GET', url, headers}, {signal, report: tell});
    if (!isSuccess(reply)) throw statusError(reply, url);
    return readJson(reply, url);
  };

/** The items of a list to its last page, in the shape of 0.14 (`data.items`) and of later releases (`items`). */
const pages = async (
  get: Get,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly JsonObject[]> => {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const body = await get(path, {...query, limit: String(PAGE), ...(cursor === undefined ? {} : {cursor})});
    const data = body.data as JsonObject | undefined;
    const found = data?.items ?? body.items;
    for (const item of Array.isArray(found) ? found : []) items.push(item);
    const next = textAt((body.pagination ?? {}) as JsonObject, 'nextCursor');
    if (next === undefined) return items;
    cursor = next;
  }
  throw new SetupError('platform-invalid-answer', `${path} has more than ${MOST_PAGES} pages.`);
};
