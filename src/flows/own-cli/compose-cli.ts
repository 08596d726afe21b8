import {join} from 'node:path';
import {addressOf} from '../../domain/address.ts';
import type {Context, ContextCli} from '../../domain/context.ts';
import {Secret, secretFrom} from '../../domain/secret.ts';
import {isByHeader} from '../../domain/token-request.ts';
import {expiryOf} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import type {TokensInFile} from '../../ports/storage.ts';
import type {FileChange, Flow, Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../http-answers.ts';
import {decodeText} from '../planned-file.ts';
import {accessTokenInstead} from '../sign-in/access-token.ts';
import {
  byName,
  type CliCredentials,
  type CliValues,
  contextIn,
  isForeign,
  isSameServer,
  lists,
  type Named,
  secretSpansIn,
  textIn,
  valuesIn,
  withEntry,
  withoutSecrets,
} from './cli-file.ts';

export type OwnCliInput = {
  /** A platform with a CLI of its own. */
  readonly platform: Platform;
  /** The sign-in that the CLI gets. */
  readonly context: Context;
  /** The control plane's release, if known. */
  readonly version?: string;
  /** The person's home directory. */
  readonly home: string;
  /** The sign-in of this run, which is not stored yet; absent if it is stored. */
  readonly unsaved?: CliSecrets;
  /** Whether a context of the same name that leads elsewhere is replaced. */
  readonly replace: boolean;
  /** The use of the refresh token, as `refreshTokenUse` returns it; if absent, only earlier renewals show it. */
  readonly use?: CliRefreshTokenUse;
};

/** The secrets of a sign-in that the CLI can be given. */
export type CliSecrets = {readonly access: Secret; readonly refresh?: Secret; readonly clientSecret?: Secret};

/** The decisions about the file when it was planned. No secrets. */
export type CliChoice = {
  /** Whether the CLI gets the refresh token. */
  readonly shares: boolean;
  /** The fields of a new context. */
  readonly fields: Readonly<Record<string, string>>;
};

/** The file as it is and as it will be. */
export type CliChange = {
  readonly path: string;
  readonly change: FileChange;
  readonly before: Buffer | null;
  readonly after: Secret;
  /** The text after a sign-out. */
  readonly signedOut: Secret;
  /** The positions of our secrets in it. */
  readonly tokens: TokensInFile;
  readonly isForeign: boolean;
  /** The record of the file after it is written. */
  readonly record: ContextCli;
};

/** Composes the file of the CLI. @throws SetupError `local-file-invalid` */
export const composeCli = async (
  {platform, context, home, ...input}: OwnCliInput,
  {shares, fields}: CliChoice,
  secrets: CliSecrets,
  {files, config}: Ports,
): Promise<CliChange> => {
  const path = ownCliPath(platform, home);
  const contents = await files.read(path);
  const text = decodeText(contents?.bytes ?? Buffer.alloc(0), path);
  const {name, controlPlaneUrl: url} = context;
  const known = (await config.read()).contexts.find(one => one.name === name)?.cli;
  const version = input.version ?? known?.version;
  const release = releaseOf(platform, version);
  const credentials = credentialsOf(context, secrets, {shares, hasScope: release.cli?.scope === true});
  const values = valuesIn(text, path);
  const after = withEntry(text, {name, url, credentials, fields}, path);
  const before = known ? secretSpansIn(text, known.name) : [];
  const directories = contents ? known?.directories : await files.madeFor(path, known?.directories ?? []);
  return {
    path,
    change: !contents ? 'new' : after === text ? 'unchanged' : 'changed',
    before: contents?.bytes ?? null,
    after: new Secret(after),
    signedOut: new Secret(withoutSecrets(after, name, path)),
    tokens: {before, after: secretSpansIn(after, name)},
    isForeign: !known && isForeign(values, name, url),
    record: {
      path,
      name,
      added: known?.added ?? lists.filter(list => !byName(values[list], name)),
      ...((known ? known.created : !contents) ? {created: true as const} : {}),
      ...(directories && directories.length > 0 ? {directories} : {}),
      ...previousOf(known?.previous ?? values.currentContext, name),
      ...(version === undefined ? {} : {version}),
    },
  };
};

/** Returns the path of the file of the platform's own CLI. */
export const ownCliPath = ({ownCli}: Platform, home: string): string => {
  if (!ownCli) throw new Error('This platform has no CLI of its own.');
  return join(home, ...ownCli.configPath);
};

/** Returns the secrets for the CLI; undefined if nobody is signed in. */
export const secretsFor = async ({context, unsaved}: OwnCliInput, ports: Ports): Promise<CliSecrets | undefined> => {
  if (unsaved) return unsaved;
  const stored = await ports.credentials.get(context);
  const access = secretFrom(stored?.accessToken);
  const refresh = context.signIn === 'browser' ? secretFrom(stored?.refreshToken) : undefined;
  const clientSecret = context.signIn === 'browser' ? undefined : secretFrom(stored?.clientSecret);
  return access && {access, ...(refresh ? {refresh} : {}), ...(clientSecret ? {clientSecret} : {})};
};

/**
 * Returns the credentials for the CLI. The CLI sends a client's secret only in the request body. If the client has to
 * send the secret in the header, the secret is of no use to the CLI, which then gets the token alone.
 */
const credentialsOf = (
  {signIn, clientId, scopes}: Context,
  {access, refresh, clientSecret}: CliSecrets,
  {shares, hasScope}: {shares: boolean; hasScope: boolean},
): CliCredentials => ({
  clientId,
  ...(!isByHeader(signIn) && clientSecret !== undefined ? {clientSecret: clientSecret.reveal()} : {}),
  ...(hasScope && scopes && scopes.length > 0 ? {scope: scopes.join(' ')} : {}),
  token: access.reveal(),
  ...(signIn === 'browser' && shares && refresh ? {refreshToken: refresh.reveal()} : {}),
  authMethod: signIn === 'browser' ? 'authorization_code' : 'client_credentials',
});

const previousOf = (current: string | undefined, name: string) =>
  current === undefined || current === name ? {} : {previous: current};

/** The name of the namespace and the project in the CLI's own first context. */
const USUAL = 'default';

type Place = {
  readonly platform: Platform;
  readonly version: string | undefined;
  readonly controlPlaneUrl: string;
  readonly token: string;
};

/**
 * Returns the fields of a new context: those of another context at the same control plane, or else a namespace and a
 * project that exist, so that components are not listed for one that does not.
 */
export const contextFields = async (
  values: CliValues,
  name: string,
  place: Place,
  run: Run,
): Promise<Readonly<Record<string, string>>> => {
  const usual = releaseOf(place.platform, place.version).cli?.context ?? {};
  const contexts = values.contexts.flatMap(one => contextIn(values, textIn(one, 'name')) ?? []);
  const here = contexts.filter(({url}) => url !== undefined && isSameServer(url, place.controlPlaneUrl));
  const own = here.find(({context}) => context.name === name);
  const like = own ?? here.find(({context}) => context.name === values.currentContext) ?? here[0];
  const known = (key: string) => textIn(like?.context, key);
  const namespaces = place.platform.paths.namespaces;
  const first = (path: string) => firstOf(path, place, run);
  const namespace = known('namespace') ?? (await first(namespaces));
  const project = known('project') ?? (await first(`${namespaces}/${encodeURIComponent(namespace)}/projects`));
  const others = Object.entries(usual).map(([key, value]) => [key, known(key) ?? value]);
  return {namespace, project, ...Object.fromEntries(others)};
};

/** Returns the usual name if it is among the names at a path or if no name can be read; otherwise the first name. */
const firstOf = async (path: string, place: Place, run: Run): Promise<string> => {
  const {signal} = run;
  const names = await namesAt(path, place, run).catch((): readonly string[] => []);
  signal.throwIfAborted();
  return names.includes(USUAL) ? USUAL : (names[0] ?? USUAL);
};

const namesAt = async (
  path: string,
  {controlPlaneUrl, token}: Place,
  {ports: {http}, signal, tell}: Run,
): Promise<readonly string[]> => {
  const url = addressOf(controlPlaneUrl, path);
  const headers = {Authorization: `Bearer ${token}`};
  const reply = await http.send({method: 'GET', url, headers}, {signal, report: tell});
  const body = isSuccess(reply) ? readJson(reply, url) : {};
  const items = (body.data as JsonObject | undefined)?.items ?? body.items;
  return Array.isArray(items) ? items.flatMap(item => nameOf(item) ?? []) : [];
};

/** Returns a name in the form of the first releases, or of the later ones. */
const nameOf = (item: JsonObject): string | undefined =>
  textAt(item, 'name') ?? textAt((item.metadata ?? {}) as JsonObject, 'name');

/**
 * Whether a refresh token stays valid after its use, or another one replaces it. `unknown`: that could not be found
 * out. `none`: there is no refresh token.
 */
export type CliRefreshTokenUse = 'stays' | 'used-once' | 'unknown' | 'none';

/** Returns what earlier renewals have shown about the refresh token of a sign-in. Sends no request. */
export const knownRefreshTokenUse = async (
  {context, unsaved}: Pick<OwnCliInput, 'context' | 'unsaved'>,
  {credentials}: Ports,
): Promise<CliRefreshTokenUse> => {
  if (context.signIn !== 'browser') return 'none';
  const stored = await credentials.get(context);
  const refreshToken = unsaved ? unsaved.refresh : stored?.refreshToken;
  if (refreshToken === undefined) return 'none';
  if (stored?.rotates === undefined) return 'unknown';
  return stored.rotates ? 'used-once' : 'stays';
};

/**
 * Returns whether the identity provider accepts a refresh token again. If no renewal has shown that yet, renews the
 * stored sign-in: metadata does not say it, and sharing a token that is accepted only once would end the sign-in of
 * everybody who has the token, at the second renewal (RFC 9700 4.14.2).
 */
export const refreshTokenUse: Flow<Context, CliRefreshTokenUse> = async (context, run) => {
  const {credentials} = run.ports;
  const known = await knownRefreshTokenUse({context}, run.ports);
  if (known !== 'unknown') return known;
  try {
    const stored = await credentials.get(context);
    await accessTokenInstead({context, refused: stored?.accessToken ?? ''}, run);
    return await knownRefreshTokenUse({context}, run.ports);
  } catch (error) {
    if (error instanceof SetupError && error.code !== 'cancelled') return 'unknown';
    throw error;
  }
};

/** The sign-in of the CLI, as the CLI itself sees it. */
export type CliSignIn = {
  readonly token: string;
  /** How long the CLI still uses the token, in milliseconds. */
  readonly left: number;
  /** When the token ends, or ended, in milliseconds since the epoch. Absent if the token does not say. */
  readonly endedAt?: number;
  /** The means by which the CLI gets another token. */
  readonly renewal: 'refresh-token' | 'refresh-token-ended' | 'secret' | 'none';
};

/** How long before its end the CLI treats a token as ended, in milliseconds. */
const MARGIN = 60_000;

/**
 * Returns how the CLI sees its credentials: a token that is not a JWT has ended, and a token that has ended is renewed
 * with the refresh token of a person, or else with the secret of a client. Undefined if it is signed out.
 *
 * @param now milliseconds since the epoch
 */
export const cliSignIn = (credentials: Named | undefined, now: number): CliSignIn | undefined => {
  const token = textIn(credentials, 'token');
  if (token === undefined) return undefined;
  const endedAt = expiryOf(token);
  const left = endedAt === undefined ? 0 : Math.max(0, endedAt - MARGIN - now);
  return {token, left, ...(endedAt === undefined ? {} : {endedAt}), renewal: renewalOf(credentials, now)};
};

const renewalOf = (credentials: Named | undefined, now: number): CliSignIn['renewal'] => {
  const refreshToken = textIn(credentials, 'refreshToken');
  if (textIn(credentials, 'authMethod') === 'authorization_code' && refreshToken !== undefined) {
    return (expiryOf(refreshToken) ?? Number.POSITIVE_INFINITY) > now ? 'refresh-token' : 'refresh-token-ended';
  }
  const hasSecret = textIn(credentials, 'clientId') !== undefined && textIn(credentials, 'clientSecret') !== undefined;
  return hasSecret ? 'secret' : 'none';
};
