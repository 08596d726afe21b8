import {assistantRows, fateOf} from '../state/assistant-rows.ts';
import {choiceOf, tickedOf} from '../state/derived.ts';
import type {Choice, WizardState} from '../state/model.ts';
import {headingOf} from '../state/progress.ts';
import type {LineReader} from './line-reader.ts';

type Talk = {
  readonly reader: LineReader;
  readonly say: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** Which assistants are connected, told by their numbers. Resolves with the choice, or with a word that leads elsewhere. */
export const chooseAssistants = async (
  state: WizardState,
  words: readonly {readonly word: string; readonly label: string}[],
  {reader, say, now, signal}: Talk,
): Promise<Choice | string> => {
  const connect = state.chosen ?? state.settings.connect ?? {};
  const ticked = new Set(tickedOf(state));
  let scope: Choice['scope'] = connect.scope ?? 'user';
  let method: Choice['method'] = connect.method ?? 'auto';
  const list = () => {
    const rows = assistantRows(state, {scope, method}, now());
    say(`\n${headingOf.assistants}`);
    for (const [index, row] of rows.entries()) {
      const {id, name, version} = row;
      const {path, words: fate} = fateOf(row, ticked.has(id));
      const what = path === undefined ? fate : `${path}, ${fate}`;
      say(`  ${index + 1}. ${ticked.has(id) ? 'Yes' : 'No'}: ${name}${version ? ` ${version}` : ''}, ${what}`);
    }
    say(`For ${scope === 'user' ? 'all your projects' : 'this project only'}.`);
    const others = words.map(({word, label}) => `, ${word} to ${label}`).join('');
    say(`Type numbers to say yes or no, s for the other scope, m for the other way to stay signed in${others}.`);
    say('Press Enter to go on.');
    return rows;
  };
  for (let rows = list(); ; rows = list()) {
    const typed = (await reader.ask('> ', {signal})).trim().toLowerCase();
    if (typed === '') return choiceOf(state, ticked, {scope, method});
    if (typed === 's') scope = scope === 'user' ? 'project' : 'user';
    else if (typed === 'm') method = method === 'header' ? 'auto' : 'header';
    else if (words.some(({word}) => word === typed)) return typed;
    else {
      for (const part of typed.split(/[\s,]+/)) {
        const row = rows[Number(part) - 1];
        if (!row) say(`“${part}” is none of these. Type numbers from 1 to ${rows.length}.`);
        else if (!ticked.delete(row.id)) ticked.add(row.id);
      }
    }
  }
};
