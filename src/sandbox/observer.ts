import {createHash} from 'node:crypto';
import {z} from 'zod';
import {bundled} from '../platform/platforms.ts';
import {type Handler, pathOf, router, sendJson} from './http-server.ts';
import type {TokenVerifier} from './identity/issued-tokens.ts';
import type {McpEndpoint} from './mcp-endpoint.ts';
import {insufficient} from './named-tools.ts';
import {challengeOf, protectedBy, resourceMetadata} from './protected-resource.ts';
import {placeOf} from './resource-api.ts';
import {type OfferedTool, type RegisterTools, toolResult} from './resource-tools.ts';
import {type Resource, ResourceError, type ResourceStore, uuid} from './resources.ts';

/** A period; both ends in milliseconds since the epoch, the end excluded. */
export type Period = {readonly from: number; readonly to: number};

export const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;

export type Level = (typeof levels)[number];

export type LogEntry = {
  readonly timestamp: string;
  readonly level: Level;
  readonly message: string;
  readonly componentUid: string;
  readonly componentName: string;
  readonly traceId: string;
};

const minute = 60_000;

/**
 * Returns the log of a component, oldest first. The same minute of the same component always gives the same entries.
 */
export const logsOf = (component: Resource, period: Period): LogEntry[] =>
  ticks(period, minute).map(time => {
    const random = draw(component.uid, 'log', time);
    const [level, message] = lines[random(lines.length)] ?? lines[0];
    return {
      timestamp: new Date(time + random(minute)).toISOString(),
      level,
      message,
      componentUid: component.uid,
      componentName: component.name,
      traceId: traceId(component.uid, time),
    };
  });

export type MetricPoint = {
  readonly timestamp: string;
  readonly requestsPerSecond: number;
  readonly errorRate: number;
  readonly latencyP95Milliseconds: number;
  readonly cpuCores: number;
  readonly memoryMebibytes: number;
};

/** Returns measurements of a component, one for each step of the period. */
export const metricsOf = (component: Resource, period: Period, stepSeconds: number): MetricPoint[] =>
  ticks(period, stepSeconds * 1000).map(time => {
    const random = draw(component.uid, 'metric', time);
    return {
      timestamp: new Date(time).toISOString(),
      requestsPerSecond: 5 + random(200) / 10,
      errorRate: random(30) / 1000,
      latencyP95Milliseconds: 20 + random(180),
      cpuCores: 0.05 + random(40) / 100,
      memoryMebibytes: 64 + random(128),
    };
  });

export type Trace = {
  readonly traceId: string;
  readonly startTime: string;
  readonly durationMilliseconds: number;
  readonly status: 'OK' | 'ERROR';
  readonly spans: readonly {readonly name: string; readonly component: string; readonly durationMilliseconds: number}[];
};

/** Returns one request through a component for each minute, with its spans. */
export const tracesOf = (component: Resource, period: Period): Trace[] =>
  ticks(period, minute).map(time => {
    const random = draw(component.uid, 'trace', time);
    const duration = 20 + random(400);
    return {
      traceId: traceId(component.uid, time),
      startTime: new Date(time + random(minute)).toISOString(),
      durationMilliseconds: duration,
      status: random(20) === 0 ? 'ERROR' : 'OK',
      spans: [
        {name: 'HTTP GET /', component: component.name, durationMilliseconds: duration},
        {name: 'SELECT', component: `${component.name}-database`, durationMilliseconds: Math.ceil(duration / 3)},
      ],
    };
  });

const lines: readonly [readonly [Level, string], ...(readonly [Level, string])[]] = [
  ['INFO', 'Request handled: GET / 200'],
  ['INFO', 'Request handled: GET /greet 200'],
  ['INFO', 'Request handled: POST /orders 201'],
  ['DEBUG', 'Cache hit'],
  ['DEBUG', 'Connection taken from the pool'],
  ['WARN', 'Slow query: 812 ms'],
  ['WARN', 'Retrying after a reset connection'],
  ['ERROR', 'Request failed: GET /orders/42 500'],
];

/** Returns the multiples of a step that lie within a period. */
const ticks = ({from, to}: Period, step: number) => {
  const first = Math.ceil(from / step) * step;
  return Array.from({length: Math.max(0, Math.ceil((to - first) / step))}, (_, index) => first + index * step);
};

const traceId = (uid: string, time: number) => digest(`${uid} trace ${time}`).toString('hex').slice(0, 32);

/** Returns a generator of whole numbers below a bound, the same ones each time for the same subject and time. */
const draw = (uid: string, about: string, time: number) => {
  const bytes = digest(`${uid} ${about} ${time}`);
  let at = 0;
  return (bound: number) => bytes.readUInt32BE(4 * (at++ % 8)) % bound;
};

const digest = (text: string) => createHash('sha256').update(text).digest();

export type ObserverOptions = {
  /** The address that the observer believes to be its own. */
  readonly url: string;
  readonly resourceName: string;
  readonly scopes: readonly string[];
  /** The members that a platform adds to the metadata. */
  readonly additions: Readonly<Record<string, unknown>>;
  /** The identity provider that the observer names. */
  readonly authority: string;
  readonly verify: TokenVerifier;
  readonly mcp: McpEndpoint;
};

/** The observer (platform access 4.2 and 4.3): everything that its host answers. */
export const observer = (options: ObserverOptions): Handler => {
  const {url, resourceName, scopes, additions, authority, verify, mcp} = options;
  const {paths} = bundled;
  const metadata = resourceMetadata({name: resourceName, authorizationServer: authority, ...{url, scopes, additions}});
  const serveMcp = protectedBy(
    verify,
    challengeOf(url, scopes),
  )((request, response, claims) => mcp.serve(claims)(request, response));
  const routes = router({
    [paths.health]: {
      GET: (_, response) => sendJson(response, 200, {status: 'healthy', timestamp: new Date().toISOString()}),
    },
    [paths.protectedResource]: {GET: (_, response) => sendJson(response, 200, metadata)},
  });
  // Every method of this path requires a token first, so the path is not in the table.
  return (request, response) => (pathOf(request) === paths.mcp ? serveMcp : routes)(request, response);
};

type Query = z.infer<z.ZodObject<typeof periodFields & typeof signalFields>>;

type Signal = {
  readonly about: string;
  readonly fields: Partial<typeof signalFields>;
  readonly read: (components: readonly Resource[], period: Period, query: Query) => readonly object[];
};

const hour = 3_600_000;

/** The longest period of a query, in milliseconds. */
const longestPeriod = 24 * hour;

/**
 * Registers the observer's queries: logs, metrics and traces, of one component or of all components of a project. They
 * are listed for every caller, and each call checks the caller's role, whatever the control plane does.
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
