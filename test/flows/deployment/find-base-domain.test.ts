import {chmod, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findBaseDomain} from '../../../src/flows/deployment/find-base-domain.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';

/** Programs of these names, and what they say, on a PATH of their own. */
const withPrograms = async (programs: Readonly<Record<string, string>>) => {
  const home = await temporaryDirectory();
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(home, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(home, name), 0o755);
  }
  return portsIn(home, {PATH: [home, '/usr/bin', '/bin'].join(delimiter)});
};

const find = async (programs: Readonly<Record<string, string>>, given?: string) => {
  const input = {platform: bundled, ...(given === undefined ? {} : {given})};
  const {result, events} = await collect(findBaseDomain(input, await withPrograms(programs), noSignal));
  const answers = events.flatMap(event =>
    event.type === 'source-answered' ? [[event.source, event.outcome, event.detail]] : [],
  );
  return {result, answers};
};

const helm = `[ "$*" = "get values platform-control-plane --namespace platform-control-plane --all --output json" ] || exit 9
echo '{"global":{"baseDomain":"acme.example.com"}}'`;

const kubectl = `[ "$2 $3" = "httproute platform-identity-provider" ] || exit 9
printf idp.routed.example.com`;

describe('the base domain', () => {
  test('that is given is taken at its word, and nothing else is asked', async () => {
    expect(await find({helm: 'exit 1'}, 'acme.localhost')).toEqual({
      result: {source: 'given', baseDomain: {name: 'acme.localhost'}},
      answers: [['given', 'found', 'acme.localhost']],
    });
  });

  test('comes from the Helm release', async () => {
    const {result} = await find({helm, kubectl});
    expect(result).toEqual({source: 'helm-release', baseDomain: {name: 'acme.example.com'}});
  });

  test('comes from the gateway route, without its leading label', async () => {
    const {result, answers} = await find({kubectl});
    expect(result).toEqual({source: 'gateway-route', baseDomain: {name: 'routed.example.com'}});
    expect(answers).toContainEqual(['helm-release', 'absent', 'helm is not installed']);
  });

  test('is the local address when nobody knows better; programs that fail are events', async () => {
    const {result, answers} = await find({
      helm: 'echo "Error: Kubernetes cluster unreachable" >&2; exit 1',
      kubectl: 'echo oops',
    });
    expect(result).toEqual({source: 'local-address', baseDomain: {name: 'platform.localhost'}});
    expect(answers).toContainEqual(['helm-release', 'failed', 'Error: Kubernetes cluster unreachable']);
    expect(answers).toContainEqual(['gateway-route', 'absent', 'the route has no hostname']);
  });

  test('that is none is refused when it is given, and passed over when a program says it', async () => {
    await expect(find({}, 'not a domain')).rejects.toMatchObject({code: 'input-invalid'});
    const {result} = await find({helm: `echo '{"global":{"baseDomain":"http://"}}'`});
    expect(result.source).toBe('local-address');
  });
});

test('a broken config is told, and the search goes on', async () => {
  const home = await temporaryDirectory();
  const ports = portsIn(home);
  await writeFile(ports.config.path, '{');
  const {events} = await collect(findBaseDomain({platform: bundled}, ports, noSignal));
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'source-answered',
      source: 'saved-context',
      outcome: 'failed',
      detail: expect.stringContaining(ports.config.path),
    }),
  );
});
