import type {Binding} from '../keys.tsx';

type List = {
  readonly count: number;
  /** The index of the row that is pointed at. */
  readonly at: number;
  /** How many rows a page key passes. */
  readonly page: number;
  /** Points at the row with this index. */
  readonly to: (index: number) => void;
  /** What the arrows are said to do. */
  readonly label: string;
  /** Whether letters are typed as words, so that none is a key. */
  readonly isTyping?: boolean;
};

/** The keys that lead through any list: arrows go round, pages stop at the ends. In an empty one they do nothing. */
export const walkBindings = ({count, at, page, to, label, isTyping = false}: List): readonly Binding[] => {
  if (count === 0) return [];
  const inside = (index: number) => Math.max(0, Math.min(count - 1, index));
  return [
    {keys: ['up', ...(isTyping ? [] : ['k'])], label, run: () => to((at - 1 + count) % count)},
    {keys: ['down', ...(isTyping ? [] : ['j'])], run: () => to((at + 1) % count)},
    // In a line of text they belong to the line.
    ...(isTyping
      ? []
      : [
          {keys: ['home'], name: 'home, end', label: 'first, last', isQuiet: true, run: () => to(0)},
          {keys: ['end'], run: () => to(count - 1)},
        ]),
    {keys: ['pgdn'], name: 'pgdn, pgup', label: 'a page on, back', isQuiet: true, run: () => to(inside(at + page))},
    {keys: ['pgup'], run: () => to(inside(at - page))},
  ];
};
