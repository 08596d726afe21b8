import {mkdtempSync, rmSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Service} from '../../../src/platform/platform.ts';
import {unfinishedWork} from '../../../src/ports/exit-guard.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {startSandbox} from '../../../src/sandbox/sandbox.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {flagsFor} from '../../e2e/support/sandbox.ts';
import type {Fault} from './fault.ts';
import {type Flow, setUpAsClient, setUpAsPerson} from './flows.ts';
import {copyOf, type Machine, machineIn} from './machine.ts';
import {isAt, type Place} from './places.ts';
import type {Said} from './run-line.ts';

/**
 * A platform that can have any fault, and two machines that were set up while it had none: a person's and a service
 * account's.
 */
export type Bench = {
  readonly flags: readonly string[];
  readonly redirectUri: string;
  readonly client: {readonly clientId: string; readonly clientSecret: string};
  /** Gives the platform one fault from now on, or none. */
  have(fault: Fault | undefined): void;
  /** Sets up a machine for one run of a flow. */
  machineFor(flow: Flow): Machine;
  /** Sets up another machine with the same files. */
  copyOf(machine: Machine): Machine;
  close(): Promise<void>;
};

export const openBench = async (): Promise<Bench> => {
  let inForce: Fault | undefined;
  const wrapAt = (service: Service, request: IncomingMessage): Wrap | undefined => {
    const wraps = Object.entries({...inForce?.also, ...(inForce ? {[inForce.at]: inForce.answers} : {})});
    return wraps.find(([place]) => isAt(place as Place, service, request))?.[1];
  };
  const switched =
    (service: Service): Wrap =>
    handler =>
    (request, response) =>
      (wrapAt(service, request)?.(handler) ?? handler)(request, response);
  const port = await reservedPort();
  const redirectUri = `http://127.0.0.1:${port}/auth-callback`;
  const services = ['control-plane', 'identity-provider', 'observer'] as const;
  const sandbox = await startSandbox({
    ...{layout: 'single', baseDomain: 'faulty.localhost', port: 0, redirectUri},
    inFront: Object.fromEntries(services.map(service => [service, switched(service)])),
  });
  const {ready} = sandbox;
  const found = ready.clients.find(({tokenEndpointAuthMethod: method}) => method === 'client_secret_post');
  if (!found?.clientSecret) throw new Error('The sandbox has a client with client_secret_post.');
  const client = {clientId: found.clientId, clientSecret: found.clientSecret};

  const root = mkdtempSync(join(tmpdir(), 'setup-faults-'));
  let machines = 0;
  const nextRoot = () => {
    machines += 1;
    return join(root, String(machines));
  };
  const prepared = {person: machineIn(nextRoot()), client: machineIn(nextRoot())};
  const bench: Bench = {
    flags: flagsFor(ready),
    ...{redirectUri, client},
    have: fault => {
      inForce = fault;
    },
    machineFor: ({whose, prepare}) => {
      const machine = whose === 'nobody' ? machineIn(nextRoot()) : copyOf(prepared[whose], nextRoot());
      prepare?.(machine);
      return machine;
    },
    copyOf: machine => copyOf(machine, nextRoot()),
    close: async () => {
      await unfinishedWork();
      await sandbox.close();
      rmSync(root, {recursive: true, force: true, maxRetries: 3});
    },
  };
  requireDone(await setUpAsPerson(bench, prepared.person));
  requireDone(await setUpAsClient(bench, prepared.client));
  return bench;
};

const requireDone = ({exit, stdout, stderr}: Said) => {
  if (exit !== 0) throw new Error(`The platform could not be set up before: ${stdout.slice(-2_000)}${stderr}`);
};
