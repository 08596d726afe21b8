import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {afterEach, expect, test} from 'vitest';
import {type FaultName, faults} from '../../../src/sandbox/faults.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {alone, asksToSignIn, expectNamed, nameIn, signedIn} from './named.ts';
import {sceneOf} from './scene.ts';

const certificates: readonly FaultName[] = ['expired-certificate', 'self-signed'];
// `slow-idp` has a test file of its own.
const names = (Object.keys(faults) as FaultName[]).filter(name => ![...certificates, 'slow-idp'].includes(name));

/** The default authorities belong to the process, so these tests cannot run side by side. */
const authorities = getCACertificates('default');

afterEach(() => setDefaultCACertificates(authorities));

test.each(rowsOfTable(names, 0, 12))(
  'expired-certificate, then self-signed, then nothing stands before %s',
  async fault => {
    const scene = await sceneOf('person', ['self-signed']);
    const trust = () => setDefaultCACertificates([...authorities, scene.ready.authority ?? '']);
    trust();
    await scene.signIn();
    await scene.expire();
    setDefaultCACertificates(authorities);
    await scene.sandbox.raise(['expired-certificate', fault]);

    const hidden = await alone(fault);
    // Checks above an untrusted certificate reach nothing. Checks of this machine, or below the certificate, still
    // run.
    const shows = (said: string) => ({
      ids: ['tls-control-plane'],
      names: [`tls-control-plane: ${said}`],
      failing: ['control-plane', 'identity-provider', 'observer'].map(service => `tls-${service}`),
    });
    for (const [reason, followed] of [
      [/expired/, () => scene.sandbox.mend(['expired-certificate'])],
      [/self-signed/, trust],
    ] as const) {
      const found = await scene.diagnose();
      expect(nameIn(found)).toMatch(reason);
      expectNamed(found, [shows(nameIn(found).replace('tls-control-plane: ', '')), hidden]);
      await followed();
    }

    const remaining = await scene.diagnose();
    expectNamed(remaining, [hidden]);
    await scene.sandbox.mend([fault]);
    await scene.wait();
    if (asksToSignIn(remaining)) await signedIn(scene);
    expect((await scene.diagnose()).failed).toEqual([]);
  },
);
