import {cancelled} from '../errors/errors.ts';
import {whoSigned} from '../flows/deployment/untrusted.ts';
import type {FlowEvent} from '../flows/flow.ts';
import type {Ports} from '../ports/ports.ts';
import {routeIn} from './derived/wizard-context.ts';
import {isByPerson, type WizardEvent} from './events.ts';
import type {WizardState} from './model.ts';
import {reduce} from './reducer.ts';
import {currentStep} from './steps.ts';
import type {View} from './view/view.ts';
import {viewOf} from './view/view-of.ts';

/** A running wizard: its state, and the flow of the current step, if that runs one. */
export type Wizard = {
  state(): WizardState;
  /** Returns what the renderer draws now. @param now milliseconds since the epoch */
  view(now: number): View;
  dispatch(event: WizardEvent): void;
  /** Calls the listener after each change, with the event that caused it. Returns a function that unsubscribes. */
  subscribe(listener: (event: WizardEvent) => void): () => void;
  /** Runs the flow of the first step, if it has one. */
  start(): void;
  /** Ends the running flow and waits for it, so that ports are closed and nothing is half written. */
  stop(): Promise<void>;
  /** Returns the ports that reach the platform with the network settings known now. */
  ports(): Ports;
};

/** Creates the wizard, for the terminal and for headless runs alike: the same steps run in the same order. */
export const createWizard = (initial: WizardState, ports: Ports): Wizard => {
  const {record} = ports;
  let state = initial;
  let running: {readonly controller: AbortController; readonly ended: Promise<void>} | undefined;
  let stopped = false;
  // Set when the person tries again: the missing authority may have been added to the system's store since.
  let readsAnew = false;
  const listeners = new Set<(event: WizardEvent) => void>();

  const dispatch = (event: WizardEvent) => {
    // A person who goes back or changes an answer while a flow runs no longer wants its result. A diagnosis that has
    // ended found out more than the flow beside a question does.
    const isBeside = event.type === 'diagnosed' && currentStep(state).kind === 'ask';
    if (running && (isByPerson(event) || isBeside)) {
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

  // An authority that the person trusts during the run applies from the next step on.
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
        // The first step begins with what was read a moment ago.
        if (state.settings.saved && state.progressOf) {
          const {savedContextNow} = await import('./saved-context-now.ts');
          const saved = await savedContextNow(state, own);
          if (!isCurrent()) return;
          if (saved) dispatch({type: 'saved-context-changed', saved});
        }
        dispatch({type: 'step-started', step: step.id});
        if (readsAnew) await own.route.system.reread();
        readsAnew = false;
        const tell = (event: FlowEvent) => {
          if (isCurrent() && !stopped) dispatch(event);
        };
        const facts = await run(state, {ports: own, signal: controller.signal, tell});
        if (!isCurrent()) return;
        running = undefined;
        dispatch({type: 'learned', step: step.id, facts});
      } catch (error) {
        // The person has to decide about the signer of the server's certificate.
        const untrusted = await whoSigned(error, own, controller.signal);
        const {failureOf} = await import('./failure.ts');
        if (!isCurrent() || stopped) return;
        running = undefined;
        dispatch({type: 'failed', failure: failureOf(error, step.id, state, untrusted)});
      }
    };
    // The flow starts only once `running` is set, so that even an event reported at once finds it; and a turn later, so
    // that a key that a person has pressed is handled before the flow is loaded.
    running = {controller, ended: new Promise(setImmediate).then(follow)};
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
      running?.controller.abort(cancelled());
      // A step that finishes all the same, because it writes, has its result in the state.
      await running?.ended;
      running = undefined;
    },
  };
};
