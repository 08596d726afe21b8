import {reservedPort} from '../../e2e/support/ports.ts';
import type {Representation} from './admin.ts';
import {controlPlaneForTest} from './control-plane.ts';
import {machineFor} from './machine.ts';
import {signInOn} from './pages.ts';
import {ann, audienceMapper, publicClient, realmForTest, serviceAccount} from './realm.ts';

export const CLIENT = 'platform-cli';
export const SERVICE = {clientId: 'ci', secret: 'the secret + of ci'} as const;

type Options = {
  /** Of the client that people sign in with. */
  readonly client?: Representation;
  readonly service?: Representation;
  readonly realm?: Representation;
  /** In the place of both clients. */
  readonly clients?: readonly Representation[];
};

/**
 * A platform that trusts a realm of its own, and a machine without anything on it: the built program, an empty home, and
 * an address for the answers of a browser that nobody else listens at.
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
