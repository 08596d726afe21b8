import {describe, expect, test} from 'vitest';
import {seeded} from '../../../src/sandbox/seed.ts';
import {call, connectedClient} from '../mcp/mcp-client.ts';
import {bearer, runningSandbox, send, serviceToken} from '../support.ts';

const {ready} = await runningSandbox();
const token = await serviceToken(ready);
const controlPlane = await connectedClient(ready.controlPlaneUrl, token);

describe('the control plane', () => {
  test('offers five tools for each kind, all described', async () => {
    const {tools} = await controlPlane.listTools();
    expect(tools.map(tool => tool.name)).toEqual(
      [
        ['organizations', 'organization'],
        ['projects', 'project'],
        ['components', 'component'],
        ['deployments', 'deployment'],
        ['infrastructure', 'infrastructure'],
      ].flatMap(([plural, kind]) => [
        `list_${plural}`,
        `get_${kind}`,
        `create_${kind}`,
        `update_${kind}`,
        `delete_${kind}`,
      ]),
    );
    for (const {description, inputSchema, annotations} of tools) {
      expect(description?.length).toBeGreaterThan(30);
      expect(inputSchema.type).toBe('object');
      // No release says of a tool whether it only reads.
      expect(annotations).toBeUndefined();
    }
  });

  test('shows what is there, with the UIDs and names of all that it is part of', async () => {
    const {components} = await call(controlPlane, 'list_components', {project_uid: seeded.project});
    expect(components).toContainEqual({
      uid: seeded.greeter,
      name: 'greeter-service',
      displayName: 'Greeter Service',
      type: 'deployment/service',
      autoDeploy: true,
      projectUid: seeded.project,
      projectName: 'default',
      organizationUid: seeded.organization,
      organizationName: 'default',
      createdAt: '2026-02-07T08:00:00Z',
      status: 'Created',
    });
    const {deployment} = await call(controlPlane, 'get_deployment', {uid: seeded.greeterInProduction.toUpperCase()});
    expect(deployment).toMatchObject({
      environmentUid: seeded.production,
      componentName: 'greeter-service',
      replicas: 3,
    });
  });

  test('creates, changes and deletes, and the REST API sees the same', async () => {
    const {organization} = await call(controlPlane, 'create_organization', {name: 'acme', display_name: 'Acme'});
    const {project} = await call(controlPlane, 'create_project', {name: 'shop', organization_uid: organization.uid});
    const input = {name: 'cart', project_uid: project.uid, description: 'Keeps what people want'};
    const {component} = await call(controlPlane, 'create_component', input);
    expect(component).toMatchObject({name: 'cart', projectName: 'shop', type: 'deployment/service', autoDeploy: true});

    const change = {uid: component.uid, display_name: 'Cart', auto_deploy: false};
    const updated = (await call(controlPlane, 'update_component', change)).component;
    expect(updated).toEqual({...component, displayName: 'Cart', autoDeploy: false});

    const path = '/api/v1/namespaces/acme/projects/shop/components';
    const listed = await send(`${ready.controlPlaneUrl}${path}`, {headers: bearer(token)});
    expect(listed.json.data.items).toMatchObject([{uid: component.uid, displayName: 'Cart', namespaceName: 'acme'}]);

    const used = await call(controlPlane, 'delete_organization', {uid: organization.uid});
    expect(used.error).toBe('The organization acme is still used by the project shop. Delete that first.');
    for (const [kind, {uid}] of [
      ['component', component],
      ['project', project],
      ['organization', organization],
    ] as const) {
      expect(await call(controlPlane, `delete_${kind}`, {uid})).toEqual({deleted: {kind, uid}});
      expect((await call(controlPlane, `get_${kind}`, {uid})).error).toContain('There is no');
    }
  });

  const nowhere = '00000000-0000-4000-8000-000000000000';
  const deployment = {name: 'x', component_uid: seeded.greeter, image: 'x:1'};
  test.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown UID', 'get_project', {uid: nowhere}, `There is no project with the UID ${nowhere}.`],
    ['a UID of another kind', 'get_project', {uid: seeded.greeter}, 'There is no project with the UID'],
    ['an unknown parent', 'create_project', {name: 'x', organization_uid: nowhere}, 'There is no organization'],
    ['a list of an unknown parent', 'list_projects', {organization_uid: nowhere}, 'There is no organization'],
    [
      'an unknown environment',
      'create_deployment',
      {...deployment, environment_uid: nowhere},
      'There is no infrastructure',
    ],
    [
      'a taken name',
      'create_organization',
      {name: 'default'},
      'The name default is taken by another organization there.',
    ],
    ['an environment in use', 'delete_infrastructure', {uid: seeded.development}, 'is still used by the deployment'],
    ['a bad name', 'create_organization', {name: 'No Spaces'}, 'name'],
    ['no UID', 'get_project', {}, 'uid'],
    ['something that is no UID', 'get_project', {uid: 'default'}, 'uid'],
    ['a wrong type', 'create_component', {name: 'x', project_uid: seeded.project, type: 'x'}, 'type'],
  ])('says what is wrong with %s', async (_, tool, input, message) => {
    expect((await call(controlPlane, tool, input)).error).toContain(message);
  });
});
