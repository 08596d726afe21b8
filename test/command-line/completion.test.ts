import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {bashScript} from '../../src/command-line/completion/bash.ts';
import {fishScript} from '../../src/command-line/completion/fish.ts';
import {powershellScript} from '../../src/command-line/completion/powershell.ts';
import {zshScript} from '../../src/command-line/completion/zsh.ts';
import {completionModel} from '../../src/command-line/completion-model.ts';
import {openTerminal} from '../support/terminal/terminal.ts';

const model = completionModel(commands);

const isHere = (program: string) => spawnSync(program, ['-c', 'exit 0']).status === 0;

/** Creates a directory with the script, and with a program of the expected name that prints two contexts. */
const withScript = (text: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-setup-completion-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  const path = join(directory, 'script');
  writeFileSync(path, text);
  const said = '#!/bin/sh\n[ "$*" = "completion contexts" ] && printf "acme\\nbeta\\n"\n';
  const byNpx = '#!/bin/sh\ncase "$*" in *"setup completion contexts") printf "acme\\nbeta\\n" ;; esac\n';
  for (const [name, body] of [
    ['setup', said],
    ['npx', byNpx],
  ] as const) {
    writeFileSync(join(directory, name), body);
    chmodSync(join(directory, name), 0o755);
  }
  writeFileSync(join(directory, 'values.yaml'), '');
  return {path, directory};
};

/** Creates a runtime and a launcher in a directory whose name needs quoting. Together they print one more context. */
const withOwn = () => {
  const directory = mkdtempSync(join(tmpdir(), "platform-setup it's own-"));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  const [runtime, launcher] = [join(directory, 'runtime'), join(directory, 'setup.js')];
  writeFileSync(
    runtime,
    '#!/bin/sh\n[ "$(basename "$1") $2 $3" = "setup.js completion contexts" ] && printf "own\\n"\n',
  );
  chmodSync(runtime, 0o755);
  writeFileSync(launcher, '');
  return {words: [runtime, launcher], remove: () => rmSync(launcher)};
};

/** The typed line, and the completions for the word at the cursor. */
const cases: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['setup st', ['status']],
  ['setup mcp ', ['connect', 'list', 'disconnect', 'tools', 'call', 'serve']],
  ['setup mcp dis', ['disconnect']],
  ['setup help mcp con', ['connect']],
  ['setup help sta', ['status']],
  ['setup logout --ev', ['--everywhere']],
  ['setup --layout ', ['auto', 'single', 'multi']],
  ['setup mcp connect --method h', ['helper', 'header']],
  ['setup --context b', ['beta']],
  ['setup --layout multi status --context a', ['acme']],
  ['setup context use ', ['acme', 'beta']],
  ['setup mcp connect cursor cod', ['codex-cli', 'code-server']],
  ['setup mcp tools obs', ['observability']],
  ['setup mcp call control-plane ', []],
  ['setup completion z', ['zsh']],
  ['setup component list --project ', []],
  ['npx setup st', ['status']],
  ['npx -y setup mcp connect --context a', ['acme']],
];

const sorted = (words: readonly string[]) => words.toSorted();

describe.skipIf(!isHere('bash'))(`bash${isHere('bash') ? '' : ' (left out: it is not installed)'}`, () => {
  /** Returns bash's COMPREPLY for a line, which is split into words as bash does it. */
  const complete = (line: string, own: readonly string[] = []) => {
    const {path, directory} = withScript(bashScript(model, own));
    const words = line.split(' ').flatMap(word => (word.includes('=') ? word.split(/(=)/) : [word]));
    const script = `. "$1"; shift; PATH="$1:$PATH"; cd "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _platform_setup; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['--norc', '--noprofile', '-uc', script, 'bash', path, directory, ...words], {
      encoding: 'utf8',
    });
    return said.split('\n').filter(Boolean);
  };

  test.each(cases)('%s', (typed, offered) => {
    expect(sorted(complete(typed))).toEqual(sorted(offered));
  });

  test('the program that made it is asked for the names, and once that is gone the one that is called', () => {
    const {words, remove} = withOwn();
    expect(complete('npx setup --context ', words)).toEqual(['own']);
    remove();
    expect(complete('npx setup --context ', words)).toEqual(['acme', 'beta']);
  });

  test('a value behind a sign, a list, and a file', () => {
    expect(complete('setup --layout=m')).toEqual(['multi']);
    expect(complete('setup --layout=')).toEqual(['auto', 'single', 'multi']);
    expect(complete('setup --assistants cursor,cod')).toEqual(['cursor,codex-cli', 'cursor,code-server']);
    expect(complete('setup sandbox --values val')).toEqual(['values.yaml']);
    expect(complete('npx vitest st')).toEqual([]);
  });

  test('is registered, and leaves a completion of npx that is there', () => {
    const {path} = withScript(bashScript(model));
    const registered = (before: string) =>
      execFileSync('bash', ['--norc', '-c', `${before}; . "$1"; complete -p setup platform-setup npx`, 'bash', path], {
        encoding: 'utf8',
      });
    expect(registered(':')).toMatch(
      /-F _platform_setup setup\n.*-F _platform_setup platform-setup\n.*_platform_setup npx/s,
    );
    expect(registered('complete -W own npx')).toContain("complete -W 'own' npx");
  });

  test('knows every command, and every flag of each', () => {
    for (const {words, flags} of commands) {
      const before = words.length === 0 ? 'setup' : `setup ${words.join(' ')}`;
      expect(sorted(complete(`${before} --`))).toEqual(sorted(flags.map(name => `--${name}`)));
    }
  });
});

describe.skipIf(!isHere('fish'))(`fish${isHere('fish') ? '' : ' (left out: it is not installed)'}`, () => {
  const complete = (line: string, own: readonly string[] = []) => {
    const {path, directory} = withScript(fishScript(model, own));
    const script = 'source $argv[1]; set -x PATH $argv[2] $PATH; cd $argv[2]; complete -C $argv[3]';
    const env = {...process.env, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory};
    const said = execFileSync('fish', ['--no-config', '-c', script, path, directory, line], {encoding: 'utf8', env});
    return said
      .split('\n')
      .filter(Boolean)
      .map(row => row.split('\t')[0] ?? '');
  };

  test.each(cases.filter(([typed]) => !typed.startsWith('npx')))('%s', (typed, offered) => {
    expect(sorted(complete(typed))).toEqual(sorted(offered));
  });

  test('the program that made it is asked for the names, and once that is gone the one that is called', () => {
    const {words, remove} = withOwn();
    expect(complete('setup --context ', words)).toEqual(['own']);
    remove();
    expect(sorted(complete('setup --context ', words))).toEqual(['acme', 'beta']);
  });

  test('a value behind a sign, a list, a file, and npx', () => {
    expect(complete('setup --layout=m')).toEqual(['--layout=multi']);
    expect(sorted(complete('setup --assistants cursor,cod'))).toEqual(['cursor,code-server', 'cursor,codex-cli']);
    expect(complete('setup sandbox --values val')).toEqual(['values.yaml']);
    expect(complete('npx setup statu')).toContain('status');
    expect(complete('npx setup --context b')).toContain('beta');
    expect(complete('npx vitest statu')).not.toContain('status');
  });
});

describe.skipIf(!isHere('zsh'))(`zsh${isHere('zsh') ? '' : ' (left out: it is not installed)'}`, () => {
  test('its syntax is right', () => {
    const {path} = withScript(zshScript(model, withOwn().words));
    expect(spawnSync('zsh', ['-fn', path], {encoding: 'utf8'})).toMatchObject({status: 0, stderr: ''});
  });

  test('completes what is typed', async () => {
    const {path, directory} = withScript(zshScript(model));
    const terminal = openTerminal('zsh', ['-f'], {
      env: {HOME: directory, PATH: `${directory}:${process.env.PATH}`, PS1: '> ', TERM: 'xterm'},
      columns: 100,
      rows: 40,
      cwd: directory,
    });
    onTestFinished(() => terminal.close());
    terminal.press(
      `autoload -Uz compinit && compinit -D -u; . ${path}; zstyle ':completion:*' insert-tab false; echo rea''dy\r`,
    );
    await terminal.waitFor(/^ready/m);
    const shows = async (typed: string, expected: RegExp) => {
      // Empties the line, and presses the key once the whole line is typed.
      terminal.press('\u0015');
      await terminal.waitFor(/^> *$(?!.*^>)/ms);
      terminal.press(typed);
      await terminal.waitFor(new RegExp(`^> ${typed.trimEnd()} *$(?!.*^>)`, 'ms'));
      terminal.press('\t');
      await terminal.waitFor(expected);
    };
    await shows('setup stat', /^> setup status *$/m);
    await shows('setup mcp disc', /> setup mcp disconnect/);
    await shows('setup help mcp disc', /> setup help mcp disconnect/);
    await shows('setup mcp ', /connect +-- Enter the MCP servers|connect .*disconnect/s);
    await shows('setup --layout mu', /> setup --layout multi/);
    await shows('setup --layout=mu', /> setup --layout=multi/);
    await shows('setup context use b', /> setup context use beta/);
    await shows('setup logout --ev', /> setup logout --everywhere/);
    await shows('npx setup sandb', /> npx setup sandbox/);
  }, 30_000);
});

const pwsh = spawnSync('pwsh', ['-Version']).status === 0;

describe('powershell', () => {
  test('has a table of every command', () => {
    const script = powershellScript(model);
    for (const {words} of commands) expect(script).toContain(`        '${words.join(' ')}' = [ordered]@{'--`);
    expect(script).toContain("'--layout' = [ordered]@{'auto' = 'auto'");
    // Every quoted text ends on its own line.
    for (const line of script.split('\n')) expect((line.match(/'/g) ?? []).length % 2, line).toBe(0);
  });

  test.skipIf(!pwsh)(`completes what is typed${pwsh ? '' : ' (left out: pwsh is not installed)'}`, () => {
    const {path, directory} = withScript(powershellScript(model));
    const complete = (line: string) => {
      const script = `. ([scriptblock]::Create((Get-Content -Raw '${path}'))); (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
      const env = {...process.env, PATH: `${directory}:${process.env.PATH}`};
      return execFileSync('pwsh', ['-NoProfile', '-Command', script], {encoding: 'utf8', env})
        .split('\n')
        .filter(Boolean);
    };
    for (const [typed, offered] of cases.filter(([, some]) => some.length > 0))
      expect(sorted(complete(typed)), typed).toEqual(sorted(offered));
  });
});
