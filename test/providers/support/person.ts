import {reservedPort} from '../../e2e/support/ports.ts';
import type {Representation} from './admin.ts';
import {controlPlaneForTest} from './control-plane.ts';
import {machineFor} from './machine.ts';
import {signInOn} from './pages.ts';
import {ann, audienceMapper, publicClient, realmForTest, serviceAccount} from './realm.ts';

export const CLIENT = 'platform-cli';
export const SERVICE = {clientId: 'ci', secret: 'the secret + of ci'} as const;

type Options = {
  /** Settings of the client with which people sign in. */
  readonly client?: Representation;
  readonly service?: Representation;
  readonly realm?: Representation;
  /** Replaces both clients. */
  readonly clients?: readonly Representation[];
};

/**
 * Sets up a platform that trusts a realm of its own, and a machine with only the built program, an empty home, and a
 * redirect URI at which nothing else listens.
 */
export const machineAt = async ({client = {}, service = {}, realm: settings = {}, clients}: Options = {}) => {
  const controlPlane = await controlPlaneForTest();
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const protocolMappers = [audienceMapper(controlPlane.audience)];
  const both = [
    publicClient(CLIENT, redirectUri, {protocolMappers, ...client}),
    serviceAccount(SERVICE.clientId, SERVICE.secret, {protocolMappers, ...service}),
  ];
  const realm = await realmForTest(clients ?? both, settings);
  const {issuer} = realm;
  controlPlane.trust({issuer, clientId: CLIENT});
  const machine = machineFor({controlPlane, redirectUri, signIn: (page, url) => signInOn(page, url, ann)});
  return {...realm, ...machine};
};

export type Machine = Awaited<ReturnType<typeof machineAt>>;
