import {z} from 'zod';
import {placeOf} from '../control-plane/objects.ts';
import type {OfferedTool, RegisterTools} from '../mcp/offered-tool.ts';
import {toolResult} from '../mcp/tool-result.ts';
import {uuid} from '../resources/kinds.ts';
import {insufficient} from '../resources/named-tools.ts';
import {type Resource, ResourceError} from '../resources/resource.ts';
import type {ResourceStore} from '../resources/resource-store.ts';
import {levels, logsOf, metricsOf, type Period, tracesOf} from './telemetry.ts';

type Query = z.infer<z.ZodObject<typeof periodFields & typeof signalFields>>;

type Signal = {
  readonly about: string;
  readonly fields: Partial<typeof signalFields>;
  readonly read: (components: readonly Resource[], period: Period, query: Query) => readonly object[];
};

const hour = 3_600_000;

/** No query looks at more than this, in milliseconds. */
const longestPeriod = 24 * hour;

/**
 * Gives an MCP server its queries: logs, metrics and traces, of one component or of all components of a project. They
 * are listed for everybody, and refused by each call, whatever the control plane does.
 */
export const observabilityTools =
  (store: ResourceStore): RegisterTools =>
  (server, {access}) => {
    const scopes = {
      component: (uid: string) => [store.get('component', uid)],
      project: (uid: string) => store.list('component', store.get('project', uid).uid),
    };
    const offered = new Map<string, OfferedTool>();
    for (const [signal, definition] of Object.entries(signals)) {
      for (const [scope, componentsOf] of Object.entries(scopes)) {
        const uid = uuid.describe(`UID of the ${scope}, as the control plane's tools show it`);
        const name = `query_${scope}_${signal}`;
        const tool = server.registerTool(
          name,
          {
            title: `Query ${scope} ${signal}`,
            description: `${definition.about} of one ${scope}, by its UID, over the last hour or a given time.`,
            inputSchema: z.object({[`${scope}_uid`]: uid, ...periodFields, ...definition.fields}),
            annotations: {readOnlyHint: true},
          },
          (input: Readonly<Record<string, unknown>>) =>
            toolResult(() => {
              const query = z.object({...periodFields, ...signalFields}).parse(input);
              const all = componentsOf(String(input[`${scope}_uid`]));
              const components = all.filter(one => access().may(`${signal}:view`, placeOf(store, one)));
              if (all.length > 0 && components.length === 0) throw new ResourceError(insufficient);
              return {[signal]: definition.read(components, periodOf(query), query).slice(-query.limit)};
            }),
        );
        offered.set(name, {tool});
      }
    }
    return offered;
  };

const time = (text: string) => z.iso.datetime({offset: true}).optional().describe(text);

const periodFields = {
  start_time: time('Start (RFC 3339); an hour before the end if not given'),
  end_time: time('End (RFC 3339), not included; now if not given'),
  limit: z.int().min(1).max(1000).default(100).describe('At most this many entries: the newest'),
};

const signalFields = {
  levels: z.array(z.enum(levels)).optional().describe('Only entries of these levels'),
  search: z.string().max(200).optional().describe('Only entries whose message contains this text'),
  step_seconds: z.int().min(10).max(3600).default(60).describe('Seconds between two measurements'),
  errors_only: z.boolean().default(false).describe('Only traces that failed'),
};

const signals: Readonly<Record<string, Signal>> = {
  logs: {
    about: 'Log entries, oldest first,',
    fields: {levels: signalFields.levels, search: signalFields.search},
    read: (components, period, {levels: wanted, search = ''}) =>
      components
        .flatMap(component => logsOf(component, period))
        .filter(entry => !wanted || wanted.includes(entry.level))
        .filter(entry => entry.message.toLowerCase().includes(search.toLowerCase()))
        .sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1)),
  },
  metrics: {
    about: 'Request rate, error rate, latency, CPU and memory',
    fields: {step_seconds: signalFields.step_seconds},
    read: (components, period, {step_seconds}) =>
      components.flatMap(component =>
        metricsOf(component, period, step_seconds).map(point => ({componentUid: component.uid, ...point})),
      ),
  },
  traces: {
    about: 'Distributed traces with their spans',
    fields: {errors_only: signalFields.errors_only},
    read: (components, period, {errors_only}) =>
      components
        .flatMap(component => tracesOf(component, period))
        .filter(trace => !errors_only || trace.status === 'ERROR')
        .sort((one, other) => (one.startTime < other.startTime ? -1 : 1)),
  },
};

const periodOf = ({start_time, end_time}: Query): Period => {
  const to = end_time === undefined ? Date.now() : Date.parse(end_time);
  const from = start_time === undefined ? to - hour : Date.parse(start_time);
  if (from >= to) throw new ResourceError('The start of the time is not before its end.');
  if (to - from > longestPeriod) throw new ResourceError('A query covers at most 24 hours. Ask for a shorter time.');
  return {from, to};
};
