import {addressOf} from '../../platform/address.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import {isSuccess, readJson, statusError, textAt} from '../answers.ts';
import type {Flow} from '../flow.ts';
import {leavable, reporting, type Tell} from '../reporting.ts';

export type Component = {
  readonly namespace: string;
  readonly project: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly createdAt?: string;
};

export type ComponentList = {readonly serverVersion: string; readonly components: readonly Component[]};

type Input = {readonly platform: Platform; readonly controlPlaneUrl: string; readonly token: string};

/**
 * Every component that the token may see, and the control plane's release (platform access 4.5 and 9.2).
 *
 * @throws SetupError `auth-token-refused`, `auth-permission-missing`, `platform-*`, `network-*`
 */
export const listComponents: Flow<Input, ComponentList> = ({platform, controlPlaneUrl, token}, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const {paths} = platform;
    const get = getter(controlPlaneUrl, token, ports, signal, tell);
    // Asked beside the lists, which may fail first: then nobody waits for it any more.
    const version = leavable(get(paths.version));
    const components: Component[] = [];
    for (const namespace of await items(get, paths.namespaces)) {
      const projects = `${paths.namespaces}/${segment(namespace)}/projects`;
      for (const project of await items(get, projects)) {
        const found = await items(get, `${projects}/${segment(project)}/components`);
        components.push(...found.map(item => describe(item, nameOf(namespace), nameOf(project))));
      }
    }
    return {serverVersion: cleanText(textAt(await version, 'version') ?? 'unknown'), components};
  });

type Get = (path: string) => Promise<Readonly<Record<string, unknown>>>;
type Item = Readonly<Record<string, unknown>>;

const getter =
  (baseUrl: string, token: string, {http}: Ports, signal: AbortSignal, tell: Tell): Get =>
  async path => {
    const url = addressOf(baseUrl, path);
    const reply = await http.send(
      {method: 'GET', url, headers: {Authorization: `Bearer ${token}`}},
      {signal, report: tell},
    );
    if (!isSuccess(reply)) throw statusError(reply, url);
    return readJson(reply, url);
  };

/** The items of a list, in the shape of 0.14 (`data.items`) and of later releases (`items`). */
const items = async (get: Get, path: string): Promise<readonly Item[]> => {
  const body = await get(path);
  const data = body.data as Item | undefined;
  const found = data?.items ?? body.items;
  return Array.isArray(found) ? found : [];
};

const nameOf = (item: Item) => cleanText(textAt(item, 'name') ?? '');
const segment = (item: Item) => encodeURIComponent(textAt(item, 'name') ?? '');

const describe = (item: Item, namespace: string, project: string): Component => {
  const text = (key: string) => cleanText(textAt(item, key) ?? '');
  const createdAt = textAt(item, 'createdAt');
  return {
    namespace,
    project,
    name: text('name'),
    type: text('type'),
    status: text('status'),
    ...(createdAt === undefined ? {} : {createdAt: cleanText(createdAt)}),
  };
};
