import {expect, test} from 'vitest';
import {inspectOthers} from '../../../src/flows/sign-in/resume-sign-in.ts';
import {contextAt} from '../../support/context.ts';
import {temporaryPorts} from '../../support/place.ts';

const named = (name: string) => ({
  ...contextAt(`http://idp.${name}.localhost`),
  name,
  controlPlaneUrl: `http://${name}`,
});

test('the other saved deployments are told, with the sign-ins that have ended', async () => {
  const ports = await temporaryPorts();
  const {config, credentials} = ports;
  const [acme, dev, staging] = ['acme', 'dev', 'staging'].map(named);
  if (!acme || !dev || !staging) throw new Error('unreachable');
  await config.saveContext(acme);
  expect(await inspectOthers(acme, ports)).toEqual([]);
  await config.saveContext(dev);
  await config.saveContext(staging);
  await credentials.replace(dev, {...keyFor(dev), accessToken: 'shh', expiresAt: ports.clock.now() + 600_000});
  const refused = {at: 1, reason: 'It was refused.'};
  await credentials.replace(staging, {...keyFor(staging), accessToken: 'shh', expiresAt: 1, refused});
  expect(await inspectOthers(acme, ports)).toEqual([
    {name: 'dev', isSignedOut: false},
    {name: 'staging', isSignedOut: true},
  ]);
});

const keyFor = ({issuer, clientId, controlPlaneUrl}: ReturnType<typeof named>) => ({issuer, clientId, controlPlaneUrl});
