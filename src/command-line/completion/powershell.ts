import {SETUP} from '../../setup-command.ts';
import {groupsIn, type Offered, type OfferedCommand, wordsAfter} from '../completion-model.ts';
import {CONTEXT_NAMES, installation, type OwnWords, pathsOf, programs} from '../shells.ts';
import {valued} from './bash.ts';

/** Returns the script with which PowerShell completes commands of this program. */
export const powershellScript = (
  model: readonly OfferedCommand[],
  own: OwnWords = [],
): string => `# Completion of ${SETUP} in PowerShell. Once:
#   ${installation.powershell}

Register-ArgumentCompleter -Native -CommandName ${[...programs, 'npx'].join(', ')} -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = @{
${[[], ...groupsIn(model).map(group => [group])].map(before => `        '${before.join(' ')}' = ${table(wordsAfter(model, before))}`).join('\n')}
    }
    $flags = @{
${model.map(({words, flags}) => `        '${words.join(' ')}' = ${table(flags.map(({name, help}) => [`--${name}`, help]))}`).join('\n')}
    }
    $values = @{
${model.flatMap(({words, flags}) => flags.flatMap(({name, value}) => (value && isOffered(value) ? [`        '${[...words, `--${name}`].join(' ')}' = ${listOf(value)}`] : []))).join('\n')}
    }
    $arguments = @{
${model.flatMap(({words, args, repeats}) => args.flatMap((offered, index) => (isOffered(offered) ? [`        '${words.join(' ')}:${repeats ? '*' : index}' = ${listOf(offered)}`] : []))).join('\n')}
    }
    $valued = @(${valued(model)
      .map(name => `'${name}'`)
      .join(', ')})
    $groups = @(${groupsIn(model)
      .map(group => `'${group}'`)
      .join(', ')})
    $said = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $start = 1
    if ($said[0] -match '(^|[\\\\/])npx(\\.cmd)?$') {
        while ($start -lt $said.Count -and $said[$start].StartsWith('-')) { $start += 1 }
        if ($start -ge $said.Count -or $said[$start] -notmatch '^(${programs.join('|')})$') { return }
        $start += 1
    }
    $first = ''; $second = ''; $flag = ''; $count = 0
    for ($at = $start; $at -lt $said.Count; $at += 1) {
        $word = $said[$at]
        if ($flag) { $flag = '' }
        elseif ($word.StartsWith('-')) { if ($valued -contains $word) { $flag = $word } }
        elseif (-not $first -or $first -eq 'help') { $first = $word }
        elseif (-not $second -and $groups -contains $first) { $second = $word }
        else { $count += 1 }
    }
    $called = (@($first, $second) | Where-Object { $_ }) -join ' '
    $typed = $wordToComplete
    $before = ''
    if ($flag) { $offered = $values[(@($called, $flag) | Where-Object { $_ }) -join ' '] }
    elseif ($typed.StartsWith('-')) { $offered = $flags[$called] }
    elseif ($count -eq 0 -and ($commands.ContainsKey($called) -or $called -eq 'help')) {
        $offered = $commands[$(if ($called -eq 'help') { '' } else { $called })]
    }
    elseif ($arguments.ContainsKey("\${called}:*")) { $offered = $arguments["\${called}:*"] }
    else { $offered = $arguments["\${called}:$count"] }
    if ($offered -is [string] -and $offered -eq 'context') {
        $program = $said[0]
        $rest = @($said[1..($start - 1)] | Where-Object { $start -gt 1 }) + @('completion', '${CONTEXT_NAMES}')
${ifOwn(own)}        $offered = [ordered]@{}
        & $program @rest 2>$null | ForEach-Object { $offered[$_] = $_ }
    }
    if ($offered -isnot [System.Collections.IDictionary]) { return }
    if ($typed -match '^(.*,)([^,]*)$') { $before = $Matches[1]; $typed = $Matches[2] }
    $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($typed) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new("$before$($_.Key)", $_.Key, 'ParameterValue', $_.Value)
    }
}
`;

/** PowerShell offers files and directories by itself. */
const isOffered = ({words, kind}: Offered) => words.length > 0 || kind === 'context';

const listOf = ({words, kind}: Offered): string =>
  kind === 'context' ? `'context'` : table(words.map(word => [word, word]));

const table = (rows: readonly (readonly [string, string])[]): string =>
  `[ordered]@{${rows.map(([key, about]) => `'${key}' = '${about.replaceAll("'", "''") || key}'`).join('; ')}}`;

/** Returns the line that makes the script call this program by its path, if it still exists, for names of contexts. */
const ifOwn = (own: OwnWords): string => {
  const paths = pathsOf(own);
  if (!paths) return '';
  const word = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const there = paths.map(path => `(Test-Path -LiteralPath ${word(path)})`).join(' -and ');
  const [runtime = '', ...rest] = own.map(word);
  return `        if (${there}) { $program = ${runtime}; $rest = @(${[...rest, "'completion'", word(CONTEXT_NAMES)].join(', ')}) }\n`;
};
