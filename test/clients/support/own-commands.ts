import type {Assistant} from '../../../src/assistants/assistant.ts';
import {amp as ampRow} from '../../../src/assistants/catalogue/amp.ts';
import {auggie as auggieRow} from '../../../src/assistants/catalogue/auggie.ts';
import {claudeCode as claudeCodeRow} from '../../../src/assistants/catalogue/claude-code.ts';
import {cline as clineRow} from '../../../src/assistants/catalogue/cline.ts';
import {codexCli as codexCliRow} from '../../../src/assistants/catalogue/codex-cli.ts';
import {copilotCli as copilotCliRow} from '../../../src/assistants/catalogue/copilot-cli.ts';
import {factoryDroid as factoryDroidRow} from '../../../src/assistants/catalogue/factory-droid.ts';
import {geminiCli as geminiCliRow} from '../../../src/assistants/catalogue/gemini-cli.ts';
import {grokBuild as grokBuildRow} from '../../../src/assistants/catalogue/grok-build.ts';
import {kiloCode as kiloCodeRow} from '../../../src/assistants/catalogue/kilo-code.ts';
import {openCode as openCodeRow} from '../../../src/assistants/catalogue/opencode.ts';
import {qoder as qoderRow} from '../../../src/assistants/catalogue/qoder.ts';
import {qwenCode as qwenCodeRow} from '../../../src/assistants/catalogue/qwen-code.ts';
import * as clients from './clients.ts';

export const URL_OF_SERVER = 'http://127.0.0.1:1/mcp';
const AUTHORIZATION = 'Authorization: Bearer T';

type Kind = 'command' | 'header' | 'oauth';

/** How a client is made to write an entry of each kind by its own command. */
export type OwnCommand = {
  readonly assistant: Assistant;
  readonly client: clients.Client;
  /** Of a server that is started: `node server.js`, with `A=b` where its command takes variables. */
  readonly command: readonly string[];
  /** Of one with a token; absent where its command takes none. */
  readonly header?: readonly string[];
  /** Of one where it signs in by itself; absent where its command takes no client that is registered. */
  readonly oauth?: readonly string[];
  /** Members in which this program differs from it on purpose, by the kind of the entry. */
  readonly apart?: Readonly<Partial<Record<Kind, readonly string[]>>>;
  /** It reads this form too, and writes another one. */
  readonly isOfAnotherForm?: true;
  readonly env?: Readonly<Record<string, string>>;
};

const program = ['node', 'server.js'];

/** Every client that has such a command. */
export const ownCommands: readonly OwnCommand[] = [
  {
    assistant: claudeCodeRow,
    client: clients.claudeCode,
    command: ['mcp', 'add', '-s', 'user', 'mine', '-e', 'A=b', '--', ...program],
    header: ['mcp', 'add', '-s', 'user', '-t', 'http', 'mine', URL_OF_SERVER, '-H', AUTHORIZATION],
    oauth: [
      ...['mcp', 'add', '-s', 'user', '-t', 'http', 'mine', URL_OF_SERVER],
      ...['--client-id', 'client', '--callback-port', '8075'],
    ],
  },
  {
    assistant: codexCliRow,
    client: clients.codexCli,
    command: ['mcp', 'add', 'mine', '--env', 'A=b', '--', ...program],
    oauth: ['mcp', 'add', 'mine', '--url', URL_OF_SERVER, '--oauth-client-id', 'client'],
    // It writes down the address that it would listen on anyway.
    apart: {oauth: ['oauth.callback_url']},
  },
  {
    assistant: geminiCliRow,
    client: clients.geminiCli,
    command: ['mcp', 'add', '-s', 'user', '-e', 'A=b', 'mine', ...program],
    header: ['mcp', 'add', '-s', 'user', '-t', 'http', '-H', AUTHORIZATION, 'mine', URL_OF_SERVER],
  },
  {
    assistant: copilotCliRow,
    client: clients.copilotCli,
    command: ['mcp', 'add', 'mine', '--env', 'A=b', '--', ...program],
    header: ['mcp', 'add', '--transport', 'http', 'mine', URL_OF_SERVER, '--header', AUTHORIZATION],
  },
  {
    assistant: openCodeRow,
    client: clients.openCode,
    command: ['mcp', 'add', 'mine', '--env', 'A=b', '--', ...program],
    header: ['mcp', 'add', 'mine', '--url', URL_OF_SERVER, '--header', 'Authorization=Bearer T'],
    // On unless it says otherwise; without OAuth a refusal is said as it is.
    apart: {command: ['enabled'], header: ['enabled', 'oauth']},
  },
  {
    assistant: qwenCodeRow,
    client: clients.qwenCode,
    command: ['mcp', 'add', 'mine', ...program, '-e', 'A=b'],
    header: ['mcp', 'add', 'mine', URL_OF_SERVER, '-t', 'http', '-H', AUTHORIZATION],
  },
  {
    assistant: kiloCodeRow,
    client: clients.kiloCode,
    command: ['mcp', 'add', 'mine', '--env', 'A=b', '--', ...program],
    header: ['mcp', 'add', 'mine', '--url', URL_OF_SERVER, '--header', 'Authorization=Bearer T'],
    apart: {command: ['enabled'], header: ['enabled', 'oauth']},
  },
  {
    assistant: factoryDroidRow,
    client: clients.factoryDroid,
    command: ['mcp', 'add', 'mine', ...program, '--env', 'A=b'],
    header: ['mcp', 'add', 'mine', URL_OF_SERVER, '--type', 'http', '--header', AUTHORIZATION, '--no-oauth'],
  },
  {
    assistant: ampRow,
    client: clients.amp,
    command: ['mcp', 'add', 'mine', '--env', 'A=b', '--', ...program],
    header: ['mcp', 'add', 'mine', '--header', 'Authorization=Bearer T', URL_OF_SERVER],
    env: {AMP_API_KEY: 'none'},
  },
  {
    assistant: clineRow,
    client: clients.cline,
    command: ['mcp', 'add', '--yes', 'mine', '--', ...program],
    header: ['mcp', 'add', '--yes', '--transport', 'streamableHttp', '--header', AUTHORIZATION, 'mine', URL_OF_SERVER],
    env: {CLINE_SESSION_BACKEND_MODE: 'local'},
    // The flat form is the one that its documentation has.
    isOfAnotherForm: true,
  },
  {
    assistant: auggieRow,
    client: clients.auggie,
    command: ['mcp', 'add', 'mine', '--command', 'node', '--args', 'server.js', '--env', 'A=b'],
    header: ['mcp', 'add', 'mine', '--transport', 'http', '--url', URL_OF_SERVER, '--header', AUTHORIZATION],
  },
  {
    assistant: grokBuildRow,
    client: clients.grokBuild,
    command: ['mcp', 'add', 'mine', '--env', 'A=b', '--', ...program],
    header: ['mcp', 'add', 'mine', URL_OF_SERVER, '--header', AUTHORIZATION],
  },
  {
    assistant: qoderRow,
    client: clients.qoder,
    command: ['mcp', 'add', '-s', 'user', '-e', 'A=b', '--', 'mine', ...program],
    header: ['mcp', 'add', '-s', 'user', '-t', 'http', '-H', AUTHORIZATION, '--', 'mine', URL_OF_SERVER],
  },
];
