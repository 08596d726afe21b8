import {join} from 'node:path';
import type {Context, ContextCli} from '../../domain/context.ts';
import {Secret, secretFrom} from '../../domain/secret.ts';
import {isByHeader} from '../../domain/token-request.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import type {TokensInFile} from '../../ports/storage.ts';
import {decodeText} from '../file-contents.ts';
import type {FileChange} from '../flow.ts';
import {type CliCredentials, isForeign, lists, secretSpansIn, valuesIn, withEntry, withoutSecrets} from './cli-text.ts';
import {byName} from './cli-values.ts';

export type OwnCliInput = {
  /** One that has a CLI of its own. */
  readonly platform: Platform;
  /** The sign-in that the CLI gets. */
  readonly context: Context;
  /** The control plane's release, where it tells. */
  readonly version?: string;
  /** The person's home directory. */
  readonly home: string;
  /** The sign-in of this run, which is kept nowhere yet; absent where it is kept. */
  readonly unsaved?: CliSecrets;
  /** Whether a context of the same name that leads elsewhere is replaced. */
  readonly replace: boolean;
};

/** What the CLI can be given of a sign-in. */
export type CliSecrets = {readonly access: Secret; readonly refresh?: Secret; readonly clientSecret?: Secret};

/** What was decided about the file when it was planned. No secrets. */
export type CliChoice = {
  /** Whether the refresh token is handed over. */
  readonly shares: boolean;
  /** What a new context begins with. */
  readonly fields: Readonly<Record<string, string>>;
};

/** The file as it is and as it will be. */
export type CliChange = {
  readonly path: string;
  readonly change: FileChange;
  readonly before: Buffer | null;
  readonly after: Secret;
  /** The same after a sign-out. */
  readonly signedOut: Secret;
  /** Where secrets of ours stand in it. */
  readonly tokens: TokensInFile;
  readonly isForeign: boolean;
  /** What is to be known of it afterwards. */
  readonly record: ContextCli;
};

/** @throws SetupError `local-file-invalid` */
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
      ...previousOf(known?.previous ?? values.currentContext, name),
      ...(version === undefined ? {} : {version}),
    },
  };
};

/** Where the platform's own CLI has its file. */
export const ownCliPath = ({ownCli}: Platform, home: string): string => {
  if (!ownCli) throw new Error('This platform has no CLI of its own.');
  return join(home, ...ownCli.configPath);
};

/** @returns undefined where nobody is signed in */
export const secretsFor = async ({context, unsaved}: OwnCliInput, ports: Ports): Promise<CliSecrets | undefined> => {
  if (unsaved) return unsaved;
  const kept = await ports.credentials.get(context);
  const access = secretFrom(kept?.accessToken);
  const refresh = context.signIn === 'browser' ? secretFrom(kept?.refreshToken) : undefined;
  const clientSecret = context.signIn === 'browser' ? undefined : secretFrom(kept?.clientSecret);
  return access && {access, ...(refresh ? {refresh} : {}), ...(clientSecret ? {clientSecret} : {})};
};

/**
 * The CLI sends a client's secret in the request only, so it is of no use to it where a client has to send it in the
 * header: then it gets the token alone.
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
