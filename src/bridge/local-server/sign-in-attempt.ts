import type {Context} from '../../domain/context.ts';
import {type SetupError, toSetupError} from '../../errors/errors.ts';
import type {FlowEvent} from '../../flows/flow.ts';
import type {Ports} from '../../ports/ports.ts';

/** The account that is signed in now, or the reason why none is. */
export type SignInResult = {readonly account: string} | {readonly failure: SetupError};

/** One sign-in of a person, from its first address to its end. */
export type SignInAttempt = {
  /**
   * Resolves to the next address for the person to open.
   *
   * @param known how many addresses the caller has already
   * @returns undefined if the attempt ends without another address
   */
  nextAddress(known: number): Promise<string | undefined>;
  /** Resolves once the attempt waits for the person, or has ended: not while it handles their answer. */
  settled(): Promise<void>;
  /** The address that the attempt waits for now. */
  readonly address: string | undefined;
  /** The resource that the latest address is for, if the person has signed in before for the other servers. */
  readonly second: string | undefined;
  /** Undefined while the attempt continues. */
  readonly outcome: SignInResult | undefined;
  /** Never rejects. */
  readonly ended: Promise<SignInResult>;
  cancel(): void;
  /**
   * Ends the attempt with this outcome, because the person has signed in by other means. Does nothing if they have
   * already answered the attempt.
   */
  endAs(outcome: SignInResult): void;
};

/**
 * Begins the browser sign-in of a context, and keeps it as `setup login` does. Opens no browser: the caller shows the
 * addresses. Listens for the browser's answer on this machine.
 */
export const beginSignIn = (context: Context, ports: Ports, signal: AbortSignal): SignInAttempt => {
  const controller = new AbortController();
  const addresses: string[] = [];
  let outcome: SignInResult | undefined;
  /** The outcome if the person has signed in by other means. */
  let otherwise: SignInResult | undefined;
  let isWaiting = false;
  let second: string | undefined;
  let moved = Promise.withResolvers<void>();
  const move = () => {
    moved.resolve();
    moved = Promise.withResolvers();
  };

  const run = async (): Promise<SignInResult> => {
    const tell = (event: FlowEvent) => {
      // After the person's answer the attempt must not be interrupted: it keeps the new tokens.
      isWaiting = event.type === 'sign-in-waiting';
      if (event.type === 'second-sign-in') second = event.resource;
      if (event.type !== 'sign-in-waiting') return;
      addresses.push(event.url);
      move();
    };
    try {
      const {signInAgain} = await import('../../flows/sign-in/sign-in-again.ts');
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
    settled: async () => {
      while (!isWaiting && !outcome) await moved.promise;
    },
    get address() {
      return addresses.at(-1);
    },
    get second() {
      return second;
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
