import {asSentence} from '../sentence.ts';
import {turnOf} from '../state/view/names.ts';
import type {Block, DoneView, FailureBlock, Header, ProgressRow} from '../state/view/view.ts';
import {duration} from '../text.ts';

/** Returns the position in the wizard, in words. */
export const whereabouts = ({stages}: Header): string => {
  if (stages.length === 0) return 'Home';
  const at = stages.findIndex(({status}) => status === 'current');
  const current = stages[at];
  return current ? `Step ${at + 1} of ${stages.length}: ${current.name}` : 'The end';
};

export const linesOf = (block: Block): readonly string[] => {
  switch (block.type) {
    case 'text':
    case 'status':
      return [block.text];
    case 'table':
      return block.rows.map(([name, value]) => `${name}: ${value}`);
    case 'rows':
      return block.rows.map(lineOf);
    case 'failure':
      return linesOfFailure(block);
    default:
      return block satisfies never;
  }
};

const lineOf = ({label, value, ms}: ProgressRow) => `${label}: ${value}${ms === undefined ? '' : `, ${duration(ms)}`}`;

const linesOfFailure = ({
  isCalm,
  message,
  whose,
  remedy,
  block,
  leads,
  call,
  rows,
}: FailureBlock): readonly string[] => {
  const answer = call?.answer;
  return [
    ...(leads && block !== undefined ? [`${block}\n`] : []),
    message,
    ...rows.map(lineOf),
    ...(call && answer
      ? [`The failed call: ${call.method} ${call.url}, ${answer.result}, after ${answer.ms} ms.`]
      : []),
    isCalm ? remedy : `${turnOf[whose]} ${remedy}`,
    ...(block === undefined || leads ? [] : [`\n${block}`]),
  ];
};

/** Returns the lines at the end of the wizard: what works and until when, and what to do next. */
export const farewell = ({heading, content, outcomes, notes, block, next}: DoneView): readonly string[] => [
  asSentence(heading),
  ...(content === undefined ? [] : [content]),
  ...outcomes.map(({assistant, text, path}) => `${assistant}: ${text}, through ${path}`),
  ...notes,
  ...(block === undefined ? [] : [`\n${block}\n`]),
  ...next.map(({before, strong = ''}) => before + strong),
];
