import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** The material of a case. */
export type Scene = {
  /** The repository, which is the working directory. */
  readonly project: string;
  readonly home: string;
  /** A shell script that leaves a mark when it is run. */
  readonly evil: string;
  /** The same as a Node module. */
  readonly evilModule: string;
  put(path: string, text: string, mode?: number): void;
  /** Creates a link in the repository, relative to it. */
  link(to: string, path: string): void;
};

export const sceneIn = (project: string, home: string, mark: string): Scene => {
  const put: Scene['put'] = (path, text, mode = 0o644) => {
    const file = join(project, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text, {mode});
  };
  return {
    ...{project, home, put},
    evil: `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 0\n`,
    evilModule: `require('fs').appendFileSync(${JSON.stringify(mark)}, process.argv.join(' ') + '\\n');\n`,
    link: (to, path) => {
      mkdirSync(dirname(join(project, path)), {recursive: true});
      symlinkSync(to, join(project, path));
    },
  };
};

const git = (project: string, ...args: readonly string[]) =>
  execFileSync('git', ['-C', project, ...args], {
    env: {PATH: process.env.PATH, HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1'},
  });

const programs = ['npm', 'npx', 'node', 'git', 'kubectl', 'helm', 'xdg-open', 'lsof', 'ps', 'claude', 'code', 'setup'];

type Row = {
  readonly name: string;
  plant(scene: Scene): void;
  /** The commands of `commands.ts` that each run tries. The others are tried only if tables run whole. */
  readonly always: readonly string[];
};

/**
 * Hostile repositories, by their contents. Whatever command runs there, it runs nothing of the repository and writes
 * nothing outside of it.
 */
export const repositories: readonly Row[] = [
  {
    name: 'a registry and packages of its own',
    plant: ({put, evil, evilModule}) => {
      put('.npmrc', 'registry=http://127.0.0.1:1/\nscript-shell=./evil.sh\nnode-options=--require ./evil.cjs\n');
      put('package.json', '{"name":"x","bin":{"setup":"evil.cjs"},"scripts":{"preinstall":"./evil.sh"}}');
      put('evil.sh', evil, 0o755);
      put('evil.cjs', evilModule);
      put('node_modules/platform-setup/package.json', '{"name":"platform-setup","version":"9.9.9","bin":"evil.cjs"}');
      put('node_modules/platform-setup/evil.cjs', `#!/usr/bin/env node\n${evilModule}`, 0o755);
      for (const name of programs) put(`node_modules/.bin/${name}`, evil, 0o755);
    },
    always: ['upgrade'],
  },
  {
    name: 'settings of runtimes, shells and version managers',
    plant: ({put, evil, evilModule}) => {
      put('bunfig.toml', 'preload = ["./evil.cjs"]\n');
      put('.env', 'NODE_OPTIONS=--require ./evil.cjs\nBASH_ENV=./evil.sh\nPATH=.\n');
      put('.envrc', './evil.sh\n');
      put('.yarnrc.yml', 'yarnPath: ./evil.cjs\n');
      put('.tool-versions', 'nodejs path:.\n');
      put('deno.json', '{"imports":{"node:fs":"./evil.cjs"}}');
      put('tsconfig.json', '{"compilerOptions":{"paths":{"*":["./evil.cjs"]}}}');
      put('kubeconfig', 'users: [{name: x, user: {exec: {command: ./evil.sh}}}]\n');
      put('evil.sh', evil, 0o755);
      put('evil.cjs', evilModule);
    },
    always: ['doctor'],
  },
  {
    name: 'programs of known names in its root',
    plant: ({put, evil}) => {
      for (const name of programs) put(name, evil, 0o755);
    },
    always: ['wizard'],
  },
  {
    name: 'files of assistants that are links to the person’s',
    plant: ({link, home}) => {
      link(join(home, '.ssh/rc'), '.mcp.json');
      link(join(home, '.ssh/rc'), 'mcp.json');
      link(join(home, '.ssh'), '.cursor');
      link(join(home, '.bashrc'), '.vscode/mcp.json');
      link(join(home, '.ssh/rc'), '.codex/config.toml');
    },
    always: ['mcp connect, headers', 'wizard', 'mcp disconnect', 'undo', 'uninstall'],
  },
  {
    name: 'links that lead to nothing yet',
    plant: ({link, home}) => {
      link(join(home, '.ssh/authorized_keys'), '.mcp.json');
      link('../.ssh/authorized_keys', 'mcp.json');
      link('../.config/autostart', '.cursor');
      link(join(home, '.new'), '.vscode');
      link('../.ssh/../.ssh/new.toml', '.codex/config.toml');
    },
    always: ['mcp connect'],
  },
  {
    name: 'an ignore file below a name that is a command',
    plant: ({project, home, put, link}) => {
      git(project, 'init', '-q');
      put('d/$(touch executed)', '{}');
      link('d/$(touch executed)', 'mcp.json');
      link('d/$(touch executed)', '.mcp.json');
      link(join(home, '.bashrc'), 'd/.gitignore');
      link(join(home, '.bashrc'), '.cursor/.gitignore');
    },
    always: ['wizard', 'mcp connect, headers'],
  },
  {
    name: 'an ignore file that is a link',
    plant: ({project, home, link}) => {
      git(project, 'init', '-q');
      link(join(home, '.bashrc'), '.gitignore');
    },
    always: ['wizard'],
  },
  {
    name: 'git that runs what it is configured to',
    plant: ({project, put, evil}) => {
      git(project, 'init', '-q');
      put('evil.sh', evil, 0o755);
      for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.editor', 'diff.external'])
        git(project, 'config', key, join(project, 'evil.sh'));
      git(project, 'config', 'core.hooksPath', project);
      put('post-index-change', evil, 0o755);
      put('.gitattributes', '* filter=evil diff=evil\n');
      git(project, 'config', 'filter.evil.clean', './evil.sh');
    },
    always: ['mcp connect, headers'],
  },
  {
    name: 'keys that are the prototype of all objects',
    plant: ({put, evilModule, project}) => {
      const options = `--require ${join(project, 'evil.cjs')}`;
      put('evil.cjs', evilModule);
      const table = `NODE_OPTIONS = "${options}"\nshell = "${join(project, 'evil.cjs')}"\n`;
      put(
        '.codex/config.toml',
        `[__proto__]\n${table}\n[mcp_servers.__proto__]\n${table}\n[mcp_servers.a.__proto__]\n${table}`,
      );
      const json = `{"__proto__":{"NODE_OPTIONS":"${options}"},"mcpServers":{"__proto__":{"NODE_OPTIONS":"${options}"}}}`;
      for (const path of ['.mcp.json', 'mcp.json', '.cursor/mcp.json', '.vscode/mcp.json']) put(path, json);
      put(
        '.claude/settings.json',
        `{"__proto__":{"NODE_OPTIONS":"${options}"},"enabledMcpjsonServers":{"__proto__":1}}`,
      );
    },
    always: ['doctor', 'mcp connect'],
  },
  {
    name: 'files that no parser can take',
    plant: ({put}) => {
      put('.mcp.json', `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
      put('.cursor/mcp.json', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
      put('.codex/config.toml', `a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`);
      put('mcp.json', '\u0000\u0001\ufffe');
    },
    always: ['mcp connect', 'doctor'],
  },
  {
    name: 'files that are none',
    plant: ({project, put}) => {
      put('.vscode/x', '');
      for (const name of ['.mcp.json', 'mcp.json', '.vscode/mcp.json']) execFileSync('mkfifo', [join(project, name)]);
      mkdirSync(join(project, '.cursor/mcp.json'), {recursive: true});
    },
    always: ['mcp connect'],
  },
];
