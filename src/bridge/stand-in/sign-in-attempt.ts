import type {Context} from '../../domain/context.ts';
import {requestToKeep, wantedOf} from '../../domain/token-request.ts';
import type {OwnTokens} from '../../domain/tokens.ts';
import {type SetupError, toSetupError} from '../../errors/errors.ts';
import type {Flow, FlowEvent} from '../../flows/flow.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';

/** The account that is signed in now, or the reason why none is. */
export type Outcome = {readonly account: string} | {readonly failure: SetupError};

/** One sign-in of a person, from its first address to its end. */
export type Attempt = {
  /**
   * Resolves to the next address for the person to open.
   *
   * @param known how many addresses the caller has already
   * @returns undefined if the attempt ends without another address
   */
  nextAddress(known: number): Promise<string | undefined>;
  /** The address that the attempt waits for now. */
  readonly address: string | undefined;
  /** Undefined while the attempt continues. */
  readonly outcome: Outcome | undefined;
  /** Never rejects. */
  readonly ended: Promise<Outcome>;
  cancel(): void;
  /** Ends the attempt with this outcome, unless the person has already answered: they have signed in by other means. */
  endAs(outcome: Outcome): void;
};

/**
 * Begins the browser sign-in of a context, and keeps it as `setup login` does. Opens no browser: the caller shows the
 * addresses. Listens for the browser's answer on this machine.
 */
export const beginSignIn = (context: Context, ports: Ports, signal: AbortSignal): Attempt => {
  const controller = new AbortController();
  const addresses: string[] = [];
  let outcome: Outcome | undefined;
  /** The outcome if the person has signed in by other means. */
  let otherwise: Outcome | undefined;
  let isWaiting = false;
  let moved = Promise.withResolvers<void>();
  const move = () => {
    moved.resolve();
    moved = Promise.withResolvers();
  };

  const run = async (): Promise<Outcome> => {
    const tell = (event: FlowEvent) => {
      // After the person's answer the attempt must not be interrupted: it keeps the new tokens.
      isWaiting = event.type === 'sign-in-waiting';
      if (event.type !== 'sign-in-waiting') return;
      addresses.push(event.url);
      move();
    };
    try {
      return {account: await signInAgain(context, {ports, signal: AbortSignal.any([signal, controller.signal]), tell})};
    } catch (error) {
      return otherwise ?? {failure: toSetupError(error)};
    }
  };
  const ended = run().then(found => {
    outcome = found;
    move();
    return found;
  });

  return {
    nextAddress: async known => {
      while (addresses.length <= known && !outcome) await moved.promise;
      return addresses[known];
    },
    get address() {
      return addresses.at(-1);
    },
    get outcome() {
      return outcome;
    },
    ended,
    cancel: () => controller.abort(),
    endAs: other => {
      if (!isWaiting || outcome) return;
      otherwise = other;
      controller.abort();
    },
  };
};

/**
 * Signs the person of a context in again, including for a server that accepts only tokens of its own.
 *
 * @returns the person's account
 * @throws SetupError as `signInPerson` and `saveSignIn` do
 */
const signInAgain: Flow<Context, string> = async (context, run) => {
  const {issuer, controlPlaneUrl, clientId, resource, resources} = context;
  const platform = platformOfDeployment(context);
  const redirectUri = context.redirectUri ?? platform.callbackUrl;
  const assumesPkce = context.assumesPkce === true;
  const way = {by: 'browser', open: false, redirectUri, assumesPkce, makesRoom: true} as const;
  const input = {...way, platform, controlPlaneUrl, issuer, clientId, said: context.asks, again: context};
  const {signInPerson} = await import('../../flows/sign-in/sign-in-person.ts');
  const {client, token: first} = await signInPerson(input, run);
  const by = {...way, clientId: client.clientId, wanted: wantedOf({...context, ...client})};
  let token = first;
  const tokens: {-readonly [S in keyof OwnTokens]: OwnTokens[S]} = {};
  // The control plane's resource is known from the last sign-in if the platform does not name it.
  if (resource !== undefined && client.resource === undefined) {
    const own = {server: 'control-plane', resource, issuer, by, account: first.account} as const;
    const {obtainOwnToken} = await import('../../flows/sign-in/own-token.ts');
    const found = await obtainOwnToken(own, run);
    if (found !== 'refused') token = found;
  }
  if (resources?.observability !== undefined) {
    const own = {
      server: 'observability',
      resource: resources.observability,
      issuer,
      by,
      account: token.account,
    } as const;
    const {obtainOwnToken} = await import('../../flows/sign-in/own-token.ts');
    const found = await obtainOwnToken(own, run);
    if (found !== 'refused') tokens.observability = found;
  }
  const {asks: said, ...rest} = context;
  const asks = requestToKeep(said);
  const signedIn: Context = {
    ...rest,
    ...(asks ? {asks} : {}),
    clientId: client.clientId,
    scopes: client.scopes,
    ...(client.resource === undefined ? {} : {resource: client.resource}),
  };
  const {saveSignIn} = await import('../../flows/sign-in/save-sign-in.ts');
  await saveSignIn({context: signedIn, token, ownTokens: tokens}, run);
  return token.account;
};
