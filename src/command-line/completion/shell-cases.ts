import type {Offered, OfferedCommand} from './completion-model.ts';

/**
 * Returns branches of a `case` in bash or zsh, one for each flag of a command whose value can be completed.
 *
 * @param list the array that receives the words on offer
 */
export const flagCases = ({words, flags}: OfferedCommand, list: string): readonly string[] =>
  flags.flatMap(({name, value}) =>
    value && isOffered(value) ? [branch([...words, `--${name}`].join(' '), '', value, list)] : [],
  );

/** Returns such branches for the arguments of a command, by their index; `*` for one that repeats. */
export const argumentCases = ({words, args, repeats}: OfferedCommand, list: string): readonly string[] =>
  args.flatMap((offered, index) => {
    const at = repeats && index === args.length - 1 ? '*' : String(index);
    return isOffered(offered) ? [branch(words.join(' '), `:${at}`, offered, list)] : [];
  });

const isOffered = ({words, kind}: Offered) => words.length > 0 || kind !== undefined;

const branch = (words: string, behind: string, {words: offered, kind, isList}: Offered, list: string): string => {
  const settings = [
    ...(offered.length > 0 ? [`${list}=(${offered.join(' ')})`] : []),
    ...(kind ? [`kind=${kind}`] : []),
    ...(isList ? ['list=1'] : []),
  ];
  return `    '${words}'${behind}) ${settings.join('; ')} ;;`;
};
