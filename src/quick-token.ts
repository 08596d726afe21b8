import {type Config, contextForAssistants, findContext} from './domain/context.ts';
import {type Credentials, findSignIn} from './domain/credentials.ts';
import type {McpServer} from './domain/mcp-servers.ts';
import {chanceOf, isGood} from './domain/sign-in-lifecycle.ts';
import {contextFor, isAccessToken, tokenDocument} from './domain/tokens.ts';
import {openToOthers} from './ports/files/others.ts';
import {textFile} from './ports/files/text-file.ts';
import type {Env} from './ports/ports.ts';
import {createHelperTokens, helperTokenKey} from './store/helper-tokens.ts';
import {findOwnPaths} from './store/own-paths.ts';
import {escapeUnsafe} from './text.ts';

/**
 * Runs `setup token` if the token to print is on the disk. Assistants call it for every connection, so this is the one
 * path on which each millisecond counts: it reads the config and the credentials, and is bundled by itself, so that the
 * rest of the program is not loaded. With `--mcp-header`, it also reads and updates the record of the tokens that it
 * printed. Every other case (other flags, a config or credentials that cannot be read, a token that is due or may have
 * been refused, a keychain, files that others can change) is left to the program, which also reports errors.
 *
 * @param words the words after `token`
 * @returns what to print; undefined if the program has to do it
 */
export const quickToken = (words: readonly string[], env: Env, now: number, pid: number): string | undefined => {
  const asked = readWords(words, env);
  if (!asked) return undefined;
  const {print, isHelper, context: wanted, server, home} = asked;
  try {
    const places = findOwnPaths(home === undefined ? env : {...env, SETUP_HOME: home});
    if (openToOthers([places.config, places.credentials]) !== undefined) return undefined;
    const config: Config = JSON.parse(textFile.read(places.config));
    const context = findContext(config, wanted);
    const {version, credentials}: {version: number; credentials: readonly Credentials[]} = JSON.parse(
      textFile.read(places.credentials),
    );
    // Whether this runs under an assistant is for the program itself to find out.
    if (!context || (context.assistantsAccount !== undefined && !isHelper)) return undefined;
    const signIn = contextFor(contextForAssistants(context), server);
    const stored = findSignIn(credentials, signIn);
    const token = stored?.accessToken;
    const isPlain = config.version === 1 && version === 1 && isAccessToken(token);
    if (!stored || !isPlain || !isGood(stored, now, chanceOf(pid))) return undefined;
    const answer = {accessToken: token, expiresAt: stored.expiresAt, context: context.name};
    if (isHelper) {
      const helperTokens = createHelperTokens(places.helperTokens, textFile);
      const key = helperTokenKey(context.name, server);
      if (helperTokens.isDoubtful(key, token, now)) return undefined;
      helperTokens.note(key, token, now);
    }
    return print(answer);
  } catch {
    return undefined;
  }
};

type Given = Parameters<typeof tokenDocument>[0];

type Asked = {
  readonly print: (answer: Given) => string;
  /** True if an assistant runs the command for its headers. */
  readonly isHelper: boolean;
  readonly context: string | undefined;
  readonly server: McpServer;
  readonly home: string | undefined;
};

const prints: Readonly<Record<string, Asked['print']>> = {
  '--header': ({accessToken}) => `Authorization: Bearer ${accessToken}\n`,
  '--mcp-header': ({accessToken}) => `${JSON.stringify({Authorization: `Bearer ${accessToken}`})}\n`,
  '--json': answer => `${escapeUnsafe(JSON.stringify(tokenDocument(answer)))}\n`,
};

/** Parses the few words that are understood here, each at most once; undefined if there is any other. */
const readWords = (words: readonly string[], env: Env): Asked | undefined => {
  const rest = [...words];
  const take = (flag: string): string | undefined => {
    const at = rest.indexOf(flag);
    return at < 0 ? undefined : rest.splice(at, 2)[1];
  };
  const context = take('--context') ?? (env.SETUP_CONTEXT || undefined);
  const home = take('--setup-home');
  const server = take('--server') ?? 'control-plane';
  if (server !== 'control-plane' && server !== 'observability') return undefined;
  const [flag, ...others] = rest;
  const print = flag === undefined ? ({accessToken}: Given) => `${accessToken}\n` : prints[flag];
  return print && others.length === 0 ? {print, isHelper: flag === '--mcp-header', context, server, home} : undefined;
};
