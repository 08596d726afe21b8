import {SETUP} from '../../setup-command.ts';
import {groupsIn, type Offered, type OfferedCommand, wordsAfter} from '../completion-model.ts';
import {CONTEXT_NAMES, installation, type OwnWords, pathsOf, programs} from '../shells.ts';
import {valued} from './bash.ts';

/** Returns the script with which fish completes commands of this program, with the purpose of each word. */
export const fishScript = (
  model: readonly OfferedCommand[],
  own: OwnWords = [],
): string => `# Completion of ${SETUP} in fish. Once:
#   ${installation.fish}

# The words before the cursor that are neither flags nor their values, without the program and without help.
function __platform_setup_words
    set -l tokens (commandline -opc)
    if test (count $tokens) -gt 0; and string match -q -r '(^|/)npx$' -- $tokens[1]
        set -e tokens[1]
        while test (count $tokens) -gt 0; and string match -q -- '-*' $tokens[1]
            set -e tokens[1]
        end
        test (count $tokens) -gt 0; and contains -- $tokens[1] ${programs.join(' ')}; or return 1
    end
    set -e tokens[1]
    set -l skip no
    set -l words
    for token in $tokens
        if test $skip = yes
            set skip no
        else if contains -- $token ${valued(model).join(' ')}
            set skip yes
        else if not string match -q -- '-*' $token
            set -a words $token
        end
    end
    test "$words[1]" = help; and set -e words[1]
    test (count $words) -gt 0; and printf '%s\\n' $words
    return 0
end

# Whether the words before the cursor are those of this command; with "exactly N", and N more.
function __platform_setup_at
    set -l words (__platform_setup_words); or return 1
    set -l wanted (string split -n ' ' -- $argv[1])
    set -l size (count $wanted)
    if test $size -gt 0
        test "$words[1..$size]" = "$wanted"; or return 1
    end
    set -q argv[2]; or return 0
    test "$argv[2]" = any; and return 0
    test (count $words) -eq (math $size + $argv[2])
end

function __platform_setup_contexts
    set -l tokens (commandline -opc)
    set -l program $tokens[1]
    if string match -q -r '(^|/)npx$' -- $program
        for token in $tokens[2..]
            set -a program $token
            contains -- $token ${programs.join(' ')}; and break
        end
    end
${ifOwn(own)}    command $program completion ${CONTEXT_NAMES} 2>/dev/null
end

${programs.map(program => `complete -c ${program} -f`).join('\n')}
for program in ${programs.join(' ')} npx
${lines(model)
  .map(line => `    complete -c $program ${line}`)
  .join('\n')}
end
`;

const lines = (model: readonly OfferedCommand[]): readonly string[] => [
  ...wordsAfter(model, []).map(([word, summary]) => offer('', 0, word, summary)),
  ...groupsIn(model).flatMap(group =>
    wordsAfter(model, [group]).map(([word, summary]) => offer(group, 0, word, summary)),
  ),
  ...model.flatMap(({words, args, repeats}) =>
    args.flatMap((offered, index) => {
      const list = listOf(offered);
      const at = repeats && index === args.length - 1 ? 'any' : String(index);
      return list === undefined ? [] : [`-n ${at_(words.join(' '), at)} -f -a ${list}`];
    }),
  ),
  ...model.flatMap(({words, flags}) => {
    const when = words.length === 0 ? at_('', '0') : at_(words.join(' '));
    return flags.map(({name, short, help, value}) => {
      const shortly = short === undefined ? '' : ` -s ${short}`;
      return `-n ${when}${shortly} -l ${name}${value === undefined ? '' : valuesFor(value)} -d ${quoted(help)}`;
    });
  }),
];

const offer = (before: string, count: number, word: string, summary: string) =>
  `-n ${at_(before, String(count))} -f -a ${word} -d ${quoted(summary)}`;

const at_ = (words: string, count?: string) =>
  quoted(`__platform_setup_at "${words}"${count === undefined ? '' : ` ${count}`}`);

const valuesFor = (offered: Offered): string => {
  if (offered.kind === 'file') return ' -r -F';
  if (offered.kind === 'directory') return ` -x -a '(__fish_complete_directories)'`;
  const list = listOf(offered);
  return list === undefined ? ' -x' : ` -x -a ${list}`;
};

/** Returns the words on offer as `complete -a` takes them: a list, or a command that prints them. */
const listOf = ({words, kind, isList}: Offered): string | undefined => {
  if (kind === 'context') return `'(__platform_setup_contexts)'`;
  if (words.length === 0) return undefined;
  return isList ? `'(__fish_complete_list , "printf %s\\\\n ${words.join(' ')}")'` : quoted(words.join(' '));
};

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns the fish lines that run this program, if it still exists, to print the names of contexts. */
const ifOwn = (own: OwnWords): string => {
  const paths = pathsOf(own);
  if (!paths) return '';
  const word = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const [runtime, launcher] = paths.map(word);
  return [
    `    if test -x ${runtime}; and test -e ${launcher}`,
    `        command ${own.map(word).join(' ')} completion ${CONTEXT_NAMES} 2>/dev/null`,
    '        return',
    '    end',
    '',
  ].join('\n');
};
