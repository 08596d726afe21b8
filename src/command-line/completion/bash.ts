import {SETUP} from '../../setup-command.ts';
import {argumentCases, flagCases, groupsIn, type OfferedCommand, wordsAfter} from '../completion-model.ts';
import {CONTEXT_NAMES, installation, type OwnWords, pathsOf, posixQuoted, programs} from '../shells.ts';

/** Returns the script with which bash completes commands of this program. It needs bash 3.2, not bash-completion. */
export const bashScript = (
  model: readonly OfferedCommand[],
  own: OwnWords = [],
): string => `# Completion of ${SETUP} in bash. Once:
#   ${installation.bash}

_platform_setup() {
  local cur=\${COMP_WORDS[COMP_CWORD]} flag='' word first='' second='' start=1 at count=0 skip='' words=() kind='' list=''
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]##*/} == npx ]]; then
    while (( start < COMP_CWORD )) && [[ \${COMP_WORDS[start]} == -* ]]; do (( start += 1 )); done
    (( start < COMP_CWORD )) && [[ \${COMP_WORDS[start]} =~ ^(${programs.join('|')})$ ]] || return
    (( start += 1 ))
  fi
  for (( at = start; at < COMP_CWORD; at += 1 )); do
    word=\${COMP_WORDS[at]}
    if [[ -n $skip ]]; then
      # bash takes --flag=value apart at the sign.
      [[ $word == = ]] || skip=''
    elif [[ $word == -* ]]; then
      [[ ' ${valued(model).join(' ')} ' == *" $word "* ]] && skip=$word
    elif [[ $word != = ]]; then
      if [[ $first == help ]]; then first=$word
      elif [[ -z $first ]]; then first=$word
      elif [[ -z $second && ' ${groupsIn(model).join(' ')} ' == *" $first "* ]]; then second=$word
      else (( count += 1 )); fi
    fi
  done
  flag=$skip
  [[ $cur == = ]] && cur=''
  _platform_setup_offer
  case $kind in
    context)
      ${ifOwn(own)}words=($("\${COMP_WORDS[@]:0:start}" completion ${CONTEXT_NAMES} 2>/dev/null))${ifOwn(own) === '' ? '' : '; fi'} ;;
    file) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null; return ;;
    directory) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null; return ;;
  esac
  local before=''
  if [[ -n $list && $cur == *,* ]]; then before=\${cur%,*},; cur=\${cur##*,}; fi
  COMPREPLY=($(compgen -P "$before" -W "\${words[*]}" -- "$cur"))
}

# What can stand where the cursor is: sets words, or kind and list, by first, second, count, flag and cur.
_platform_setup_offer() {
  case "\${first:+$first }\${second:+$second }$flag" in
${model.flatMap(command => flagCases(command, 'words')).join('\n')}
  esac
  [[ -n $flag ]] && return
  if [[ $cur == -* ]]; then
    case "$first\${second:+ $second}" in
${model.map(({words, flags}) => `      ${quoted(words.join(' '))}) words=(${flags.map(({name}) => `--${name}`).join(' ')}) ;;`).join('\n')}
    esac
    return
  fi
  case "$first\${second:+ $second}:$count" in
    :0) words=(${wordsAfter(model, [])
      .map(([word]) => word)
      .join(' ')}) ;;
    help:0) words=(${wordsAfter(model, [])
      .map(([word]) => word)
      .join(' ')}) ;;
${groupsIn(model)
  .map(
    group =>
      `    ${group}:0) words=(${wordsAfter(model, [group])
        .map(([word]) => word)
        .join(' ')}) ;;`,
  )
  .join('\n')}
${model.flatMap(command => argumentCases(command, 'words')).join('\n')}
  esac
}

complete -F _platform_setup ${programs.join(' ')}
# Nobody else's completion of npx is taken away.
complete -p npx >/dev/null 2>&1 || complete -o default -F _platform_setup npx
`;

/** Returns the line that runs this program, if it still exists, to get the names of contexts. */
const ifOwn = (own: OwnWords): string => {
  const paths = pathsOf(own);
  if (!paths) return '';
  const [runtime, launcher] = paths.map(posixQuoted);
  const line = `${own.map(posixQuoted).join(' ')} completion ${CONTEXT_NAMES} 2>/dev/null`;
  return `if [[ -x ${runtime} && -e ${launcher} ]]; then words=($(${line})); else `;
};

/** Returns the flags that take a value, so that the next word is not treated as a command. */
export const valued = (model: readonly OfferedCommand[]): readonly string[] => [
  ...new Set(model.flatMap(({flags}) => flags.flatMap(({name, value}) => (value ? [`--${name}`] : [])))),
];

const quoted = (text: string) => `'${text}'`;
