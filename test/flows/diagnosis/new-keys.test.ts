import {describe, expect, test} from 'vitest';
import {quietRun} from '../../../src/flows/flow.ts';
import {listComponents} from '../../../src/flows/platform-tools/components.ts';
import {renewing} from '../../../src/flows/sign-in/fresh-token.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {sceneOf} from './scene.ts';

describe('an identity provider that was installed anew', () => {
  test.each(['person', 'client'] as const)('costs a %s one renewal, and nothing else', async who => {
    const scene = await sceneOf(who);
    await scene.signIn();
    await scene.sandbox.renewKeys();
    const {context, newPorts: ports} = scene;
    const {controlPlaneUrl} = context;
    const list = (token: string) =>
      listComponents({platform: bundled, controlPlaneUrl, token}, quietRun(ports(), noSignal));
    const before = await ports().credentials.get(context);
    await expect(list(before?.accessToken ?? '')).rejects.toMatchObject({code: 'auth-token-refused'});
    const {components} = await renewing(context, list, quietRun(ports(), noSignal));
    expect(components.length).toBeGreaterThan(0);
    expect((await ports().credentials.get(context))?.accessToken).not.toBe(before?.accessToken);
  });

  test('is what the diagnosis says, and it gets a new token itself', async () => {
    const scene = await sceneOf('person');
    await scene.signIn();
    await scene.sandbox.renewKeys();
    const {outcomes, failed} = await scene.diagnose();
    expect(failed).toEqual([]);
    expect(outcomes.find(({id}) => id === 'signing-key')).toMatchObject({
      verdict: 'pass',
      saw: expect.stringContaining('the keys had changed'),
    });
  });

  test('is named as the cause where no new token is to be had, and the audience is not blamed', async () => {
    const scene = await sceneOf('person');
    await scene.signIn();
    await scene.sandbox.renewKeys();
    await scene.sandbox.raise(['refresh-refused']);
    const {failed, outcomes} = await scene.diagnose();
    expect(failed.map(({id}) => id)).toEqual(['signing-key']);
    expect(failed[0]?.sentence).toContain('a key that');
    expect(failed[0]).toMatchObject({
      fix: 'sign-in',
      remedy: expect.stringMatching(/^Sign in again: npx setup login --context \S+\.$/),
    });
    expect(outcomes.find(({id}) => id === 'mcp-control-plane')).toMatchObject({
      verdict: 'skipped',
      because: 'signing-key',
    });
    // The refusal is stored by now, and the next look does not ask again.
    const again = await scene.diagnose();
    expect(again.failed.map(({id}) => id)).toEqual(['sign-in']);
    expect(again.failed[0]?.sentence).toMatch(/a key that .*The renewal was refused/);
  });
});
