import type {WizardEvent} from '../state/events.ts';
import {type AssistantsView, nextOf, type Selecting} from '../state/view/view.ts';
import {HELP, LEAVING} from './ask.ts';
import type {LineReader} from './line-reader.ts';

type Talk = {
  readonly reader: LineReader;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  /** Keeps what is chosen so far. */
  readonly keep: (selecting: Selecting) => void;
};

/** The choice so far, and the event that finds out how many tokens its tools cost. */
type Looking = {readonly selecting: Selecting; readonly look: WizardEvent};

/** The help for this question. */
const ABOUT =
  'Setup connects the assistants marked Yes. Type one or more numbers, with spaces between them, to switch between Yes and No; you then hear the list again. Press Enter to continue.';

/**
 * Asks which assistants to connect; the person types numbers to switch them between Yes and No. Resolves to the choice,
 * or to a word that leads elsewhere. If the tokens that the tools cost have to be counted first, resolves to the choice
 * so far with the event that counts them.
 */
export const chooseAssistants = async (
  {
    heading,
    note,
    showsAll: beginsWithAll = false,
    initial,
    rows,
    scope,
    nextScope,
    signIn,
    nextMethod,
    hasOtherMethod,
    actsAs,
    nextActor,
    tools,
  }: AssistantsView,
  words: readonly {readonly word: string; readonly label: string}[],
  {reader, say, signal, keep}: Talk,
): Promise<Selecting | Looking | string> => {
  let selecting = initial;
  // If no assistant was found, the person needs the list of all that they can choose.
  let showsAll: boolean = beginsWithAll;
  const heard = new Set(rows(initial).flatMap(({id, isNear}) => (isNear ? [id] : [])));
  const chosen = () => selecting.tools ?? tools?.usual ?? 'all';
  const change = (next: Selecting) => {
    selecting = next;
    keep(next);
  };
  const first = tools?.look(chosen());
  if (first) return {selecting, look: first};
  const list = () => {
    const all = rows(selecting);
    // An assistant that is no longer chosen stays in the list, so that it can be chosen again.
    const near = all.filter(({id, isNear}) => isNear || heard.has(id));
    const listed = showsAll || near.length === 0 ? all : near;
    const hidden = all.length - listed.length;
    say(`\n${heading}`);
    if (note !== undefined) say(note);
    for (const [index, {id, name, version, path, effect}] of listed.entries()) {
      const what = path === undefined ? effect : `${path}, ${effect}`;
      say(
        `  ${index + 1}. ${selecting.ticked.has(id) ? 'Yes' : 'No'}: ${name}${version ? ` ${version}` : ''}, ${what}`,
      );
    }
    if (hidden > 0) say(`  Not found here: ${hidden} more.`);
    say(`For ${scope(selecting)}. They act as ${actsAs(selecting)}. Sign-in: ${signIn(selecting)}.`);
    if (tools) say(`Tools: ${tools.say(chosen(), selecting.method)}.`);
    const others = words.map(({word, label}) => `, ${word} to ${label}`).join('');
    const narrowing = tools ? ', t for other tools' : '';
    const method = hasOtherMethod(selecting) ? ', m for another way to stay signed in' : '';
    const more = hidden > 0 ? ', o to hear all assistants' : '';
    say(
      `Type numbers to say yes or no${more}, s for another scope, r to change as whom they act${method}${narrowing}${others}, ${HELP} for help.`,
    );
    say('Press Enter to continue.');
    return listed;
  };
  for (let listed = list(); ; listed = list()) {
    const typed = (await reader.ask('> ', {signal})).trim().toLowerCase();
    if (typed === '') return selecting;
    if (typed === HELP) say(`${ABOUT} ${LEAVING}`);
    else if (typed === 's') change(nextScope(selecting));
    else if (typed === 'm') change(nextMethod(selecting));
    else if (typed === 'r') change(nextActor(selecting));
    else if (typed === 'o') showsAll = true;
    else if (typed === 't' && tools) {
      change({...selecting, tools: nextOf(tools.choices, chosen())});
      const look = tools.look(chosen());
      if (look) return {selecting, look};
    } else if (words.some(({word}) => word === typed)) return typed;
    else {
      const ticked = new Set(selecting.ticked);
      for (const part of typed.split(/[\s,]+/)) {
        const row = listed[Number(part) - 1];
        if (!row) say(`“${part}” is none of these. Type numbers from 1 to ${listed.length}.`);
        else if (!ticked.delete(row.id)) ticked.add(row.id);
      }
      change({...selecting, ticked});
    }
  }
};
