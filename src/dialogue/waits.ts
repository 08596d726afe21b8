import {toLine} from '../state/view/progress.ts';
import type {Action, StepView, WaitingView} from '../state/view/view.ts';
import {duration} from '../text.ts';
import {askChoice, askText} from './ask.ts';
import {type Dialogue, type GlobalCommand, globalCommands, runGlobalCommand, type Turn} from './turn.ts';

/**
 * After this long without a line, in milliseconds, the person is told what the program waits for: nothing moves on
 * their screen.
 */
const SILENCE = 10_000;

/** Waits while a person signs in elsewhere. Says where, how much time is left, and which other ways there are. */
export const waitForPerson = async (view: WaitingView, dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say, now, send, signal} = dialogue;
  const {waiting, warnings, refusal, sentences, tunnel, note, actions} = view;
  for (const warning of [...warnings, ...(refusal === undefined ? [] : [refusal])]) say(`\n${warning}`);
  say(`\n${toLine(waiting, wizard.state().settings)}`);
  for (const line of [...sentences, tunnel, note]) if (line !== undefined) say(line);
  const minutes = Math.max(1, Math.round((waiting.until - now()) / 60_000));
  say(`You have ${minutes} min. Setup continues by itself once you have signed in.`);
  const answered = new AbortController();
  const unsubscribe = wizard.subscribe(({type}) => {
    if (type === 'learned' || type === 'failed' || type === 'token-obtained') answered.abort(new Answered());
  });
  const talk = {...dialogue, signal: AbortSignal.any([signal, answered.signal])};
  const options = actions.map(action => ({label: action.label, value: action}));
  try {
    const taken = await askChoice<Action | GlobalCommand>({options, words: globalCommands(dialogue)}, talk);
    if (typeof taken === 'string') return runGlobalCommand(taken, dialogue);
    if ('event' in taken) {
      wizard.dispatch(taken.event);
      return undefined;
    }
    const typed = 'send' in taken ? '' : await askText({label: taken.ask.label}, talk);
    if (typed === undefined) return undefined;
    const message = 'send' in taken ? taken.send : taken.toMessage(typed);
    send(message);
    // After `open-again`, the same question is asked at once. After anything else, it is asked again only if the flow
    // reports more time, or a paste that it refuses.
    return message.type === 'open-again' ? undefined : await waitForStep(dialogue);
  } catch (error) {
    if (!(error instanceof Answered)) throw error;
    say('');
    return undefined;
  } finally {
    unsubscribe();
  }
};

class Answered extends Error {}

const named = ({type, heading}: StepView) =>
  type === 'waiting'
    ? 'the identity provider'
    : type === 'question'
      ? 'your platform'
      : heading.replace(/^./, letter => letter.toLowerCase());

/** Waits until the running step asks something or has ended. Ctrl-C works meanwhile. */
export const waitForStep = async ({wizard, reader, say, now, signal}: Dialogue): Promise<Turn> => {
  const moved = new AbortController();
  const started = performance.now();
  const unsubscribe = wizard.subscribe(({type}) => {
    const asks = type === 'sign-in-waiting' || type === 'device-code' || type === 'paste-refused';
    if (asks || type === 'learned' || type === 'failed') moved.abort(new Answered());
  });
  const timer = setInterval(() => {
    const {body} = wizard.view(now());
    const waiting = body.type === 'progress' ? body.rows.filter(({status}) => status === 'waiting') : [];
    const what = waiting.map(({label}) => label.toLowerCase()).join(', ') || named(body);
    const longest = Math.max(...waiting.map(({atMost = 0}) => atMost), 0);
    const atMost = longest === 0 ? '' : `, ${duration(longest)} at most`;
    say(`Still waiting for ${what}: ${duration(performance.now() - started)} so far${atMost}. Ctrl-C leaves.`);
  }, SILENCE);
  try {
    // Only a pending read notices Ctrl-C, so reading goes on. Lines that are typed meanwhile are dropped.
    for (;;) await reader.ask('', {signal: AbortSignal.any([signal, moved.signal])});
  } catch (error) {
    if (error instanceof Answered) return undefined;
    throw error;
  } finally {
    clearInterval(timer);
    unsubscribe();
  }
};
