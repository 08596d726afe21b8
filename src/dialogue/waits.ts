import {duration} from '../duration.ts';
import {toLine} from '../state/event-lines.ts';
import {whyAgain} from '../state/own-tokens.ts';
import {headingOf, progressRows} from '../state/progress.ts';
import {currentStep} from '../state/steps.ts';
import {askChoice, askText, type Choice} from './ask.ts';
import {type Dialogue, doEverywhere, type Everywhere, everywhere, type Turn} from './turn.ts';

/** After this long without a word, a person who sees nothing move is told what is waited for; in milliseconds. */
const SILENCE = 10_000;

/** While a person signs in elsewhere: where, how long there is, and the other ways; until the answer comes. */
export const waitForBrowser = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say, now, send, signal} = dialogue;
  const {progress, settings} = wizard.state();
  const asked = progress.findLast(event => event.type === 'sign-in-waiting' || event.type === 'device-code');
  if (asked?.type !== 'sign-in-waiting' && asked?.type !== 'device-code') return undefined;
  const minutes = Math.max(1, Math.round((asked.until - now()) / 60_000));
  const why = whyAgain(wizard.state());
  if (why) say(`\n${why}`);
  say(`\n${toLine(asked, settings.place.home)}`);
  say(`There is time for ${minutes} min. It goes on by itself when you have signed in.`);
  const isBrowser = asked.type === 'sign-in-waiting';
  const choices: readonly Choice<string>[] = isBrowser
    ? [
        {label: 'Paste the address that the browser ended on', value: 'paste'},
        ...(settings.obstacle ? [] : [{label: 'Open the browser again', value: 'open'}]),
        {label: 'Take more time', value: 'time'},
        ...(asked.device ? [{label: 'Sign in by a code instead', value: 'device'}] : []),
      ]
    : [{label: 'Sign in through a browser here instead', value: 'browser'}];
  const answered = new AbortController();
  const unsubscribe = wizard.subscribe(({type}) => {
    if (type === 'learned' || type === 'failed' || type === 'token-obtained') answered.abort(new Answered());
  });
  const talk = {...dialogue, signal: AbortSignal.any([signal, answered.signal])};
  try {
    const taken = await askChoice<string>({choices, words: everywhere(dialogue, false)}, talk);
    if (taken === 'paste') send({type: 'pasted', text: await askText({label: 'The address, or the code in it'}, talk)});
    else if (taken === 'open') send({type: 'open-again'});
    else if (taken === 'time') send({type: 'more-time'});
    else if (taken === 'device' || taken === 'browser') wizard.dispatch({type: 'answered', answers: {signInBy: taken}});
    else return doEverywhere(taken as Everywhere, dialogue);
    // What was sent is answered by the flow; the question is put again only if that is a no.
    return taken === 'paste' || taken === 'time' ? await waitForStep(dialogue) : undefined;
  } catch (error) {
    if (!(error instanceof Answered)) throw error;
    say('');
    return undefined;
  } finally {
    unsubscribe();
  }
};

class Answered extends Error {}

/** Until the step that runs has something to ask, or has ended. Ctrl-C works meanwhile. */
export const waitForStep = async ({wizard, reader, say, signal}: Dialogue): Promise<Turn> => {
  const moved = new AbortController();
  const started = performance.now();
  const {id} = currentStep(wizard.state());
  const unsubscribe = wizard.subscribe(({type}) => {
    const asks = type === 'sign-in-waiting' || type === 'device-code' || type === 'paste-refused';
    if (asks || type === 'learned' || type === 'failed') moved.abort(new Answered());
  });
  const timer = setInterval(() => {
    const waiting = progressRows(wizard.state(), id).filter(({status}) => status === 'waiting');
    const what = waiting.map(({label}) => label.toLowerCase()).join(', ') || headingOf[id].toLowerCase();
    const longest = Math.max(...waiting.map(({atMost = 0}) => atMost), 0);
    const atMost = longest === 0 ? '' : `, ${duration(longest)} at most`;
    say(`Still waiting for ${what}: ${duration(performance.now() - started)} so far${atMost}. Ctrl-C leaves.`);
  }, SILENCE);
  try {
    // Reading goes on, because only who reads sees Ctrl-C; what is typed meanwhile answers nothing.
    for (;;) await reader.ask('', {signal: AbortSignal.any([signal, moved.signal])});
  } catch (error) {
    if (error instanceof Answered) return undefined;
    throw error;
  } finally {
    clearInterval(timer);
    unsubscribe();
  }
};
