import {describe, expect, test} from 'vitest';
import type {Assistant} from '../../src/assistants/assistant.ts';
import {amp} from '../../src/assistants/catalogue/amp.ts';
import {claudeCode} from '../../src/assistants/catalogue/claude-code.ts';
import {codexCli} from '../../src/assistants/catalogue/codex-cli.ts';
import {copilotCli} from '../../src/assistants/catalogue/copilot-cli.ts';
import {geminiCli} from '../../src/assistants/catalogue/gemini-cli.ts';
import {grokBuild} from '../../src/assistants/catalogue/grok-build.ts';
import {mistralVibe} from '../../src/assistants/catalogue/mistral-vibe.ts';
import {qwenCode} from '../../src/assistants/catalogue/qwen-code.ts';
import {parseValues} from '../../src/assistants/editors/parse-values.ts';
import type {TrustQuestion, TrustState} from '../../src/assistants/trust.ts';

const question: TrustQuestion = {
  place: {home: '/home/ann', project: '/elsewhere', system: 'linux', env: {}},
  folder: '/work/shop/api',
  names: ['acme-control-plane', 'acme-observability'],
  method: 'bridge',
};

/** Returns how a client stands with these texts of its files. All other files are absent. */
const standing = (client: Assistant, texts: Readonly<Record<string, string>>, more: Partial<TrustQuestion> = {}) => {
  const {trust} = client;
  if (!trust) throw new Error(`Nothing is known of whom ${client.name} trusts.`);
  const asked = {...question, ...more};
  const files = trust.files(asked);
  expect(Object.keys(texts).filter(path => !files.includes(path))).toEqual([]);
  const values = files.map(path => {
    const text = texts[path];
    return text === undefined ? undefined : parseValues(text, trust.language);
  });
  return trust.standing(values, asked);
};

/** The title, the texts of files, and the expected standing, with another question if it matters. */
type Row = readonly [string, Readonly<Record<string, string>>, TrustState, Partial<TrustQuestion>?];

const rows = (...all: readonly Row[]) =>
  all.map(([said, texts, expected, more = {}]) => ({said, texts, expected, more}));

const both = '"acme-control-plane","acme-observability"';

test('a folder is known in whichever capitals and slashes Windows has its name', () => {
  const {trust} = claudeCode;
  const place = {home: 'C:\\Users\\ann', project: 'D:\\', system: 'win32', env: {}} as const;
  const approved = {hasTrustDialogAccepted: true, enabledMcpjsonServers: question.names};
  const on = (folder: string) =>
    trust?.standing([{projects: {'C:/Work/Shop': approved}}], {...question, place, folder});
  expect(on('c:\\work\\shop')).toBe('trusted');
  expect(on('c:\\work\\shop2')).toBe('untrusted');
});

describe('Claude Code', () => {
  const state = '/home/ann/.claude.json';
  const own = '/home/ann/.claude/settings.json';
  const local = '/work/shop/api/.claude/settings.local.json';
  const of = (project: string) => `{"projects": {"/work/shop/api": ${project}}}`;
  const trusted = of('{"hasTrustDialogAccepted": true}');
  test.each(
    rows(
      ['nothing is said', {}, 'untrusted'],
      ['its file does not parse', {[state]: '{'}, 'untrusted'],
      ['the folder is trusted', {[state]: trusted}, 'unapproved'],
      [
        'and both are approved',
        {[state]: of(`{"hasTrustDialogAccepted": true, "enabledMcpjsonServers": [${both}]}`)},
        'trusted',
      ],
      [
        'and one is approved',
        {[state]: of('{"hasTrustDialogAccepted": true, "enabledMcpjsonServers": ["acme-control-plane"]}')},
        'unapproved',
      ],
      ['approved without trust', {[state]: of(`{"enabledMcpjsonServers": [${both}]}`)}, 'untrusted'],
      [
        'the folder above is trusted',
        {[state]: '{"projects": {"/work/shop": {"hasTrustDialogAccepted": true}}}'},
        'untrusted',
      ],
      ['approved in the project', {[state]: trusted, [local]: `{"enabledMcpjsonServers": [${both}]}`}, 'trusted'],
      [
        'all are approved in the project',
        {[state]: trusted, [local]: '{"enableAllProjectMcpServers": true}'},
        'trusted',
      ],
      [
        'all are approved in the project, without trust',
        {[local]: '{"enableAllProjectMcpServers": true}'},
        'untrusted',
      ],
      ['all are approved everywhere', {[own]: '{"enableAllProjectMcpServers": true}'}, 'trusted'],
      [
        'a helper does not run for that',
        {[own]: '{"enableAllProjectMcpServers": true}'},
        'untrusted',
        {method: 'helper'},
      ],
      [
        'one is refused',
        {
          [state]: of('{"hasTrustDialogAccepted": true, "disabledMcpjsonServers": ["acme-observability"]}'),
          [own]: '{"enableAllProjectMcpServers": true}',
        },
        'refused',
      ],
    ),
  )('$said', ({texts, expected, more}) => {
    expect(standing(claudeCode, texts, more)).toBe(expected);
  });
});

describe('Codex', () => {
  const config = '/home/ann/.codex/config.toml';
  const of = (path: string, level: string) => ({[config]: `[projects."${path}"]\ntrust_level = "${level}"\n`});
  test.each(
    rows(
      ['nothing is said', {}, 'untrusted'],
      ['the folder is trusted', of('/work/shop/api', 'trusted'), 'trusted'],
      ['the folder is not', of('/work/shop/api', 'untrusted'), 'refused'],
      ['a folder above is trusted', of('/work/shop', 'trusted'), 'untrusted'],
      ['the repository is trusted', of('/work/shop', 'trusted'), 'trusted', {repository: '/work/shop'}],
    ),
  )('$said', ({texts, expected, more}) => {
    expect(standing(codexCli, texts, more)).toBe(expected);
  });
});

describe('GitHub Copilot', () => {
  const config = '/home/ann/.copilot/config.json';
  const env = {COPILOT_ALLOW_ALL: 'true'};
  test.each(
    rows(
      ['nothing is said', {}, 'untrusted'],
      ['the folder is trusted', {[config]: '// kept\n{"trusted_folders": ["/work/shop/api"]}'}, 'trusted'],
      ['in its other spelling', {[config]: '{"trustedFolders": ["/work/shop/api/"]}'}, 'trusted'],
      ['the folder above is trusted', {[config]: '{"trusted_folders": ["/work"]}'}, 'trusted'],
      [
        'one with a longer name is trusted',
        {[config]: '{"trusted_folders": ["/work/shop/api-2", "/work/sho"]}'},
        'untrusted',
      ],
      ['everything is allowed', {}, 'trusted', {place: {...question.place, env}}],
    ),
  )('$said', ({texts, expected, more}) => {
    expect(standing(copilotCli, texts, more)).toBe(expected);
  });
});

describe('Gemini CLI', () => {
  const folders = '/home/ann/.gemini/trustedFolders.json';
  const settings = '/home/ann/.gemini/settings.json';
  test.each(
    rows(
      ['nothing is said', {}, 'untrusted'],
      ['the folder is trusted', {[folders]: '{"/work/shop/api": "TRUST_FOLDER"}'}, 'trusted'],
      ['the folder above is trusted', {[folders]: '{"/work/shop": "TRUST_FOLDER"}'}, 'trusted'],
      ['the folder above another is trusted', {[folders]: '{"/work/shop/web": "TRUST_PARENT"}'}, 'trusted'],
      [
        'the nearest rule counts',
        {[folders]: '{"/work/shop": "TRUST_FOLDER", "/work/shop/api": "DO_NOT_TRUST"}'},
        'refused',
      ],
      ['trust is switched off', {[settings]: '{"security": {"folderTrust": {"enabled": false}}}'}, 'trusted'],
    ),
  )('$said', ({texts, expected, more}) => {
    expect(standing(geminiCli, texts, more)).toBe(expected);
  });
});

describe('Qwen Code', () => {
  const approvals = '/home/ann/.qwen/mcpApprovals.json';
  const settings = '/work/shop/api/.qwen/settings.json';
  const names = ['acme-probe'];
  const own = (entry: object) => JSON.stringify({mcpServers: {'acme-probe': entry}});
  const entry = {args: [], command: '/bin/false'};
  // As Qwen Code 0.24 wrote it for that entry.
  const hash = '16a1f2b40c753dc64f8e7686bb5ef1206743f8748a51b6ae90bba58806dfbd9c';
  const answered = (status: string) => JSON.stringify({'/work/shop/api': {'acme-probe': {hash, status}}});
  test.each(
    rows(
      ['nothing was answered', {[settings]: own(entry)}, 'unapproved', {names}],
      ['it was approved', {[settings]: own(entry), [approvals]: answered('approved')}, 'trusted', {names}],
      ['it was rejected', {[settings]: own(entry), [approvals]: answered('rejected')}, 'refused', {names}],
      [
        'it was approved, and has changed since',
        {[settings]: own({...entry, args: ['x']}), [approvals]: answered('approved')},
        'unapproved',
        {names},
      ],
      [
        'only what is shown of it has changed',
        {[settings]: own({...entry, description: 'x'}), [approvals]: answered('approved')},
        'trusted',
        {names},
      ],
      [
        'another one was approved',
        {[settings]: own(entry), [approvals]: answered('approved')},
        'unapproved',
        {names: ['acme-probe', 'another']},
      ],
      [
        'a variable names another file of answers',
        {[settings]: own(entry), '/etc/answers.json': answered('approved')},
        'trusted',
        {names, place: {...question.place, env: {QWEN_CODE_MCP_APPROVALS_PATH: '/etc/answers.json'}}},
      ],
    ),
  )('$said', ({texts, expected, more}) => {
    expect(standing(qwenCode, texts, more)).toBe(expected);
  });
});

// The hashes that 0.0.1790142911 wrote when it was asked to approve these entries.
describe('Amp', () => {
  const settings = '/home/ann/.config/amp/settings.json';
  const project = '/work/shop/api/.amp/settings.json';
  const bridge = 'b961aeae73f39bc3ff47a61a0f4f8f273cf6a4e10441758a371802a32bd9e7ff';
  const withHeader = '8575ec1ad3f543a5f5c9feb871c57971214b38ef92d47dbb202520cebdc30a44';
  const servers = {
    // Other members of an entry do not matter.
    'acme-control-plane': {command: '/usr/bin/node', args: ['x.js', 'mcp'], includeTools: ['a'], timeout: 5},
    'acme-observability': {url: 'http://127.0.0.1:1/mcp', headers: {Authorization: 'Bearer T'}},
  };
  const written = JSON.stringify({'amp.mcpServers': servers});
  const told = (...answers: readonly (readonly [string, string, boolean])[]) =>
    JSON.stringify({
      'amp.mcpTrustedServers': answers.map(([serverName, specHash, allow]) => ({serverName, specHash, allow})),
    });
  const [one, other] = [
    ['acme-control-plane', bridge, true],
    ['acme-observability', withHeader, true],
  ] as const;

  test.each(
    rows(
      ['nothing', {[project]: written}, 'unapproved'],
      ['one of the servers', {[project]: written, [settings]: told(one)}, 'unapproved'],
      ['both', {[project]: written, [settings]: told(one, other)}, 'trusted'],
      ['both, in its other file', {[project]: written, [`${settings}c`]: told(one, other)}, 'trusted'],
      ['both, of its other file', {[`${project}c`]: written, [settings]: told(one, other)}, 'trusted'],
      ['one of an earlier entry', {[project]: written, [settings]: told(one, [other[0], bridge, true])}, 'unapproved'],
      ['no to one of them', {[project]: written, [settings]: told(one, [other[0], withHeader, false])}, 'refused'],
    ),
  )('was told $said', ({texts, expected, more}) => {
    expect(standing(amp, texts, more)).toBe(expected);
  });
});

describe('Mistral Vibe', () => {
  const file = '/home/ann/.vibe/trusted_folders.toml';
  test.each(
    rows(
      ['nothing is said', {}, 'untrusted'],
      ['the folder is trusted', {[file]: 'trusted = ["/work/shop/api"]\nuntrusted = []'}, 'trusted'],
      ['a folder above is', {[file]: 'trusted = ["/work"]'}, 'trusted'],
      ['a nearer one is not', {[file]: 'trusted = ["/work"]\nuntrusted = ["/work/shop"]'}, 'refused'],
      [
        'its own directory is not',
        {[file]: 'trusted = ["/work/shop/api"]\nuntrusted = ["/work/shop/api/.vibe"]'},
        'refused',
      ],
      ['another folder is', {[file]: 'trusted = ["/work/shop2"]'}, 'untrusted'],
    ),
  )('$said: $expected', ({texts, expected, more}) => {
    expect(standing(mistralVibe, texts, more)).toBe(expected);
  });
});

describe('Grok Build', () => {
  const file = '/home/ann/.grok/trusted_folders.toml';
  const says = (folder: string, trusted: boolean) => `[folders."${folder}"]\ntrusted = ${trusted}\n`;
  const repository = '/work/shop';
  test.each(
    rows(
      ['nothing is said', {}, 'untrusted'],
      ['the folder is trusted', {[file]: says('/work/shop/api', true)}, 'trusted'],
      ['the folder is not', {[file]: says('/work/shop/api', false)}, 'refused'],
      ['the root of its repository is', {[file]: says(repository, true)}, 'trusted', {repository}],
      ['a folder above its repository is', {[file]: says('/work', true)}, 'untrusted', {repository}],
      ['trust is switched off', {}, 'trusted', {place: {...question.place, env: {GROK_FOLDER_TRUST: '0'}}}],
    ),
  )('$said: $expected', ({texts, expected, more}) => {
    expect(standing(grokBuild, texts, more)).toBe(expected);
  });
});
