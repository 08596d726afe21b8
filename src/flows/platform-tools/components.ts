import {addressOf} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, statusError, textAt} from '../http-answers.ts';
import {releaseFor} from '../release-by-paths.ts';
import {stoppable} from '../stoppable.ts';
import {noRole, readAccess} from './account-roles.ts';
import {meantBy} from './call-tool.ts';

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

/** Returns the name of a resource: from the resource itself until 0.15, from its metadata since. */
export const nameIn = (item: JsonObject): string =>
  cleanText(textAt(objectAt(item, 'metadata'), 'name') ?? textAt(item, 'name') ?? '');

/** Returns the project that a component in a namespace belongs to (from 0.16). */
export const projectOf = (item: JsonObject): string =>
  cleanText(textAt(objectAt(objectAt(item, 'spec'), 'owner'), 'projectName') ?? textAt(item, 'projectName') ?? '');

/** Reads a component in the flat form of 0.14 and 0.15, or as a Kubernetes resource, its form since 0.16. */
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

/** Returns the status as one word: until 0.15 the server's own word, since then by the condition `Ready`. */
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
  /** The release to store, if only its paths revealed it. */
  readonly release?: string;
};

type Input = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly token: string;
  /** The release, if its paths revealed it at an earlier time. */
  readonly release?: string;
  /** The contact that the operators named for roles, if they did. */
  readonly contact?: string;
  /** Lists only the components of this namespace, or of this project. */
  readonly namespace?: string;
  readonly project?: string;
};

/** The largest number of items that a server returns at once (from 0.16). */
const PAGE = 100;

/** The largest number of pages that are read: a server may always name a next one. */
const MOST_PAGES = 200;

/**
 * Returns every component that the token may see, and the control plane's release (platform access 4.5 and 9.2), by the
 * paths and in the form of that release. An account with a role for some projects sees those. It is an error if an
 * account without a role sees nothing, because an empty list would be taken for the truth. A namespace or a project
 * that does not exist is also an error.
 *
 * @throws SetupError `input-invalid`, `auth-token-refused`, `auth-permission-missing`, `auth-no-role`, `platform-*`,
 *   `network-*`
 */
export const listComponents: Flow<Input, ComponentList> = (input, run) =>
  stoppable(run, async run => {
    const {platform, controlPlaneUrl, release: knownRelease} = input;
    const version = textAt(await getter(input, run)(platform.paths.version), 'version');
    const at = {platform, controlPlaneUrl};
    const currentRelease = await releaseFor(
      version,
      {...at, ...(knownRelease === undefined ? {} : {knownRelease})},
      run,
    );
    const listAs = async (release: string | undefined): Promise<ComponentList> => ({
      serverVersion: cleanText(version ?? 'unknown'),
      components: await componentsOf(input, release ?? version, run),
      ...(release !== undefined && release !== version ? {release} : {}),
    });
    try {
      return await listAs(currentRelease);
    } catch (error) {
      const isGone = error instanceof SetupError && error.code === 'platform-no-such-endpoint';
      if (!isGone || knownRelease === undefined || currentRelease !== knownRelease) throw error;
      // The stored release may be that of a build that has been replaced since.
      const now = await releaseFor(version, at, run);
      if (now === undefined || now === knownRelease) throw error;
      return listAs(now);
    }
  });

/** Returns the components that the token may see, by the paths of a release. */
const componentsOf = async (input: Input, version: string | undefined, run: Run): Promise<readonly Component[]> => {
  const {platform, controlPlaneUrl, token, namespace, project, contact} = input;
  const release = releaseOf(platform, version);
  const get = getter(input, run, release.apiHeaders);
  const list = release.components === 'by-project' ? byProject : byNamespace;
  const seen = await placesIn(input, get)
    .then(places => list(places, input, get))
    .catch(error => onlyPermission(error));
  if (!(seen instanceof SetupError) && seen.components.length > 0) return seen.components;
  // The server tells every account whether a namespace has a project.
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
  // A role for some projects does not show their namespaces.
  const allowed = access.kind === 'some' ? placesOf(access.paths, input) : [];
  const found = allowed.length > 0 ? await list(allowed, input, get) : undefined;
  if (found && found.components.length > 0) return found.components;
  // An account with a role for some places sees nothing in them. For any other account, no missing role explains the
  // refusal, so the refusal is the answer.
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

/** Returns the error that the wanted project does not exist, or that its namespace does not. */
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

/** Returns the error that a namespace is not among the visible ones; undefined if it is, or if none is visible. */
const noNamespace = async (namespace: string, {platform}: Input, get: Get): Promise<SetupError | undefined> => {
  const others = await namesAt(platform.paths.namespaces, get);
  if (others.length === 0 || others.includes(namespace)) return undefined;
  const message = `This account cannot see a namespace called ${namespace}.`;
  return notThereError('namespace', message, {name: namespace, others});
};

/** How many names are listed to choose from. */
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
  const without = names.length > 0 ? choice : `Leave out --${flag} to see everything.`;
  return new SetupError('input-invalid', message, {
    remedy: meant === undefined ? without : `Did you mean ${meant}?`,
    about: {flag},
  });
};

/** Returns the names in a list, or none if it cannot be read: they only help, so their failure is not reported. */
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

/** Returns the error of a missing permission, which the account's permissions may explain; throws every other error. */
const onlyPermission = (error: unknown): SetupError => {
  if (error instanceof SetupError && error.code === 'auth-permission-missing') return error;
  throw error;
};

/** A place to look: a namespace, and a project in it if only that is visible or wanted. */
type Place = {readonly namespace: string; readonly project?: string};

const placesIn = async ({namespace, project, platform}: Input, get: Get): Promise<readonly Place[]> => {
  const wanted = project === undefined ? {} : {project};
  if (namespace !== undefined) return [{namespace, ...wanted}];
  const found = await pages(get, platform.paths.namespaces);
  return found.map(item => ({namespace: nameIn(item), ...wanted}));
};

/** Returns the wanted places among those that a profile names, such as `ns/default/project/shop`. */
const placesOf = (paths: readonly string[], {namespace: wantedNamespace, project: wantedProject}: Input) =>
  paths.flatMap((path): readonly Place[] => {
    const [, namespace, project] = /^ns\/([^/]+)(?:\/project\/([^/]+))?/.exec(path) ?? [];
    const isWanted =
      namespace !== undefined &&
      (wantedNamespace ?? namespace) === namespace &&
      (wantedProject ?? project ?? '') === (project ?? '');
    return isWanted ? [{namespace, ...(project === undefined ? {} : {project})}] : [];
  });

/** The components that were found, and whether none of the places has the wanted project. */
type Listed = {readonly components: readonly Component[]; readonly lacksProject: boolean};

const listedOf = (lists: readonly (readonly Component[] | undefined)[]): Listed => ({
  components: lists.flatMap(one => one ?? []),
  lacksProject: lists.length > 0 && lists.every(one => one === undefined),
});

/** From 0.16 on, the components of a namespace are one list, limited to a project if one is wanted. */
const byNamespace = async (places: readonly Place[], {platform}: Input, get: Get): Promise<Listed> => {
  const lists = places.map(async ({namespace, project}) => {
    const query = project === undefined ? {} : {project};
    const path = `${platform.paths.namespaces}/${encodeURIComponent(namespace)}/components`;
    const items = await pages(get, path, query).catch(onlyMissing);
    return items?.map(item => componentIn(item, namespace, projectOf(item)));
  });
  return listedOf(await Promise.all(lists));
};

/** A project that is not in one namespace may be in another, or was just removed. */
const onlyMissing = (error: unknown): undefined => {
  if (error instanceof SetupError && error.about.isObjectMissing) return undefined;
  throw error;
};

/** Before 0.16, each project has a list of its own. */
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

/** Reads the items of a list to its last page: in the form until 0.15 (`data.items`), or the later one (`items`). */
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
