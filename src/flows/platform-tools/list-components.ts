import {addressOf} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {cleanText} from '../../text.ts';
import {isSuccess, type JsonObject, readJson, statusError, textAt} from '../answers.ts';
import type {Flow} from '../flow.ts';
import {releaseFor} from '../release-by-paths.ts';
import {type Run, reporting} from '../reporting.ts';
import {noRole, readAccess} from './access.ts';
import {type Component, componentIn, nameIn, projectOf} from './component.ts';

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
 * nothing is an error, since an empty list would be taken for the truth.
 *
 * @throws SetupError `auth-token-refused`, `auth-permission-missing`, `auth-no-role`, `platform-*`, `network-*`
 */
export const listComponents: Flow<Input, ComponentList> = (input, ports, signal) =>
  reporting({ports, signal}, async run => {
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
  if (!(seen instanceof SetupError) && seen.length > 0) return seen;

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
  if (allowed.length > 0) return list(allowed, input, get);
  // No role explains the refusal, so it is the answer: nothing was seen, which is not the same as nothing there.
  if (seen instanceof SetupError && access.kind !== 'some') throw seen;
  return [];
};

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

/** From 0.16 on the components of a namespace are one list, of a project where that is asked for. */
const byNamespace = async (places: readonly Place[], input: Input, get: Get): Promise<readonly Component[]> => {
  const {platform} = input;
  const lists = places.map(async ({namespace, project}) => {
    const query = project === undefined ? {} : {project};
    const path = `${platform.paths.namespaces}/${encodeURIComponent(namespace)}/components`;
    const items = await pages(get, path, query).catch(error => notInThisOne(error, input));
    return items.map(item => componentIn(item, namespace, projectOf(item)));
  });
  return (await Promise.all(lists)).flat();
};

/** A project that is wanted of any namespace is in some of them. */
const notInThisOne = (error: unknown, {namespace, project}: Input): never[] => {
  const isElsewhere = namespace === undefined && project !== undefined;
  if (isElsewhere && error instanceof SetupError && error.code === 'platform-no-such-endpoint') return [];
  throw error;
};

/** Before that each project has a list of its own. */
const byProject = async (places: readonly Place[], input: Input, get: Get): Promise<readonly Component[]> => {
  const {platform} = input;
  const components: Component[] = [];
  for (const {namespace, project: wanted} of places) {
    const projects = `${platform.paths.namespaces}/${encodeURIComponent(namespace)}/projects`;
    const names = wanted === undefined ? (await pages(get, projects)).map(nameIn) : [wanted];
    for (const project of names) {
      const path = `${projects}/${encodeURIComponent(project)}/components`;
      const items = await pages(get, path).catch(error => notInThisOne(error, input));
      for (const item of items) components.push(componentIn(item, namespace, project));
    }
  }
  return components;
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
