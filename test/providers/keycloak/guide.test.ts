import {expect, test} from 'vitest';
import {administratorOf} from '../support/console.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {CLIENT, machineAt} from '../support/person.ts';

type Guide = {readonly sections: readonly {readonly heading: string; readonly steps: readonly string[]}[]};

describeKeycloak('the guide', () => {
  test('is enough to set an empty realm up for people, for codes and for service accounts', async () => {
    const machine = await machineAt({clients: []});
    const {issuer, redirectUri, controlPlane, setup, administration} = machine;
    const values = ['--client-id', CLIENT, '--redirect-uri', redirectUri, '--audience', controlPlane.audience];
    const guide: Guide = JSON.parse(await setup(['provider', 'guide', 'keycloak', '--json', ...values]));
    const {follow, secret} = administratorOf(administration);
    for (const {heading, steps} of guide.sections) {
      if (!heading.startsWith('For ')) continue;
      for (const step of steps) await follow(step);
    }

    const check = ['provider', 'check', issuer, '--redirect-uri', redirectUri, '--resource', controlPlane.audience];
    await setup([...check, '--client-id', CLIENT, '--strict']);
    await machine.login();
    expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).toContain('ann');
    await setup(['token', '--renew']);

    const service = ['--client-credentials', '--client-id', 'platform-service', '--client-secret-stdin'];
    await setup(['login', ...machine.flags, ...service], `${secret()}\n`);
    expect(await setup(['mcp', 'call', 'control-plane', 'who_am_i'])).toContain('service-account-platform-service');
    expect(controlPlane.refused).toEqual([]);
  });
});
