import {SETUP} from '../setup-command.ts';
import {posixQuoted} from '../shell-quoting.ts';

/** The shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type CompletionShell = (typeof shells)[number];

/**
 * The words that start the program that prints the script, with absolute paths: the runtime, its arguments, and the
 * launcher at the end. npx would first look for the package at each press of Tab, which takes seconds. Empty if the
 * paths are unknown.
 */
export type OwnWords = readonly string[];

/** The names of the program in a shell, besides npx. */
const programs = ['setup', 'platform-setup'] as const;

/** The command that installs each script. */
const installation: Readonly<Record<CompletionShell, string>> = {
  bash: `${SETUP} completion bash > ~/.setup-completion.bash && echo '. ~/.setup-completion.bash' >> ~/.bashrc`,
  zsh: `${SETUP} completion zsh > ~/.setup-completion.zsh && echo '. ~/.setup-completion.zsh' >> ~/.zshrc`,
  fish: `${SETUP} completion fish > ~/.config/fish/conf.d/setup-completion.fish`,
  powershell: `${SETUP} completion powershell >> $PROFILE`,
};

/** Returns how each script is installed, for the help. */
export const installationHelp = (): string =>
  `Install it once\n${shells.map(shell => `  ${shell}\n    ${installation[shell].replace(' && ', ' &&\n      ')}`).join('\n')}\n`;

/**
 * Returns the script with which a shell completes commands of this program.
 *
 * At each press of Tab the script runs `completion -- WORDS`, as the scripts of cobra do, so the script does not have
 * to be installed again after an upgrade. The answer is one candidate in each line, with a tab before its purpose. The
 * last line is `:words`, or `:files` or `:directories` if the shell is to offer paths. If the program that printed the
 * script no longer exists, the script runs the program that the person has typed.
 */
export const completionScript = (shell: CompletionShell, own: OwnWords): string =>
  `# Completion of ${SETUP} in ${names[shell]}. Install it once:\n#   ${installation[shell]}\n\n${scripts[shell](own)}`;

const names: Readonly<Record<CompletionShell, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  powershell: 'PowerShell',
};

const fishQuoted = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const powershellQuoted = (word: string) => `'${word.replaceAll("'", "''")}'`;

/** Returns the line of a script that is needed only if the paths of this program are known. */
const ifOwn = (own: OwnWords, line: (runtime: string, launcher: string) => string): string => {
  const [runtime, launcher] = [own[0], own.at(-1)];
  return runtime === undefined || launcher === undefined || own.length < 2 ? '' : line(runtime, launcher);
};

const scripts: Readonly<Record<CompletionShell, (own: OwnWords) => string>> = {
  // This script needs bash 3.2, but not bash-completion. bash splits words at `=`; the program skips that sign.
  bash: own => `_platform_setup() {
  local start=1 IFS=$'\\n' program lines
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]##*/} == npx ]]; then
    while (( start < COMP_CWORD )) && [[ \${COMP_WORDS[start]} == -* ]]; do (( start += 1 )); done
    (( start < COMP_CWORD )) && [[ \${COMP_WORDS[start]} =~ ^(${programs.join('|')})$ ]] || return
    (( start += 1 ))
  fi
  program=("\${COMP_WORDS[@]:0:start}")
${ifOwn(own, (runtime, launcher) => `  [[ -x ${posixQuoted(runtime)} && -e ${posixQuoted(launcher)} ]] && program=(${own.map(posixQuoted).join(' ')})\n`)}\
  lines=($("\${program[@]}" completion -- "\${COMP_WORDS[@]:start:COMP_CWORD-start+1}" 2>/dev/null))
  (( \${#lines[@]} )) || return
  local cur=\${COMP_WORDS[COMP_CWORD]#=}
  case \${lines[\${#lines[@]}-1]} in
    :files) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null ;;
    :directories) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null ;;
    :words) unset "lines[\${#lines[@]}-1]"; COMPREPLY=("\${lines[@]%%$'\\t'*}") ;;
  esac
}

complete -F _platform_setup ${programs.join(' ')}
# Keep another completion of npx, if there is one.
complete -p npx >/dev/null 2>&1 || complete -o default -F _platform_setup npx
`,
  zsh: own => `_platform_setup() {
  local start=2
  local -a program lines
  if [[ \${words[1]:t} == npx ]]; then
    while (( start < CURRENT )) && [[ \${words[start]} == -* ]]; do (( start += 1 )); done
    (( start < CURRENT )) && [[ \${words[start]} == (${programs.join('|')}) ]] || { _default; return }
    (( start += 1 ))
  fi
  program=("\${(@)words[1,start-1]}")
${ifOwn(own, (runtime, launcher) => `  [[ -x ${posixQuoted(runtime)} && -e ${posixQuoted(launcher)} ]] && program=(${own.map(posixQuoted).join(' ')})\n`)}\
  lines=("\${(@f)$("\${(@)program}" completion -- "\${(@)words[start,CURRENT]}" 2>/dev/null)}")
  [[ \${words[CURRENT]} == --*=* && \${lines[-1]} != :words ]] && compset -P '*='
  case \${lines[-1]} in
    :files) _files ;;
    :directories) _files -/ ;;
    :words)
      # _describe takes word:purpose.
      lines=("\${(@)\${(@)lines[1,-2]//:/\\\\:}/$'\\t'/:}")
      (( $#lines )) && _describe -t words word lines ;;
  esac
}

(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _platform_setup ${programs.join(' ')}
# Keep another completion of npx, if there is one.
(( $+_comps[npx] )) || compdef _platform_setup npx
`,
  fish: own => `function __platform_setup
    set -l tokens (commandline -opc)
    set -l start 2
    if string match -q -r '(^|/)npx$' -- $tokens[1]
        while test $start -le (count $tokens); and string match -q -- '-*' $tokens[$start]
            set start (math $start + 1)
        end
        test $start -le (count $tokens); and contains -- $tokens[$start] ${programs.join(' ')}; or return
        set start (math $start + 1)
    end
    set -l program $tokens[1..(math $start - 1)]
${ifOwn(own, (runtime, launcher) => `    test -x ${fishQuoted(runtime)}; and test -e ${fishQuoted(launcher)}; and set program ${own.map(fishQuoted).join(' ')}\n`)}\
    set -l lines (command $program completion -- $tokens[$start..] (commandline -ct) 2>/dev/null)
    switch "$lines[-1]"
        case :files
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case :directories
            __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '')
        case :words
            set -e lines[-1]
            test (count $lines) -gt 0; and printf '%s\\n' $lines
    end
end

${programs.map(program => `complete -c ${program} -f -a '(__platform_setup)'`).join('\n')}
complete -c npx -a '(__platform_setup)'
`,
  powershell: own => `Register-ArgumentCompleter -Native -CommandName ${[...programs, 'npx'].join(', ')} -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $start = 1
    if ($typed[0] -match '(^|[\\\\/])npx(\\.cmd)?$') {
        while ($start -lt $typed.Count -and $typed[$start].StartsWith('-')) { $start += 1 }
        if ($start -ge $typed.Count -or $typed[$start] -notmatch '^(${programs.join('|')})$') { return }
        $start += 1
    }
    $program = @($typed | Select-Object -First $start)
${ifOwn(own, (runtime, launcher) => `    if ((Test-Path -LiteralPath ${powershellQuoted(runtime)}) -and (Test-Path -LiteralPath ${powershellQuoted(launcher)})) { $program = @(${own.map(powershellQuoted).join(', ')}) }\n`)}\
    # Windows PowerShell drops an empty argument, so it is written as two quotes.
    $cursor = if ($wordToComplete) { "$wordToComplete" } else { '""' }
    $words = @($program | Select-Object -Skip 1) + @('completion', '--') + @($typed | Select-Object -Skip $start) + @($cursor)
    $lines = @(& $program[0] @words 2>$null)
    # PowerShell offers files and directories by itself.
    if ($lines.Count -lt 2 -or $lines[-1] -ne ':words') { return }
    $lines | Select-Object -SkipLast 1 | ForEach-Object {
        $word, $about = $_ -split "\`t", 2
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $(if ($about) { $about } else { $word }))
    }
}
`,
};
