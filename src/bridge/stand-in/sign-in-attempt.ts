import type {Context} from '../../domain/context.ts';
import {requestToKeep, wantedOf} from '../../domain/token-request.ts';
import type {OwnTokens} from '../../domain/tokens.ts';
import {type SetupError, toSetupError} from '../../errors/errors.ts';
import type {Flow, FlowEvent} from '../../flows/flow.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';

/** Who is signed in now, or why nobody is. */
export type Outcome = {readonly account: string} | {readonly failure: SetupError};

/** One sign-in of a person, from its first address to its end. */
export type Attempt = {
  /**
   * The next address that the person is to open.
   *
   * @param known how many of them are known already
   * @returns undefined when there is none to come
   */
  nextAddress(known: number): Promise<string | undefined>;
  /** The address that is waited at now. */
  readonly address: string | undefined;
  /** Undefined while it goes on. */
  readonly outcome: Outcome | undefined;
  /** Never rejects. */
  readonly ended: Promise<Outcome>;
  cancel(): void;
  /** Ends it where it still waits for the person, who has signed in otherwise. */
  endAs(outcome: Outcome): void;
};

/**
 * Begins the browser sign-in of a context, and keeps it as `setup login` does. No browser is opened: its addresses are for
 * whoever shows them. What the person answers is listened for here.
 */
export const beginSignIn = (context: Context, ports: Ports, signal: AbortSignal): Attempt => {
  const controller = new AbortController();
  const addresses: string[] = [];
  let outcome: Outcome | undefined;
  /** How it ends where the person has signed in otherwise. */
  let otherwise: Outcome | undefined;
  let isWaiting = false;
  let moved = Promise.withResolvers<void>();
  const move = () => {
    moved.resolve();
    moved = Promise.withResolvers();
  };

  const run = async (): Promise<Outcome> => {
    const tell = (event: FlowEvent) => {
      // What comes after the answer is not to be interrupted: it keeps what was obtained.
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
 * Signs the person of a context in again, also for the server that takes only tokens of its own.
 *
 * @returns their account
 * @throws SetupError as `signInPerson` and `saveSignIn`
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
  // The control plane's resource is known from the last time where the platform does not tell it.
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
