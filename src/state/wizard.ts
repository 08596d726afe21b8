import {cancelled} from '../errors/errors.ts';
import {whoSigned} from '../flows/deployment/untrusted.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Ports} from '../ports/ports.ts';
import {routeIn} from './derived/context-of.ts';
import type {WizardEvent} from './events.ts';
import {failureOf} from './failure.ts';
import type {WizardState} from './model.ts';
import {reduce} from './reducer.ts';
import {currentStep} from './steps.ts';
import type {View} from './view/view.ts';
import {viewOf} from './view/view-of.ts';

/** A running wizard: its state, and the flow of the current step running when it is that step's turn. */
export type Wizard = {
  state(): WizardState;
  /** What is wanted of a person now. @param now milliseconds since the epoch */
  view(now: number): View;
  dispatch(event: WizardEvent): void;
  /** Called after each change with what caused it; returns how to stop that. */
  subscribe(listener: (event: WizardEvent) => void): () => void;
  /** Runs the first step if it is a flow. */
  start(): void;
  /** Ends what runs, and waits until it has: ports closed, nothing half written. */
  stop(): Promise<void>;
  /** The ports that reach the platform by the way that is known now. */
  ports(): Ports;
};

/** The one conductor for the terminal and for headless runs: whoever answers, the same steps run in the same order. */
export const createWizard = (initial: WizardState, ports: Ports): Wizard => {
  const {record} = ports;
  let state = initial;
  let running: {readonly controller: AbortController; readonly ended: Promise<void>} | undefined;
  let stopped = false;
  // What was missing may have been put into the system's store since.
  let readsAnew = false;
  const listeners = new Set<(event: WizardEvent) => void>();

  const dispatch = (event: WizardEvent) => {
    // A person who goes back or changes an answer while something runs no longer wants its result.
    if (running && interrupts(event)) {
      running.controller.abort(cancelled());
      running = undefined;
    }
    if (event.type === 'retried' && state.failure?.untrusted) readsAnew = true;
    state = reduce(state, event);
    // Calls are recorded where they are made.
    if (!event.type.startsWith('call-')) record('wizard', {event});
    for (const listener of listeners) listener(event);
    runCurrent();
  };

  // What the person has trusted on the way counts from the next step on.
  const portsNow = () => {
    const {settings, passwords} = routeIn(state);
    return ports.withRoute({settings, passwords: {...ports.route.passwords, ...passwords}});
  };

  const runCurrent = () => {
    const step = currentStep(state);
    const run = step.kind === 'run' ? step.run : step.beside?.(state);
    if (stopped || running || state.failure || !run) return;
    const controller = new AbortController();
    const isCurrent = () => running?.controller === controller;

    const follow = async () => {
      const own = portsNow();
      try {
        dispatch({type: 'step-started', step: step.id});
        if (readsAnew) await own.route.system.reread();
        readsAnew = false;
        const tell = (event: FlowEvent) => {
          if (isCurrent()) dispatch(event);
        };
        const facts = await run(state, {ports: own, signal: controller.signal, tell});
        if (!isCurrent()) return;
        running = undefined;
        dispatch({type: 'learned', step: step.id, facts});
      } catch (error) {
        // Who vouches for the server is what the person has to decide about.
        const untrusted = await whoSigned(error, own, controller.signal);
        if (!isCurrent()) return;
        running = undefined;
        dispatch({type: 'failed', failure: failureOf(error, step.id, state, untrusted)});
      }
    };
    // The flow starts only once `running` is set, so that even an event told at once finds it.
    running = {controller, ended: Promise.resolve().then(follow)};
  };

  return {
    state: () => state,
    ports: portsNow,
    view: now => viewOf(state, now),
    dispatch,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: runCurrent,
    stop: async () => {
      stopped = true;
      const ending = running;
      running = undefined;
      ending?.controller.abort(cancelled());
      await ending?.ended;
    },
  };
};

const interrupts = ({type}: WizardEvent) => interrupting.has(type);

const interrupting: ReadonlySet<WizardEvent['type']> = new Set(['went-back', 'answered', 'reconsidered', 'retried']);
