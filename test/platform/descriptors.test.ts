import {describe, expect, test} from 'vitest';
import {platformSchema} from '../../src/platform/descriptor-schema.ts';
import {bundled, findPlatform, openchoreo, platforms} from '../../src/platform/platforms.ts';
import {ageOf, preparedClientsOf, recognise, releaseOf, toolSetsOf} from '../../src/platform/recognise.ts';

describe('the descriptors', () => {
  test.each(platforms)('$id is of the shape that the schema has', platform => {
    expect(platformSchema.parse(platform)).toEqual(platform);
  });

  test.each([
    ['a field that nobody knows', {extra: 1}],
    ['a path without a slash', {paths: {...bundled.paths, mcp: 'mcp'}}],
    ['no release', {releases: []}],
    ['a port out of range', {ports: {...bundled.ports, gateway: 70_000}}],
  ])('%s is refused', (_what, change) => {
    expect(platformSchema.safeParse({...bundled, ...change}).success).toBe(false);
  });

  test.each(platforms)('$id says of each release what its own CLI has in its file, where it has one', platform => {
    for (const {cli} of platform.releases) expect(cli === undefined).toBe(platform.ownCli === undefined);
  });

  test('one that is unknown is named with those that are known', () => {
    expect(() => findPlatform('other')).toThrow(/bundled, openchoreo/);
  });
});

describe('the kind of a platform', () => {
  test.each([
    ['its name', {name: 'openchoreo-api'}],
    ['the name of its MCP server', {metadata: {resource_name: 'OpenChoreo MCP Server'}}],
    ['the list of its clients', {metadata: {openchoreo_clients: []}}],
  ])('is told by %s', (_what, self) => {
    expect(recognise(platforms, self)?.id).toBe('openchoreo');
  });

  test('is told by its name, whatever else it says', () => {
    expect(recognise(platforms, {name: 'platform-api', metadata: {openchoreo_clients: []}})?.id).toBe('bundled');
  });

  test('is not guessed where nothing tells it', () => {
    expect(recognise(platforms, {name: 'something-else', metadata: {resource: 'x'}})).toBeUndefined();
  });
});

describe('a release', () => {
  test.each([
    ['0.14.0', '0.14'],
    ['v0.16.2', '0.16'],
    ['1.2.3', '1.2'],
    // Below the oldest release and above the newest, the nearest one is the best guess.
    ['0.12.0', '0.14'],
    ['2.0.0', '1.3'],
    // A build of the development line.
    ['latest-dev', '1.3'],
    [undefined, '1.3'],
  ])('%s is taken for %s', (version, line) => {
    expect(releaseOf(openchoreo, version).line).toBe(line);
  });

  test.each([
    ['0.13.9', 'older'],
    ['0.14.0', 'known'],
    ['1.2.3', 'known'],
    ['1.3.0', 'known'],
    ['1.4.0', 'newer'],
    ['latest', undefined],
  ])('%s is %s', (version, age) => {
    expect(ageOf(openchoreo, version)).toBe(age);
  });

  test.each(platforms)('of $id has sets of tools to choose from since 1.1', platform => {
    const which = platform.releases.map(({line}) => [line, toolSetsOf(platform, line) !== undefined]);
    expect(which.filter(([, has]) => has).map(([line]) => line)).toEqual(['1.1', '1.2', '1.3']);
    expect(toolSetsOf(platform, '1.2.3')).toEqual({
      build: ['namespace', 'project', 'component', 'deployment', 'build', 'resource'],
      run: ['namespace', 'project', 'deployment', 'pe'],
    });
  });

  test('says which clients its installation made', () => {
    expect(preparedClientsOf(openchoreo, '0.14.0')).toEqual([]);
    expect(preparedClientsOf(openchoreo, '0.15.0')).toEqual(['service_mcp_client']);
  });
});
