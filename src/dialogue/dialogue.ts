import {toLine} from '../state/event-lines.ts';
import {headingOf} from '../state/progress.ts';
import {aboutSignIn, formOf, type Offer, type Question, questionOf, ways} from '../state/questions.ts';
import {showPath} from '../state/show-path.ts';
import {currentStep} from '../state/steps.ts';
import {askChoice, askText, type Choice, toChoice, type Word} from './ask.ts';
import {chooseAssistants} from './choose-assistants.ts';
import {LeftError} from './line-reader.ts';
import {aboutQuestion, farewell, whereabouts} from './sentences.ts';
import {type Dialogue, doEverywhere, type Ending, type Everywhere, everywhere, type Turn} from './turn.ts';
import {waitForBrowser, waitForStep} from './waits.ts';

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
  if (id === 'assistants') return assistants(dialogue);
  if (id === 'review') return review(dialogue);
  if (id === 'done') {
    say('');
    for (const line of farewell(state, now())) say(line);
    return 'done';
  }
  const asked = state.progress.findLast(({type}) => type === 'sign-in-waiting' || type === 'device-code');
  return (id === 'obtain-token' || id === 'own-token') && asked ? waitForBrowser(dialogue) : waitForStep(dialogue);
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
    const text = await askText(
      {label: offer.ask, initial: offer.initial, ...(offer.check ? {check: offer.check} : {})},
      dialogue,
    );
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
  keepSecret(secret.keptAs, secret.read(await askText({label: secret.label, secret: true}, dialogue)));
  wizard.dispatch(form.toEvent(typed));
  return undefined;
};

const assistants = async (dialogue: Dialogue): Promise<Turn> => {
  const words = everywhere(dialogue, false);
  const taken = await chooseAssistants(dialogue.wizard.state(), words, dialogue);
  if (typeof taken === 'string') {
    const word = words.find(one => one.word === taken);
    return word && doEverywhere(word.value, dialogue);
  }
  dialogue.wizard.dispatch({type: 'answered', answers: {connect: taken}});
  return undefined;
};

/** The plans of which somebody has been shown something. */
const seen = new WeakSet<object>();

/** What Enter does is to show the changes, and to write them only after that. */
const review = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say} = dialogue;
  const {facts, settings, warnings} = wizard.state();
  const files = facts.plan?.files ?? [];
  say(`\n${headingOf.review}`);
  for (const {path, change, summary} of files) say(`${showPath(path, settings)}, ${change}: ${summary}`);
  for (const warning of warnings) say(`Warning: ${warning}`);
  const differing = files.filter(({diff}) => diff !== '');
  const choices: readonly Choice<'write' | 'all' | number>[] = [
    {label: 'Write them', value: 'write'},
    ...(differing.length > 1 ? [{label: 'Show all changes', value: 'all'} as const] : []),
    ...differing.map(({path}, index) => ({label: `Show the changes in ${showPath(path, settings)}`, value: index})),
  ];
  const isKnown = differing.length === 0 || (facts.plan !== undefined && seen.has(facts.plan));
  const taken = await askChoice<'write' | 'all' | number | Everywhere>(
    {choices, initial: isKnown ? 0 : 1, words: everywhere(dialogue, false)},
    dialogue,
  );
  if (taken === 'write') wizard.dispatch({type: 'answered', answers: {changesAccepted: true}});
  else if (taken === 'all' || typeof taken === 'number') {
    if (facts.plan) seen.add(facts.plan);
    for (const {path, diff} of taken === 'all' ? differing : differing.slice(taken, taken + 1))
      say(`\n${showPath(path, settings)}\n${diff}`);
  } else return doEverywhere(taken, dialogue);
  return undefined;
};
