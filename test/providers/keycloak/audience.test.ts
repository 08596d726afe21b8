import {expect, test} from 'vitest';
import {openPage} from '../../e2e/support/sign-in/chromium.ts';
import {describeKeycloak} from '../support/describe-keycloak.ts';
import {signInOn} from '../support/pages.ts';
import {machineAt, SERVICE} from '../support/person.ts';
import {ann} from '../support/realm.ts';

/**
 * The failure of a sign-in with a token for the wrong audience: the token's audience, the expected one, and where to
 * set it.
 */
const says = (audience: string, code = 'auth-token-refused') => ({
  type: 'failed',
  code,
  message: expect.stringMatching(
    new RegExp(`names no audience|is for .*, but the server identifies itself as ${audience}`),
  ),
  remedy: expect.stringMatching(/Mappers › Audience: enter http:\S+\/mcp as “Included Custom Audience”/),
});

describeKeycloak('without the mapper of the audience', () => {
  test('the check after a sign-in says which audience came, which is wanted, and where that is set', async () => {
    const machine = await machineAt({client: {protocolMappers: []}});
    const {waiting, end} = await machine.beginLogin();
    const {page} = await openPage();
    await signInOn(page, waiting.url ?? '', ann);
    const {code, last} = await end();
    expect(last).toMatchObject(says(machine.controlPlane.audience));
    expect(code).toBe(4);
  });

  test('so does the check of a service account', async () => {
    const machine = await machineAt({service: {protocolMappers: []}});
    const args = ['login', '--json', '--client-credentials', ...machine.flags, '--client-id', SERVICE.clientId];
    const {code, stdout} = await machine.run([...args, '--client-secret-stdin'], `${SERVICE.secret}\n`);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject(
      says(machine.controlPlane.audience, 'auth-audience-wrong'),
    );
    expect(code).toBe(4);
  });
});
