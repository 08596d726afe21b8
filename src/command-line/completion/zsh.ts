import {SETUP} from '../../setup-command.ts';
import {argumentCases, flagCases, groupsIn, type OfferedCommand, wordsAfter} from '../completion-model.ts';
import {CONTEXT_NAMES, installation, type OwnWords, pathsOf, posixQuoted, programs} from '../shells.ts';
import {valued} from './bash.ts';

/** Returns the script with which zsh completes commands of this program, with the purpose of each word. */
export const zshScript = (
  model: readonly OfferedCommand[],
  own: OwnWords = [],
): string => `# Completion of ${SETUP} in zsh. Once:
#   ${installation.zsh}

_platform_setup() {
  local first='' second='' flag='' word kind='' list='' at start=2
  local -i count=0
  local -a said offered
  if [[ \${words[1]:t} == npx ]]; then
    while (( start < CURRENT )) && [[ \${words[start]} == -* ]]; do (( start += 1 )); done
    (( start < CURRENT )) && [[ \${words[start]} == (${programs.join('|')}) ]] || { _default; return }
    (( start += 1 ))
  fi
  for (( at = start; at < CURRENT; at += 1 )); do
    word=\${words[at]}
    if [[ -n $flag ]]; then flag=''
    elif [[ $word == -* ]]; then
      [[ ' ${valued(model).join(' ')} ' == *" $word "* ]] && flag=$word
    elif [[ -z $first || $first == help ]]; then first=$word
    elif [[ -z $second && ' ${groupsIn(model).join(' ')} ' == *" $first "* ]]; then second=$word
    else (( count += 1 )); fi
  done
  # A value may stand behind its flag, or behind a sign in the same word.
  if [[ -z $flag && \${words[CURRENT]} == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  _platform_setup_offer
  case $kind in
    context)
      ${ifOwn(own)}said=(\${(f)"$("\${(@)words[1,start-1]}" completion ${CONTEXT_NAMES} 2>/dev/null)"})${ifOwn(own) === '' ? '' : '; fi'}
      offered=($said) ;;
    file) _files; return ;;
    directory) _files -/; return ;;
  esac
  [[ -n $list ]] && compset -P '*,'
  (( $#offered )) && _describe -t words word offered
}

# What can stand where the cursor is: sets offered, or kind and list, by first, second, count and flag.
_platform_setup_offer() {
  case "\${first:+$first }\${second:+$second }$flag" in
${model.flatMap(command => flagCases(command, 'offered')).join('\n')}
  esac
  [[ -n $flag ]] && return
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$first\${second:+ $second}" in
${model.map(({words, flags}) => `      '${words.join(' ')}') offered=(${flags.map(({name, help}) => described(`--${name}`, help)).join(' ')}) ;;`).join('\n')}
    esac
    return
  fi
  case "$first\${second:+ $second}:$count" in
    :0|help:0) offered=(${commandsAfter(model, [])}) ;;
${groupsIn(model)
  .map(group => `    ${group}:0) offered=(${commandsAfter(model, [group])}) ;;`)
  .join('\n')}
${model.flatMap(command => argumentCases(command, 'offered')).join('\n')}
  esac
}

(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _platform_setup ${programs.join(' ')}
# Nobody else's completion of npx is taken away.
(( $+_comps[npx] )) || compdef _platform_setup npx
`;

const commandsAfter = (model: readonly OfferedCommand[], before: readonly string[]) =>
  wordsAfter(model, before)
    .map(([word, summary]) => described(word, summary))
    .join(' ');

/** Returns a word with its purpose, as `_describe` takes it. */
const described = (word: string, about: string) => quoted(`${word.replaceAll(':', '\\:')}:${about}`);

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the line that runs this program, if it still exists, to get the names of contexts. */
const ifOwn = (own: OwnWords): string => {
  const paths = pathsOf(own);
  if (!paths) return '';
  const [runtime, launcher] = paths.map(posixQuoted);
  const line = `${own.map(posixQuoted).join(' ')} completion ${CONTEXT_NAMES} 2>/dev/null`;
  return `if [[ -x ${runtime} && -e ${launcher} ]]; then said=(\${(f)"$(${line})"}); else `;
};
