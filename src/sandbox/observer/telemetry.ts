import {createHash} from 'node:crypto';
import type {Resource} from '../resources/resource.ts';

/** A stretch of time, both ends in milliseconds since the epoch; the end is not part of it. */
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

/** The log of a component, oldest first. The same minute of the same component always says the same. */
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

/** Measurements of a component, one at each step of the period. */
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

/** One request each minute through a component, with its spans. */
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

/** The whole steps that begin within a period. */
const ticks = ({from, to}: Period, step: number) => {
  const first = Math.ceil(from / step) * step;
  return Array.from({length: Math.max(0, Math.ceil((to - first) / step))}, (_, index) => first + index * step);
};

const traceId = (uid: string, time: number) => digest(`${uid} trace ${time}`).toString('hex').slice(0, 32);

/** Whole numbers below a bound, the same ones each time for the same subject and moment. */
const draw = (uid: string, about: string, time: number) => {
  const bytes = digest(`${uid} ${about} ${time}`);
  let at = 0;
  return (bound: number) => bytes.readUInt32BE(4 * (at++ % 8)) % bound;
};

const digest = (text: string) => createHash('sha256').update(text).digest();
