import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type CompletionShell, completionScript} from '../../src/command-line/completion-scripts.ts';
import {posixQuoted} from '../../src/shell-quoting.ts';
import {contextAt} from '../support/context.ts';
import {openTerminal} from '../support/terminal/terminal.ts';

const isHere = (program: string) => spawnSync(program, ['-c', 'exit 0']).status === 0;
const leftOut = (program: string) => (isHere(program) ? '' : ' (left out: it is not installed)');

const LAUNCHER = join(import.meta.dirname, '../../bin/setup.js');

/**
 * Writes a script, two saved deployments, and `setup` and `npx` on the search path, which start this program.
 *
 * @param own what the script knows of the program that printed it
 */
const installed = (shell: CompletionShell, own: readonly string[] = []) => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-setup-completion-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  const setupHome = join(directory, 'home');
  mkdirSync(setupHome, {mode: 0o700});
  const contexts = ['acme', 'beta'].map(name => ({...contextAt('http://127.0.0.1:1'), name}));
  writeFileSync(join(setupHome, 'config.json'), JSON.stringify({version: 1, currentContext: 'acme', contexts}), {
    mode: 0o600,
  });
  const start = `exec ${[process.execPath, LAUNCHER].map(posixQuoted).join(' ')} "$@"\n`;
  const skip = 'while [ "$1" != setup ]; do shift; done; shift\n';
  for (const [name, body] of [
    ['setup', start],
    ['npx', `${skip}${start}`],
  ] as const) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${body}`);
    chmodSync(join(directory, name), 0o755);
  }
  writeFileSync(join(directory, 'values.yaml'), '');
  const path = join(directory, 'script');
  writeFileSync(path, completionScript(shell, own));
  const env = {
    HOME: directory,
    SETUP_HOME: setupHome,
    XDG_CONFIG_HOME: directory,
    XDG_DATA_HOME: directory,
    PATH: `${directory}:${process.env.PATH}`,
    TERM: 'xterm',
  };
  return {path, directory, env};
};

/** Creates a runtime and a launcher in a directory whose name needs quoting. The runtime answers with one word. */
const ownProgram = () => {
  const directory = mkdtempSync(join(tmpdir(), "platform-setup it's own-"));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  const [runtime, launcher] = [join(directory, 'runtime'), join(directory, 'setup.js')];
  writeFileSync(runtime, '#!/bin/sh\n[ "$2 $3" = "completion --" ] && printf "own\\tIts purpose\\n:words\\n"\n');
  chmodSync(runtime, 0o755);
  writeFileSync(launcher, '');
  return {words: [runtime, launcher], remove: () => rmSync(launcher)};
};

/** The typed line, and the completions for the word at the cursor. */
const cases: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['setup mcp ', ['connect', 'list', 'disconnect', 'tools', 'call', 'serve']],
  ['setup logout --ev', ['--everywhere']],
  ['setup --layout multi status --context a', ['acme']],
  ['setup context use ', ['acme', 'beta']],
  ['setup --assistants cursor,cod', ['cursor,codex-cli', 'cursor,code-server']],
  ['setup sandbox --values val', ['values.yaml']],
  ['setup component list --project ', []],
  ['npx -y setup mcp connect --context a', ['acme']],
];

const sorted = (words: readonly string[]) => words.toSorted();

describe.skipIf(!isHere('bash'))(`bash${leftOut('bash')}`, () => {
  /** Returns bash's COMPREPLY for a line, which is split into words as bash does it. */
  const complete = (line: string, own: readonly string[] = []) => {
    const {path, directory, env} = installed('bash', own);
    const words = line.split(' ').flatMap(word => (word.includes('=') ? word.split(/(=)/) : [word]));
    const script = `. "$1"; shift; cd "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _platform_setup; (( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"; true`;
    return execFileSync('bash', ['--norc', '--noprofile', '-uc', script, 'bash', path, directory, ...words], {
      encoding: 'utf8',
      env,
    })
      .split('\n')
      .filter(Boolean);
  };

  test.each([...cases, ['setup --layout=m', ['multi']] as const])('%s', (typed, offered) => {
    expect(sorted(complete(typed))).toEqual(sorted(offered));
  });

  test('runs the program that printed the script, or the typed one if that no longer exists', () => {
    const {words, remove} = ownProgram();
    expect(complete('npx setup --context ', words)).toEqual(['own']);
    remove();
    expect(complete('npx setup --context ', words)).toEqual(['acme', 'beta']);
  });

  test('offers nothing for another program of npx', () => {
    expect(complete('npx vitest st')).toEqual([]);
  });

  test('keeps another completion of npx', () => {
    const {path, env} = installed('bash');
    const registered = (before: string) =>
      execFileSync('bash', ['--norc', '-c', `${before}; . "$1"; complete -p setup platform-setup npx`, 'bash', path], {
        encoding: 'utf8',
        env,
      });
    expect(registered(':')).toMatch(
      /-F _platform_setup setup\n.*-F _platform_setup platform-setup\n.*_platform_setup npx/s,
    );
    expect(registered('complete -W own npx')).toContain("complete -W 'own' npx");
  });
});

describe.skipIf(!isHere('fish'))(`fish${leftOut('fish')}`, () => {
  const complete = (line: string, own: readonly string[] = []) => {
    const {path, directory, env} = installed('fish', own);
    const script = 'source $argv[1]; cd $argv[2]; complete -C $argv[3]';
    return execFileSync('fish', ['--no-config', '-c', script, path, directory, line], {encoding: 'utf8', env})
      .split('\n')
      .filter(Boolean)
      .map(row => row.split('\t')[0] ?? '');
  };

  test.each(cases.filter(([typed]) => !typed.startsWith('npx')))('%s', (typed, offered) => {
    expect(sorted(complete(typed))).toEqual(sorted(offered));
  });

  test('runs the program that printed the script, or the typed one if that no longer exists', () => {
    const {words, remove} = ownProgram();
    expect(complete('setup --context ', words)).toEqual(['own']);
    remove();
    expect(sorted(complete('setup --context ', words))).toEqual(['acme', 'beta']);
  });

  test('completes a value after the sign, and after npx', () => {
    expect(complete('setup --layout=m')).toEqual(['--layout=multi']);
    expect(complete('npx setup statu')).toContain('status');
    expect(complete('npx vitest statu')).not.toContain('status');
  });
});

describe.skipIf(!isHere('zsh'))(`zsh${leftOut('zsh')}`, () => {
  test('its syntax is right', () => {
    const {path} = installed('zsh', ownProgram().words);
    expect(spawnSync('zsh', ['-fn', path], {encoding: 'utf8'})).toMatchObject({status: 0, stderr: ''});
  });

  test('completes what is typed', async () => {
    const {path, directory, env} = installed('zsh');
    const terminal = openTerminal('zsh', ['-f'], {
      env: {...env, PS1: '> '},
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
    await shows('setup help mcp disc', /> setup help mcp disconnect/);
    await shows('setup mcp ', /connect +-- Enter the MCP servers|connect .*disconnect/s);
    await shows('setup --layout=mu', /> setup --layout=multi/);
    await shows('setup context use b', /> setup context use beta/);
    await shows('setup sandbox --values val', /> setup sandbox --values values.yaml/);
    await shows('npx setup sandb', /> npx setup sandbox/);
  }, 30_000);
});

const pwsh = spawnSync('pwsh', ['-Version']).status === 0;

describe('powershell', () => {
  test('every quoted text ends on its own line', () => {
    for (const line of completionScript('powershell', ownProgram().words).split('\n'))
      expect((line.match(/'/g) ?? []).length % 2, line).toBe(0);
  });

  test.skipIf(!pwsh)(`completes what is typed${pwsh ? '' : ' (left out: pwsh is not installed)'}`, () => {
    const {path, env} = installed('powershell');
    const complete = (line: string) => {
      const script = `. ([scriptblock]::Create((Get-Content -Raw '${path}'))); (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
      return execFileSync('pwsh', ['-NoProfile', '-Command', script], {encoding: 'utf8', env})
        .split('\n')
        .filter(Boolean);
    };
    const ours = cases.filter(([typed, some]) => some.length > 0 && !typed.includes('--values'));
    for (const [typed, offered] of ours) expect(sorted(complete(typed)), typed).toEqual(sorted(offered));
  });
});
