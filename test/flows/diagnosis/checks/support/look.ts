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

/** What a check finds itself in: as on a machine on which nobody has signed in, as far as nothing else is said. */
export type Situation = {
  /** Where everything of the deployment is. */
  readonly origin?: string;
  readonly subject?: Partial<Subject>;
  /** The saved deployment that is looked at, at the same place. */
  readonly context?: Partial<Context>;
  readonly machine?: Partial<Machine>;
  readonly ports?: Partial<Ports>;
  readonly learned?: Learned;
  /** How other checks have ended. */
  readonly outcomes?: Readonly<Record<string, Finding>>;
  readonly toolsThrough?: EntryTools;
  /** What is told on the way. */
  readonly told?: FlowEvent[];
};

/** Looks once, and gives what was found. */
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
