import {Secret} from '../domain/secret.ts';
import type {WizardEvent} from '../state/events.ts';
import type {WizardState} from '../state/model.ts';
import {toLine} from '../state/view/progress.ts';
import type {
  AssistantsView,
  Ending,
  FormView,
  GuideOnRequest,
  Offer,
  QuestionView,
  ReviewView,
  Selecting,
} from '../state/view/view.ts';
import {askChoice, askText, type Option, toOption, type Word} from './ask.ts';
import {chooseAssistants} from './choose-assistants.ts';
import {LeftError} from './line-reader.ts';
import {farewell, linesOf, whereabouts} from './sentences.ts';
import {type Dialogue, type GlobalCommand, globalCommands, runGlobalCommand, type Turn} from './turn.ts';
import {waitForPerson, waitForStep} from './waits.ts';

/**
 * Runs the wizard as a conversation: lines that stay, choices with numbers, and nothing that is redrawn. It is for
 * screen readers, and for terminals that cannot redraw.
 */
export const holdDialogue = async (dialogue: Dialogue): Promise<Ending> => {
  const {wizard, say, signal} = dialogue;
  const {settings} = wizard.state();
  const unsubscribe = wizard.subscribe(event => {
    // These events are told together with the question that they belong to.
    const isAsked = event.type === 'sign-in-waiting' || event.type === 'device-code' || event.type === 'layout-decided';
    const line = isAsked ? undefined : toLine(withoutRead(event, wizard.state()), settings);
    if (line !== undefined) say(line);
  });
  let lastNotice = '';
  const {intro} = wizard.view(dialogue.now());
  if (intro) say(intro.text);
  try {
    for (;;) {
      const where = whereabouts(wizard.view(dialogue.now()).header);
      if (where !== lastNotice) say(`\n${where}`);
      lastNotice = where;
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

/** Returns an event without what the person has just read: the role that is missing, if they chose to wait for it. */
const withoutRead = (event: WizardEvent, {answeredFailure}: WizardState): WizardEvent => {
  if (event.type !== 'role-awaited' || answeredFailure?.failure?.code !== 'auth-no-role') return event;
  const {missing: _, ...rest} = event;
  return rest;
};

const takeTurn = async (dialogue: Dialogue): Promise<Turn> => {
  const {wizard, now, say} = dialogue;
  const {body} = wizard.view(now());
  switch (body.type) {
    case 'question': {
      if (!body.isPending) return putQuestion(body, dialogue);
      for (const line of (body.about ?? []).filter(({type}) => type !== 'table').flatMap(linesOf)) say(line);
      return waitForStep(dialogue);
    }
    case 'form':
      return fillForm(body, dialogue);
    case 'assistants':
      return assistants(body, dialogue);
    case 'review':
      return review(body, dialogue);
    case 'waiting':
      return waitForPerson(body, dialogue);
    case 'progress':
      return waitForStep(dialogue);
    case 'done':
      say('');
      for (const line of farewell(body)) say(line);
      return 'done';
    default:
      return body satisfies never;
  }
};

const putQuestion = async (question: QuestionView, dialogue: Dialogue): Promise<Turn> => {
  const {say} = dialogue;
  const {heading, offers, initial, about = []} = question;
  say(`\n${heading}`);
  for (const line of about.flatMap(linesOf)) say(line);
  const below = question.below?.(initial);
  if (below !== undefined) say(below);
  // In a dialogue the person cannot point at an offer without taking it, so the guide does not depend on the offer.
  const guide = offers.map((_, at) => question.guide?.(at)).find(one => one !== undefined);
  return take(offers, initial, dialogue, globalCommands(dialogue, guide), guide);
};

const take = async (
  offers: readonly Offer[],
  initial: number,
  dialogue: Dialogue,
  words: readonly Word<GlobalCommand>[],
  guide?: GuideOnRequest,
): Promise<Turn> => {
  const {wizard, say} = dialogue;
  const offer = await askChoice<Offer | GlobalCommand>({options: offers.map(toOption), initial, words}, dialogue);
  if (typeof offer === 'string') return runGlobalCommand(offer, dialogue, guide);
  if ('leave' in offer) return offer.leave;
  if ('event' in offer) wizard.dispatch(offer.event);
  else if ('which' in offer) {
    say(`\n${offer.which}`);
    return takeWhich(offer.offers, dialogue);
  } else {
    const {ask: label, initial, validate} = offer;
    const typed = await askText({label, initial, ...(validate ? {validate} : {})}, dialogue);
    // Otherwise the question that led here is asked again.
    if (typed !== undefined) wizard.dispatch(offer.toEvent(typed));
  }
  return undefined;
};

/** Asks for one of several offers. Going back leads to the question before, which is then asked again. */
const takeWhich = (offers: readonly Offer[], dialogue: Dialogue): Promise<Turn> => {
  const others = globalCommands(dialogue).filter(({word}) => word !== 'b');
  return take(offers, 0, dialogue, [{word: 'b', label: 'go back', value: 'again'}, ...others]);
};

const fillForm = async ({heading, explanation, name, secret, toEvent}: FormView, dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say} = dialogue;
  say(`\n${heading}\n${explanation}`);
  let {initial} = name;
  for (;;) {
    const typed = await askText({label: name.label, initial}, dialogue);
    if (typed === undefined) return runGlobalCommand('back', dialogue);
    const typedSecret = await askText({label: secret.label, secret: true}, dialogue);
    if (typedSecret !== undefined) {
      wizard.dispatch(toEvent(typed, new Secret(secret.read(typedSecret))));
      return undefined;
    }
    initial = typed;
  }
};

const assistants = async (view: AssistantsView, dialogue: Dialogue): Promise<Turn> => {
  const {wizard, now} = dialogue;
  const words = globalCommands(dialogue);
  const keep = (selecting: Selecting) => wizard.dispatch(view.toChange(selecting));
  const taken = await chooseAssistants(view, words, {...dialogue, keep});
  if (typeof taken === 'object' && 'look' in taken) {
    wizard.dispatch(taken.look);
    await waitForStep(dialogue);
    const {body} = wizard.view(now());
    return body.type === 'assistants' ? assistants({...body, initial: taken.selecting}, dialogue) : undefined;
  }
  if (typeof taken === 'string') {
    const word = words.find(one => one.word === taken);
    return word && runGlobalCommand(word.value, dialogue);
  }
  wizard.dispatch(view.toEvent(taken));
  return undefined;
};

/** The plans whose changes the person has seen. */
const seen = new WeakSet<object>();

/** Reviews the changes. Until the person has seen at least one, Enter shows changes rather than writing them. */
const review = async ({heading, plan, files, warnings, accept}: ReviewView, dialogue: Dialogue): Promise<Turn> => {
  const {wizard, say} = dialogue;
  say(`\n${heading}`);
  for (const {path, change, summary} of files) say(`${path}, ${change}: ${summary}`);
  for (const warning of warnings) say(`Warning: ${warning}`);
  const differing = files.filter(({diff}) => diff !== '');
  const options: readonly Option<'write' | 'all' | number>[] = [
    {label: 'Write the changes', value: 'write'},
    ...(differing.length > 1 ? [{label: 'Show all changes', value: 'all'} as const] : []),
    ...differing.map(({path}, index) => ({label: `Show the changes in ${path}`, value: index})),
  ];
  const isKnown = differing.length === 0 || seen.has(plan);
  const taken = await askChoice<'write' | 'all' | number | GlobalCommand>(
    {options, initial: isKnown ? 0 : 1, words: globalCommands(dialogue)},
    dialogue,
  );
  if (taken === 'write') wizard.dispatch(accept);
  else if (taken === 'all' || typeof taken === 'number') {
    seen.add(plan);
    for (const {path, diff} of taken === 'all' ? differing : differing.slice(taken, taken + 1))
      say(`\n${path}\n${diff}`);
  } else return runGlobalCommand(taken, dialogue);
  return undefined;
};
