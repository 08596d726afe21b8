import {addressOf} from '../../domain/address.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../answers.ts';
import type {Run} from '../flow.ts';
import {type CliValues, contextIn, isSameServer, textIn} from './cli-values.ts';

/** What the CLI's own first context has. */
const USUAL = 'default';

type Place = {
  readonly platform: Platform;
  readonly version: string | undefined;
  readonly controlPlaneUrl: string;
  readonly token: string;
};

/**
 * What a new context begins with: as another context at the same control plane has it, else a namespace and a project
 * that are there, so that a list of components is not asked of one that is not.
 */
export const contextFields = async (
  values: CliValues,
  name: string,
  place: Place,
  run: Run,
): Promise<Readonly<Record<string, string>>> => {
  const usual = releaseOf(place.platform, place.version).cli?.context ?? {};
  const contexts = values.contexts.flatMap(one => contextIn(values, textIn(one, 'name')) ?? []);
  const here = contexts.filter(({url}) => url !== undefined && isSameServer(url, place.controlPlaneUrl));
  const own = here.find(({context}) => context.name === name);
  const like = own ?? here.find(({context}) => context.name === values.currentContext) ?? here[0];
  const known = (key: string) => textIn(like?.context, key);
  const namespaces = place.platform.paths.namespaces;
  const first = (path: string) => firstOf(path, place, run);
  const namespace = known('namespace') ?? (await first(namespaces));
  const project = known('project') ?? (await first(`${namespaces}/${encodeURIComponent(namespace)}/projects`));
  const others = Object.entries(usual).map(([key, value]) => [key, known(key) ?? value]);
  return {namespace, project, ...Object.fromEntries(others)};
};

/** The usual name where it is among them or none can be read, else the first. */
const firstOf = async (path: string, place: Place, run: Run): Promise<string> => {
  const {signal} = run;
  const names = await namesAt(path, place, run).catch((): readonly string[] => []);
  signal.throwIfAborted();
  return names.includes(USUAL) ? USUAL : (names[0] ?? USUAL);
};

const namesAt = async (
  path: string,
  {controlPlaneUrl, token}: Place,
  {ports: {http}, signal, tell}: Run,
): Promise<readonly string[]> => {
  const url = addressOf(controlPlaneUrl, path);
  const headers = {Authorization: `Bearer ${token}`};
  const reply = await http.send({method: 'GET', url, headers}, {signal, report: tell});
  const body = isSuccess(reply) ? readJson(reply, url) : {};
  const items = (body.data as JsonObject | undefined)?.items ?? body.items;
  return Array.isArray(items) ? items.flatMap(item => nameOf(item) ?? []) : [];
};

/** In the shape of the first releases, and of the later ones. */
const nameOf = (item: JsonObject): string | undefined =>
  textAt(item, 'name') ?? textAt((item.metadata ?? {}) as JsonObject, 'name');
