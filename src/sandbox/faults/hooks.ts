import type {Service} from '../../platform/platform.ts';
import type {Handler} from '../http/handler.ts';
import type {Certificate} from '../http/loopback-listener.ts';
import type {Application} from '../identity/applications/applications.ts';
import type {Effect, Metadata} from './effect.ts';

/**
 * What the sandbox lets faults change, for some faults together: those that are in force when a hook is asked, which may
 * be others at the next request. Without a fault each leaves everything as it is.
 */
export type Hooks = {
  readonly before: (service: Service, handler: Handler) => Handler;
  readonly mcp: (handler: Handler) => Handler;
  readonly demandedScope: () => string | undefined;
  readonly requestsOfSession: () => number | undefined;
  readonly toolCallsBreakOff: () => boolean;
  readonly metadata: (metadata: Metadata) => Metadata;
  readonly tokenClaims: NonNullable<Effect['tokenClaims']>;
  readonly audienceCounts: () => boolean;
  readonly version: (version: Metadata) => Metadata;
  readonly accessTokenFormat: () => 'jwt' | 'opaque';
  readonly cliTokenLifetime: () => number | undefined;
  readonly cliClient: (client: Application) => Application | undefined;
  readonly clockOffset: () => number;
  readonly certificate: () => Certificate | undefined;
  readonly observerListens: () => boolean;
  readonly holdsCallbackPort: () => boolean;
};

/**
 * Puts effects together. The first is in front: it is met first, and decides what only one can decide.
 *
 * @param effects those in force at the moment of the call
 */
export const combineHooks = (effects: () => readonly Effect[]): Hooks => {
  const first = <Name extends keyof Effect>(name: Name) =>
    effects()
      .map(effect => effect[name])
      .find(value => value !== undefined);
  return {
    before: (service, handler) => (request, response) => {
      const inFront = effects().reduceRight((behind, {before}) => before?.[service]?.(behind) ?? behind, handler);
      return inFront(request, response);
    },
    mcp: handler => (request, response) => (first('mcp') ?? handler)(request, response),
    demandedScope: () => first('demandedScope'),
    requestsOfSession: () => first('requestsOfSession'),
    toolCallsBreakOff: () => first('toolCallsBreakOff') ?? false,
    metadata: metadata => effects().reduce((known, effect) => effect.metadata?.(known) ?? known, metadata),
    tokenClaims: (claims, kind) =>
      effects().reduce((known, effect) => effect.tokenClaims?.(known, kind) ?? known, claims),
    audienceCounts: () => first('audienceCounts') ?? false,
    version: version => effects().reduce((known, effect) => effect.version?.(known) ?? known, version),
    accessTokenFormat: () => first('accessTokenFormat') ?? 'jwt',
    cliTokenLifetime: () => first('cliTokenLifetime'),
    cliClient: client =>
      effects().reduce<Application | undefined>(
        (known, {cliClient}) => (known && cliClient ? cliClient(known) : known),
        client,
      ),
    clockOffset: () => first('clockOffset') ?? 0,
    certificate: () => first('certificate'),
    observerListens: () => first('observerListens') ?? true,
    holdsCallbackPort: () => first('holdsCallbackPort') ?? false,
  };
};
