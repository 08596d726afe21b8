import {describe, expect, test} from 'vitest';
import {seeded} from '../../../src/sandbox/seed.ts';
import {call, connectedClient} from '../mcp/mcp-client.ts';
import {runningSandbox, serviceToken} from '../support.ts';

const {ready} = await runningSandbox();
const token = await serviceToken(ready);
const controlPlane = await connectedClient(ready.controlPlaneUrl, token);
const observer = await connectedClient(ready.observerUrl, token);

describe('the observer', () => {
  const hour = {start_time: '2026-02-07T08:00:00Z', end_time: '2026-02-07T09:00:00Z'};

  test('offers logs, metrics and traces of components and projects', async () => {
    const {tools} = await observer.listTools();
    expect(tools.map(tool => tool.name)).toEqual([
      'query_component_logs',
      'query_project_logs',
      'query_component_metrics',
      'query_project_metrics',
      'query_component_traces',
      'query_project_traces',
    ]);
  });

  test('says the same of the same time', async () => {
    const query = {component_uid: seeded.greeter, ...hour};
    const {logs} = await call(observer, 'query_component_logs', query);
    expect(logs).toHaveLength(60);
    expect(logs[0]).toMatchObject({componentUid: seeded.greeter, componentName: 'greeter-service'});
    const times = logs.map((entry: {timestamp: string}) => entry.timestamp);
    expect(times).toEqual(times.toSorted());
    expect(await call(observer, 'query_component_logs', query)).toEqual({logs});
    const other = await call(observer, 'query_component_logs', {...query, component_uid: seeded.storefront});
    const messages = (entries: {message: string}[]) => entries.map(entry => entry.message);
    expect(messages(other.logs)).not.toEqual(messages(logs));
  });

  test('narrows logs down', async () => {
    const query = {project_uid: seeded.project, ...hour};
    const {logs} = await call(observer, 'query_project_logs', {...query, levels: ['ERROR'], limit: 3});
    expect(logs).toHaveLength(3);
    expect(new Set(logs.map((entry: {level: string}) => entry.level))).toEqual(new Set(['ERROR']));
    const slow = await call(observer, 'query_project_logs', {...query, search: 'SLOW query'});
    expect(slow.logs.length).toBeGreaterThan(0);
    for (const {message} of slow.logs) expect(message).toContain('Slow query');
  });

  test('measures at each step', async () => {
    const query = {component_uid: seeded.greeter, step_seconds: 600, ...hour};
    const {metrics} = await call(observer, 'query_component_metrics', query);
    expect(metrics).toHaveLength(6);
    expect(metrics[0]).toMatchObject({timestamp: '2026-02-07T08:00:00.000Z', cpuCores: expect.any(Number)});
  });

  test('finds traces that failed', async () => {
    const day = {start_time: '2026-02-07T00:00:00Z', end_time: '2026-02-08T00:00:00Z'};
    const query = {project_uid: seeded.project, errors_only: true, ...day};
    const {traces} = await call(observer, 'query_project_traces', query);
    expect(traces.length).toBeGreaterThan(0);
    for (const {status, spans} of traces) {
      expect(status).toBe('ERROR');
      expect(spans.length).toBeGreaterThan(0);
    }
  });

  test('shows the last hour when no time is given', async () => {
    const {logs} = await call(observer, 'query_component_logs', {component_uid: seeded.greeter});
    expect(logs.length).toBeGreaterThanOrEqual(59);
  });

  test('knows components that were made a moment ago', async () => {
    const {component} = await call(controlPlane, 'create_component', {name: 'new-one', project_uid: seeded.project});
    const {logs} = await call(observer, 'query_component_logs', {component_uid: component.uid, ...hour});
    expect(logs[0].componentName).toBe('new-one');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown component', {component_uid: crypto.randomUUID()}, 'There is no component with the UID'],
    ['a project for a component', {component_uid: seeded.project}, 'There is no component with the UID'],
    [
      'an end before the start',
      {component_uid: seeded.greeter, ...hour, end_time: hour.start_time},
      'not before its end',
    ],
    ['a whole year', {component_uid: seeded.greeter, ...hour, start_time: '2025-02-07T08:00:00Z'}, 'at most 24 hours'],
    ['a name for a UID', {component_uid: 'greeter-service'}, 'component_uid'],
  ])('says what is wrong with %s', async (_, input, message) => {
    expect((await call(observer, 'query_component_logs', input)).error).toContain(message);
  });
});
