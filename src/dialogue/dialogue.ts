import {duration} from '../duration.ts';
import type {Inbox} from '../ports/ports.ts';
import type {SecretName} from '../ports/storage.ts';
import {clientValuesOf} from '../state/derived.ts';
import {toLine} from '../state/event-lines.ts';
import {headingOf, progressRows} from '../state/progress.ts';
import {aboutSignIn, formOf, type Offer, type Question, questionOf, ways} from '../state/questions.ts';
import {stepBefore} from '../state/reducer.ts';
import {showPath} from '../state/show-path.ts';
import {currentStep} from '../state/steps.ts';
import type {Wizard} from '../state/wizard.ts';
import {askChoice, askText, type Choice, toChoice, type Word} from './ask.ts';
import {LeftError, type LineReader} from './line-reader.ts';
import {aboutQuestion, farewell, whereabouts} from './sentences.ts';

/** How a person left the wizard. */
type Ending = 'done' | 'cancelled' | 'failed';

type Dialogue = {
  readonly wizard: Wizard;
  readonly reader: LineReader;
  /** Writes one line; nothing that was written is ever changed. */
  readonly say: (line: string) => void;
  readonly keepSecret: (name: SecretName, value: string) => void;
  readonly send: Inbox['send'];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** After this long without a word, a person who sees nothing move is told what is waited for; in milliseconds. */
const SILENCE = 10_000;

type Turn = Ending | undefined;

/**
 * The wizard as a conversation: lines that stay, choices with numbers, and no drawing. For screen readers, and for
 * terminals on which nothing can be redrawn.
 */
export const holdDialogue = async (dialogue: Dialogue): Promise<Ending> => {
  const {wizard, say, signal} = dialogue;
  const {home} = wizard.state().settings.place;
  const unsubscribe = wizard.subscribe(event => {
    // These are said with the question that they belong to.
    const isAsked = event.type === 'sign-in-waiting' || event.type === 'device-code' || event.type === 'layout-decided';
    const line = isAsked ? undefined : toLine(event, home);
    if (line !== undefined) say(line);
  });
  let told = '';
  try {
    for (;;) {
      const where = whereabouts(wizard.state());
      if (where !== told) say(`\n${where}`);
      told = where;
      const ending = await takeTurn(dialogue);
      if (ending) return ending;
    }
  } catch (error) {
    if (error instanceof LeftError || signal.aborted) return 'cancelled';
    throw error;
  } finally {
    unsubscribe();
  }
};

const takeTurn = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, now, say} = dialogue;
  const state = wizard.state();
  const question = questionOf(state);
  if (question) return putQuestion(question, dialogue);
  if (formOf(state)) return fillForm(dialogue);
  const {id} = currentStep(state);
  if (id === 'review') return review(dialogue);
  if (id === 'done') {
    say('');
    for (const line of farewell(state, now())) say(line);
    return 'done';
  }
  const asked = state.progress.findLast(({type}) => type === 'sign-in-waiting' || type === 'device-code');
  return id === 'obtain-token' && asked ? waitForBrowser(dialogue) : waitForStep(dialogue);
};

type Everywhere = 'back' | 'again' | 'calls' | 'values' | 'quit';

const everywhere = ({wizard}: Dialogue, withValues: boolean): readonly Word<Everywhere>[] => [
  ...(stepBefore(wizard.state()) ? [{word: 'b', label: 'go back', value: 'back'} as const] : []),
  ...(wizard.state().calls.length > 0 ? [{word: 'e', label: 'see the calls as curl', value: 'calls'} as const] : []),
  ...(withValues ? [{word: 'v', label: 'see the values that register a client', value: 'values'} as const] : []),
  {word: 'q', label: 'quit', value: 'quit'},
];

const doEverywhere = (what: Everywhere, {wizard, say}: Dialogue): Turn => {
  const state = wizard.state();
  const before = stepBefore(state);
  if (what === 'quit') return state.failure ? 'failed' : 'cancelled';
  if (what === 'back' && before) wizard.dispatch({type: 'went-back', to: before});
  if (what === 'values') say(`\n${clientValuesOf(state)}`);
  for (const {answer} of what === 'calls' ? state.calls : [])
    if (answer) say(`${answer.result} in ${answer.ms} ms\n${answer.curl}`);
  return undefined;
};

const putQuestion = async (question: Question, dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say, now} = dialogue;
  const state = wizard.state();
  const isSignIn = !state.failure && currentStep(state).id === 'sign-in';
  say(`\n${question.heading}`);
  for (const line of aboutQuestion(state, now())) say(line);
  if (isSignIn) say(aboutSignIn(state, ways[question.initial]?.signIn));
  const isForPeople = isSignIn || (state.failure?.step === 'obtain-token' && state.answers.signIn === 'browser');
  return take(question.offers, question.initial, dialogue, everywhere(dialogue, isForPeople));
};

const take = async (
  offers: readonly Offer[],
  initial: number,
  dialogue: Dialogue,
  words: readonly Word<Everywhere>[],
): Promise<Turn> => {
  const {wizard, say} = dialogue;
  const offer = await askChoice<Offer | Everywhere>({choices: offers.map(toChoice), initial, words}, dialogue);
  if (typeof offer === 'string') return doEverywhere(offer, dialogue);
  if ('leave' in offer) return offer.leave;
  if ('event' in offer) wizard.dispatch(offer.event);
  else if ('which' in offer) {
    say(`\n${offer.which}`);
    return takeWhich(offer.offers, dialogue);
  } else {
    const text = await askText({label: offer.ask, initial: offer.initial}, dialogue);
    wizard.dispatch(offer.toEvent(text));
  }
  return undefined;
};

/** Which of several is meant. Going back leads to the question that led here, which is then put again. */
const takeWhich = (offers: readonly Offer[], dialogue: Dialogue): Promise<Turn> => {
  const others = everywhere(dialogue, false).filter(({word}) => word !== 'b');
  return take(offers, 0, dialogue, [{word: 'b', label: 'go back', value: 'again'}, ...others]);
};

const fillForm = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say, keepSecret} = dialogue;
  const form = formOf(wizard.state());
  if (!form) return undefined;
  const {heading, explanation, name, secret} = form;
  say(`\n${heading}\n${explanation}`);
  const typed = await askText({label: name.label, initial: name.initial}, dialogue);
  keepSecret(secret.keptAs, await askText({label: secret.label, secret: true}, dialogue));
  wizard.dispatch(form.toEvent(typed));
  return undefined;
};

const review = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say} = dialogue;
  const {facts, settings, warnings} = wizard.state();
  const files = facts.plan?.files ?? [];
  say(`\n${headingOf.review}`);
  for (const {path, change, summary} of files) say(`${showPath(path, settings)}, ${change}: ${summary}`);
  for (const warning of warnings) say(`Warning: ${warning}`);
  const differing = files.filter(({diff}) => diff !== '');
  const choices: readonly Choice<'write' | number>[] = [
    {label: 'Write them', value: 'write'},
    ...differing.map(({path}, index) => ({label: `Show the changes in ${showPath(path, settings)}`, value: index})),
  ];
  const taken = await askChoice<'write' | number | Everywhere>(
    {choices, initial: 0, words: everywhere(dialogue, false)},
    dialogue,
  );
  if (taken === 'write') wizard.dispatch({type: 'answered', answers: {changesAccepted: true}});
  else if (typeof taken === 'number') say(`\n${differing[taken]?.diff ?? ''}`);
  else return doEverywhere(taken, dialogue);
  return undefined;
};

/** While a person signs in elsewhere: where, how long there is, and the other ways; until the answer comes. */
const waitForBrowser = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say, now, send, signal} = dialogue;
  const {progress, settings} = wizard.state();
  const asked = progress.findLast(event => event.type === 'sign-in-waiting' || event.type === 'device-code');
  if (asked?.type !== 'sign-in-waiting' && asked?.type !== 'device-code') return undefined;
  const minutes = Math.max(1, Math.round((asked.until - now()) / 60_000));
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
const waitForStep = async ({wizard, reader, say, signal}: Dialogue): Promise<Turn> => {
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
