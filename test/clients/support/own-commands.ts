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

/** How a client writes an entry of each kind by its own command. */
export type OwnCommand = {
  readonly assistant: Assistant;
  readonly client: clients.Client;
  /** Arguments for a server that the client starts: `node server.js`, with `A=b` if the command takes variables. */
  readonly command: readonly string[];
  /** Arguments for a server with a token. Absent if the command takes none. */
  readonly header?: readonly string[];
  /**
   * Arguments for a server at which the client signs in by itself. Absent if the command takes no registered client.
   */
  readonly oauth?: readonly string[];
  /** Members in which this program's entry differs from the client's on purpose, by the kind of the entry. */
  readonly apart?: Readonly<Partial<Record<Kind, readonly string[]>>>;
  /** True if the client writes another form than this program, and reads both. */
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
    // The client records the address on which it would listen anyway.
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
    // Entries are enabled unless they say otherwise. Without OAuth, the client reports a refusal as it is.
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
    // The documentation has the flat form.
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
