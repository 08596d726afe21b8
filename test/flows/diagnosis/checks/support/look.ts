import type {Context} from '../../../../../src/domain/context.ts';
import type {Finding} from '../../../../../src/domain/finding.ts';
import {createEntryTools, type EntryTools} from '../../../../../src/flows/assistants/verify-entries.ts';
import type {Check, Learned, Machine, Subject} from '../../../../../src/flows/diagnosis/check.ts';
import type {FlowEvent} from '../../../../../src/flows/flow.ts';
import {bundled} from '../../../../../src/platform/platforms.ts';
import type {Ports} from '../../../../../src/ports/ports.ts';
import {contextAt} from '../../../../support/context.ts';
import {noSignal} from '../../../../support/flows.ts';
import {temporaryPorts} from '../../../../support/place.ts';

/** The situation in which a check runs. Everything that is not given is as on a machine without a sign-in. */
export type Situation = {
  /** The address of everything in the deployment. */
  readonly origin?: string;
  readonly subject?: Partial<Subject>;
  /** The saved deployment to check, at the same address. */
  readonly context?: Partial<Context>;
  readonly machine?: Partial<Machine>;
  readonly ports?: Partial<Ports>;
  readonly learned?: Learned;
  /** The findings of other checks. */
  readonly outcomes?: Readonly<Record<string, Finding>>;
  readonly toolsThrough?: EntryTools;
  /** Collects the events of the check. */
  readonly told?: FlowEvent[];
};

/** Runs a check once, and returns what it found. */
export const look = async (check: Check, situation: Situation = {}): Promise<Finding> => {
  const {origin = 'http://acme.localhost', context, learned = {}, outcomes = {}, told = []} = situation;
  const ports = {...(await temporaryPorts()), ...situation.ports};
  const tell = (event: FlowEvent) => void told.push(event);
  const addresses = {controlPlaneUrl: origin, authUrl: origin, issuer: origin};
  const saved = context ? {context: {...contextAt(origin), ...context}} : {};
  return check.run({
    subject: {platform: bundled, ...addresses, ...saved, ...situation.subject},
    machine: {
      ...{node: '24.0.0', version: '0.1.0', distrusts: false, assistants: [], redirectUri: bundled.callbackUrl},
      place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
      own: {command: 'node', args: []},
      startsOf: () => [],
      ...situation.machine,
    },
    ...{ports, tell, signal: noSignal, diagnosis: noSignal},
    learned,
    toolsThrough: situation.toolsThrough ?? createEntryTools({ports, signal: noSignal, tell}),
    outcomeOf: async id => outcomes[id],
  });
};
