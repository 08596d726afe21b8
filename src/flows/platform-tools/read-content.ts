import type {AccountContent, FailingComponent} from '../../domain/account-content.ts';
import type {CallResult, McpClient, Tool} from '../../mcp/client.ts';
import {isObject, type JsonObject} from '../../mcp/message.ts';
import type {Ports} from '../../ports/ports.ts';
import {briefText} from '../../text.ts';
import {valueIn} from './call-tool.ts';
import {componentIn, nameIn, projectOf} from './components.ts';
import type {ListOptions} from './list-tools.ts';

/** The namespace that every installation has. */
const USUAL = 'default';

/** How long the reading may take, in milliseconds: nobody waits longer for a count. */
const TIME = 4_000;

/** The largest number of pages of one list that are read: a server may always name a next one. */
const MOST_PAGES = 50;

/**
 * Reads what the account of a connection sees: its namespaces, their projects, and the components of each, by the tools
 * that list them. The schemas of the tools say which arguments they want, so every release is read alike. If a tool is
 * missing or refused, the result lacks what it would list.
 *
 * @param tools every tool that the server offers on this connection
 * @returns undefined if nothing could be read at all
 */
export const readContent = async (
  client: Pick<McpClient, 'callTool'>,
  tools: readonly Tool[],
  clock: Pick<Ports['clock'], 'monotonic' | 'sleep'>,
): Promise<AccountContent | undefined> => {
  const until = clock.monotonic() + TIME;
  let isPartial = false;
  let isLate = false;

  /** Waits for a call as long as there is time. A call that is late is given up, and so are all further ones. */
  const inTime = async <Answer>(call: Promise<Answer>): Promise<Answer | undefined> => {
    const answered = new AbortController();
    const late = clock.sleep(until - clock.monotonic(), answered.signal).then(
      () => {
        isLate = true;
        return undefined;
      },
      () => undefined,
    );
    try {
      return await Promise.race([call, late]);
    } finally {
      answered.abort();
    }
  };

  /** Lists resources by a tool, in each of these places if the tool wants one; undefined if it cannot be called. */
  const list = async (plural: string, places: readonly Place[]): Promise<readonly Listed[] | undefined> => {
    const tool = tools.find(({name}) => name === `list_${plural}`);
    if (!tool) return undefined;
    const {required, hasPages} = wanted(tool);
    const found: Listed[] = [];
    let isRefused = false;
    for (const place of required.length === 0 ? [{}] : places) {
      if (!required.every(key => key in place)) return undefined;
      const args = Object.fromEntries(required.map(key => [key, place[key as keyof Place]]));
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        if (isLate || clock.monotonic() >= until) {
          isPartial = true;
          return found;
        }
        const more = {...(hasPages ? {limit: 100} : {}), ...(cursor === undefined ? {} : {cursor})};
        // Nothing depends on the content: whatever fails here, the connection has been tested already.
        const answer = await inTime(client.callTool(tool.name, {...args, ...more}).catch(() => undefined));
        const items = answer && itemsIn(answer, plural);
        if (!items) {
          isRefused = true;
          break;
        }
        for (const item of items.list) found.push({item, place});
        cursor = items.next;
        if (cursor === undefined) break;
        if (page === MOST_PAGES - 1) isPartial = true;
      }
    }
    if (isRefused) isPartial = true;
    return isRefused && found.length === 0 ? undefined : found;
  };

  const namespaces = (await list('namespaces', [{}])) ?? [];
  const names = namespaces.map(({item}) => nameIn(item));
  const projects = await list(
    'projects',
    // A role for one project shows no namespace, but that project in it.
    (names.length > 0 ? names : [USUAL]).map(namespace_name => ({namespace_name})),
  );
  const components = await list(
    'components',
    (projects ?? []).map(({item, place}) => ({...place, project_name: nameIn(item)})),
  );
  if (!projects && !components) return undefined;
  // A choice of tools may leave out the one that lists components; then it is not known how many there are.
  const isListed = tools.some(({name}) => name === 'list_components');
  const hasNoPlace = names.length === 0 && tools.some(({name}) => name === 'list_namespaces');
  const canCreate = tools.some(({name}) => name === 'create_project');
  // The name becomes part of a command that the person copies.
  const namespace = names.find(name => resourceName.test(name));
  return {
    projects: projects?.length ?? 0,
    ...(components || isListed ? {components: components?.length ?? 0} : {}),
    failing: (components ?? []).flatMap(({item, place}) => failingIn(item, place)),
    ...(isPartial || !projects || (!components && isListed) || hasNoPlace ? {isPartial: true} : {}),
    ...(canCreate && namespace !== undefined ? {creatableIn: namespace} : {}),
  };
};

/** Returns the options with which `listTools` also reads what the account sees, in the same session. */
export const contentReader = ({clock}: Pick<Ports, 'clock'>): ListOptions => ({
  readContent: (client, tools) => readContent(client, tools, clock),
});

/** The arguments that name the place of a list. */
type Place = {readonly namespace_name?: string; readonly project_name?: string};

type Listed = {readonly item: JsonObject; readonly place: Place};

/** Returns the arguments that a tool requires, and whether it lists in pages. */
const wanted = ({inputSchema}: Tool): {readonly required: readonly string[]; readonly hasPages: boolean} => {
  const {required, properties} = inputSchema as {required?: unknown; properties?: unknown};
  return {
    required: Array.isArray(required) ? required.filter(key => typeof key === 'string') : [],
    hasPages: isObject(properties) && 'limit' in properties && 'cursor' in properties,
  };
};

/** Returns the items of an answer, and where the next page begins; undefined if the tool failed or answered no list. */
const itemsIn = (
  {isError, structuredContent, content}: CallResult,
  plural: string,
): {readonly list: readonly JsonObject[]; readonly next?: string} | undefined => {
  if (isError) return undefined;
  const {value} = valueIn(
    structuredContent,
    content.map(({text}) => String(text)),
  );
  const list = isObject(value) ? value[plural] : value;
  if (!Array.isArray(list)) return undefined;
  const next = isObject(value) ? value.next_cursor : undefined;
  return {list: list.filter(isObject), ...(typeof next === 'string' && next !== '' ? {next} : {})};
};

/** Reasons of the condition `Ready` that do not pass by themselves, by how the platform's words begin or end. */
const failing = /^Invalid|(?:NotFound|NotAllowed|Failed|Degraded|Error|BackOff)$/;

const failingIn = (item: JsonObject, {project_name = ''}: Place): readonly FailingComponent[] => {
  const {name, status} = componentIn(item, '', '');
  if (!failing.test(status)) return [];
  const [shown, project, why] = [name, projectOf(item) || project_name, status].map(text => briefText(text, LONGEST));
  return [{name: shown ?? '', project: project ?? '', status: why ?? ''}];
};

/** The names that Kubernetes allows (RFC 1123). */
const resourceName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The longest name that is shown, in characters: that of a resource in Kubernetes. */
const LONGEST = 63;
