import type {Service} from '../../platform/platform.ts';
import type {Fault} from '../faults.ts';
import type {Handler} from '../http/handler.ts';
import {refusingRefresh} from './refresh-refused.ts';
import {slowly} from './slow-idp.ts';

type Effect = {
  /** What stands in front of a service and may answer in its place. */
  readonly before?: {readonly [S in Service]?: (handler: Handler) => Handler};
  /** The lifetime of the CLI's access tokens in seconds. */
  readonly cliTokenLifetime?: number;
};

const effects: Readonly<Record<Fault, Effect>> = {
  'slow-idp': {before: {'identity-provider': slowly}},
  // Long enough to be stored as a good token, too short for the next command.
  'refresh-refused': {before: {'identity-provider': refusingRefresh}, cliTokenLifetime: 35},
};

export type Handlers = {readonly [S in Service]: Handler};

/** The services as they are with a fault, or unchanged without one. */
export const withFault = (fault: Fault | undefined, handlers: Handlers): Handlers => {
  const before = fault === undefined ? {} : (effects[fault].before ?? {});
  const faulty = (service: Service) => before[service]?.(handlers[service]) ?? handlers[service];
  return {
    'control-plane': faulty('control-plane'),
    'identity-provider': faulty('identity-provider'),
    observer: faulty('observer'),
  };
};

/** How long the CLI's access tokens live with a fault, in seconds; undefined when it does not care. */
export const cliTokenLifetimeOf = (fault: Fault | undefined): number | undefined =>
  fault === undefined ? undefined : effects[fault].cliTokenLifetime;
