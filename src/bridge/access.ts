import type {Context} from '../domain/context.ts';
import type {Credentials} from '../domain/credentials.ts';
import {addressIn, type McpServer} from '../domain/mcp-servers.ts';
import {chanceOf, isGood, signInEndOf} from '../domain/sign-in-lifecycle.ts';
import {contextFor, type TokenContext} from '../domain/tokens.ts';
import type {ToolChoice} from '../domain/tool-sets.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {quietRun} from '../flows/flow.ts';
import {savedEntriesOf} from '../flows/saved-entries.ts';
import {platformOfDeployment} from '../platform/platforms.ts';
import type {OpenStream, Ports} from '../ports/ports.ts';

/** Where the messages go, through which connection, and the token that they carry. */
export type ServerAccess = {readonly url: URL; readonly token: string; readonly open: OpenStream};

export type AccessSource = {
  /**
   * Returns the access that is valid now. It is immediate unless a file has changed or a renewal is due.
   *
   * @throws SetupError if a person has to act first: sign in, set up, or repair a file
   */
  current(): ServerAccess | Promise<ServerAccess>;
  /**
   * Returns a new access after the server has refused a token. All requests that were refused with the same token share
   * one renewal.
   *
   * @throws SetupError as `current` does; `auth-token-refused` if the refused token was itself renewed recently
   */
  instead(refused: ServerAccess): Promise<ServerAccess>;
  /**
   * Sets the listener for notices: facts that the person should know although the connection works, for example that
   * the sign-in cannot be saved or ends soon. Each notice is given once; those that arose earlier are given at once.
   */
  noticed(listener: (notice: SetupError) => void): void;
  /** Tells the source that the server has accepted a token. If the server refuses it later, it is renewed again. */
  taken(access: ServerAccess): void;
};

export type AccessOptions = {
  readonly server: McpServer;
  /** The tools of the server that are listed. */
  readonly tools?: ToolChoice | undefined;
  /** Returns the context to use, as it is saved now. */
  readonly findContext: FindContext;
  /** Returns a text that changes when the file may have changed. */
  readonly fileVersion: (path: string) => string;
};

/**
 * Returns a context as it is saved now, and the ports that reach it.
 *
 * @throws SetupError
 */
export type FindContext = (ports: Ports) => Promise<{readonly context: Context; readonly ports: Ports}>;

/** The person is warned if the sign-in ends within this time, in milliseconds. */
const SOON = 30 * 60_000;

/**
 * How long a renewed token that the server has never accepted is not renewed again, in milliseconds: the cause is then
 * not the token.
 */
const RENEWAL_PAUSE = 60_000;

type Known = {
  readonly versions: string;
  readonly context: TokenContext;
  readonly credentials: Credentials;
  readonly access: ServerAccess;
  /** When to warn that the sign-in ends, in milliseconds since the epoch. */
  readonly noticeAt: number;
};

/**
 * Creates a source that follows the sign-in as other programs on this machine change it. For each message it compares
 * the versions of two files, and reads them only if they have changed. So the next message sees a sign-out or a new
 * sign-in.
 */
export const createAccess = (
  {server, tools, findContext, fileVersion}: AccessOptions,
  ports: Ports,
  signal: AbortSignal,
): AccessSource => {
  const chance = chanceOf(ports.processes.self().pid);
  const versions = () => `${fileVersion(ports.config.path)} ${fileVersion(ports.credentials.path)}`;
  const notices = new Map<string, SetupError>();
  let listen = (_: SetupError) => {};
  const notice = (found: SetupError) => {
    if (notices.has(found.message)) return;
    notices.set(found.message, found);
    listen(found);
  };
  /** Passes on a renewal's warning that it could not keep something. */
  const warn = (sentence: string) => notice(new SetupError('local-write-failed', sentence, {remedy: ''}));
  let known: Known | undefined;
  let reading: {readonly versions: string; readonly access: Promise<ServerAccess>} | undefined;
  let renewed: {readonly token: string; readonly at: number} | undefined;
  const renewals = new Map<string, Promise<ServerAccess>>();

  const serves = (credentials: Credentials) => isGood(credentials, ports.clock.now(), chance);

  /** Reads the kept sign-in, and remembers it if its token can be used. */
  const readKept = async (
    context: TokenContext,
    {url, open}: Omit<ServerAccess, 'token'>,
  ): Promise<Known | undefined> => {
    // Taken before reading, so that a change in between is noticed later.
    const seen = versions();
    const stored = await ports.credentials.get(context);
    const noticeAt = stored ? noticeEnd(context, stored) : Number.POSITIVE_INFINITY;
    known =
      stored?.accessToken !== undefined && serves(stored)
        ? {versions: seen, context, credentials: stored, access: {url, open, token: stored.accessToken}, noticeAt}
        : undefined;
    return known;
  };

  /** Warns if the person's sign-in ends soon. Returns when to check again. */
  const noticeEnd = ({name, signIn}: TokenContext, credentials: Credentials): number => {
    const now = ports.clock.now();
    const {refused, refreshToken, expiresAt} = credentials;
    const isLast = refused !== undefined || refreshToken === undefined;
    const end = isLast ? expiresAt : signInEndOf(credentials);
    if (signIn !== 'browser' || end === undefined || end <= now) return Number.POSITIVE_INFINITY;
    if (end - now > SOON) return end - SOON;
    const at = new Date(end).toTimeString().slice(0, 5);
    const remedy = phrase`Sign in again before that: ${setup('login')}.`;
    notice(new SetupError('auth-sign-in-required', `Your sign-in to ${name} ends at ${at}.`, {remedy}));
    return Number.POSITIVE_INFINITY;
  };

  const find = async () => {
    const {context: found, ports: own} = await findContext(ports);
    const context = contextFor(found, server);
    return {context, ports: own, to: {url: addressFor(server, context, tools), open: own.streams.open}};
  };

  const read = async (): Promise<ServerAccess> => {
    const {context, ports: own, to} = await find();
    const found = await readKept(context, to);
    if (found) return found.access;
    const {accessToken} = await import('../flows/sign-in/access-token.ts');
    const {accessToken: token} = await accessToken(context, quietRun(own, signal, warn));
    await readKept(context, to);
    return {...to, token};
  };

  const renew = async (refused: ServerAccess): Promise<ServerAccess> => {
    const now = ports.clock.monotonic();
    if (refused.token === renewed?.token && now - renewed.at < RENEWAL_PAUSE) throw refusal(refused.url);
    const {context, ports: own, to} = await find();
    const {accessTokenInstead} = await import('../flows/sign-in/access-token.ts');
    const {accessToken} = await accessTokenInstead({context, refused: refused.token}, quietRun(own, signal, warn));
    renewed = {token: accessToken, at: ports.clock.monotonic()};
    return {...to, token: accessToken};
  };

  return {
    current: () => {
      const now = versions();
      if (known && known.versions === now && serves(known.credentials)) {
        const {context, credentials, noticeAt} = known;
        if (ports.clock.now() >= noticeAt) known = {...known, noticeAt: noticeEnd(context, credentials)};
        return known.access;
      }
      // A read that began before the last change does not know of it, and must not answer later requests.
      if (reading?.versions === now) return reading.access;
      const own = {
        versions: now,
        access: read().finally(() => {
          if (reading === own) reading = undefined;
        }),
      };
      reading = own;
      return own.access;
    },
    instead: refused => {
      const {token} = refused;
      const renewal = renewals.get(token) ?? renew(refused).finally(() => renewals.delete(token));
      renewals.set(token, renewal);
      return renewal;
    },
    noticed: listener => {
      listen = listener;
      for (const found of notices.values()) listener(found);
    },
    taken: ({token}) => {
      if (token === renewed?.token) renewed = undefined;
    },
  };
};

/**
 * Returns the address of a server.
 *
 * @throws SetupError `platform-observer-missing`, `input-invalid`
 */
const addressFor = (server: McpServer, context: Context, tools: ToolChoice | undefined): URL => {
  const platform = platformOfDeployment(context);
  const entries = savedEntriesOf(context, platform);
  const found = entries.find(one => one.server === server);
  if (found) return new URL(addressIn(found, tools));
  throw new SetupError('platform-observer-missing', `No observer is known for ${context.name}.`, {
    about: {flag: 'observer-url'},
    remedy: phrase`Set it up again with the observer’s address: ${setup('', `--context ${context.name} --observer-url URL`)}.`,
  });
};

export const refusal = (url: URL) =>
  new SetupError('auth-token-refused', `${url.href} still refuses the token after it was renewed (401).`, {
    about: {url: url.href},
  });
