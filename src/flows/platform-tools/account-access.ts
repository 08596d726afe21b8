import {type AccountPurpose, type Context, contextFlags} from '../../domain/context.ts';
import type {Secret} from '../../domain/secret.ts';
import {knownFault} from '../../errors/describe-error.ts';
import {SetupError} from '../../errors/errors.ts';
import type {KnownFault} from '../../errors/known-fault.ts';
import {type SuggestedCommand, setup} from '../../errors/remedy.ts';
import {grantFlags} from '../../errors/shared-advice.ts';
import type {Platform} from '../../platform/platform.ts';
import {hasRoleApi} from '../../platform/recognise.ts';
import {applyCommand} from '../../platform/role-binding.ts';
import type {Run} from '../flow.ts';
import {ROLE_TIME} from '../time-limits.ts';
import {
  type ControlPlane,
  describeAccess,
  manifestFor,
  noRole,
  readAccess,
  readVersion,
  unfitRole,
} from './account-roles.ts';
import {findGrantingContext, reasonOf} from './cluster-roles.ts';
import {createRoleWait} from './role-wait.ts';

/** What the account of the assistants may do. */
export type AccountRights = {
  /** Its permissions in a few words; absent if the release has no roles, or does not say. */
  readonly access?: string;
  /** The YAML that grants it a role, if this run is to do so. */
  readonly manifest?: string;
  /** The kube context in which kubectl grants it; absent if the control plane does, or nobody. */
  readonly kubeContext?: string;
  /** Set if it lacks a role, and the person goes on nevertheless. */
  readonly withoutRole?: KnownFault;
};

type Input = ControlPlane & {
  /** The access token of the account. */
  readonly token: Secret;
  /** The access token of the person, who may be allowed to grant roles. */
  readonly own: Secret;
  /** Whether the person might grant roles when that token was new. It counts if the token has expired since. */
  readonly mightGrant?: boolean;
  readonly purpose: AccountPurpose;
  /** True if nobody has chosen that purpose. */
  readonly isPurposeUnknown?: boolean;
  /** What to do if it lacks a role: grant it later, wait for it, or go on without it. Absent: that is a failure. */
  readonly role?: 'grant' | 'kubectl' | 'wait' | 'without' | undefined;
  /** Whether the account has a role for another purpose, which the new one replaces. */
  readonly isReplacing: boolean;
  /** The kube context in which kubectl granted that role, if it did. */
  readonly grantedIn?: string | undefined;
};

/**
 * Finds out whether the account of the assistants may do what it is for, by what the control plane answers to its own
 * token.
 *
 * @throws SetupError `auth-no-role`, with `isGrantable` if the person's own sign-in may grant the role, and with
 *   `kubeContext` if kubectl may; the signal's reason
 */
export const checkAccount = async (input: Input, run: Run): Promise<AccountRights> => {
  const {platform, controlPlaneUrl, contact, purpose, role, isReplacing} = input;
  const {tell} = run;
  const version = input.version ?? (await readVersion(input, run));
  const controlPlane = {
    ...{platform, controlPlaneUrl},
    ...(version === undefined ? {} : {version}),
    ...(contact === undefined ? {} : {contact}),
  };
  const mayLookAgain = createRoleWait(run);
  for (;;) {
    const access = await readAccess({...controlPlane, token: input.token.reveal()}, run);
    if (access.kind === 'unknown') return {};
    const said = describeAccess(access);
    const manifest = manifestFor(access, {platform, version}, {purpose});
    const missing = unfitRole(access, controlPlane, {purpose});
    const isAgreed = role === 'grant' || role === 'kubectl';
    const isGranting = isReplacing ? role === undefined || isAgreed : missing !== undefined && isAgreed;
    if (manifest !== undefined && isGranting) {
      const isByCluster = role === 'kubectl' || (role === undefined && input.grantedIn !== undefined);
      if (!isByCluster) {
        if (hasRoleApi(platform, version)) return {access: said, manifest};
        const offered = missing && (await grantable(missing, {manifest, ...input}, controlPlane, run));
        throw withoutApi(controlPlane, offered);
      }
      const kubeContext = input.grantedIn ?? (await requireContext(controlPlane, missing, run));
      return {access: said, manifest, kubeContext};
    }
    if (!missing) {
      if (purpose === 'look' && !input.isPurposeUnknown && access.changes > 0)
        tell({type: 'warning', message: mayChange(said).join(' ')});
      return {access: said};
    }
    if (role === 'without') {
      tell({type: 'warning', message: missing.message});
      return {access: said, withoutRole: knownFault(missing)};
    }
    if (role !== 'wait' || !(await mayLookAgain(missing)))
      throw manifest === undefined ? missing : await grantable(missing, {manifest, ...input}, controlPlane, run);
  }
};

type Own = Pick<Input, 'own' | 'mightGrant'>;

/** Whether the person's own sign-in may grant roles through the API of this release. */
const mayGrant = async (controlPlane: ControlPlane, {own, mightGrant = false}: Own, run: Run): Promise<boolean> => {
  if (!hasRoleApi(controlPlane.platform, controlPlane.version)) return false;
  const access = await readAccess({...controlPlane, token: own.reveal()}, run);
  return access.kind === 'unknown' ? mightGrant : access.isEverything;
};

/** Returns the error for a missing role with the ways in which this person may grant it, if there are any. */
const grantable = async (
  missing: SetupError,
  {manifest, ...own}: Own & {readonly manifest: string},
  controlPlane: ControlPlane,
  run: Run,
): Promise<SetupError> => {
  const isGrantable = await mayGrant(controlPlane, own, run);
  const cluster = await findGrantingContext(controlPlane, run);
  const kubeContext = 'found' in cluster ? cluster.found : undefined;
  if (!isGrantable && kubeContext === undefined) return missing;
  const ways = [...(isGrantable ? ['your sign-in'] : []), ...(kubeContext === undefined ? [] : ['kubectl'])];
  const flags = [...(isGrantable ? ['--role grant'] : []), ...(kubeContext === undefined ? [] : ['--role kubectl'])];
  const {code, message, about} = missing;
  return new SetupError(code, message, {
    remedy: [
      {
        do: `Grant the role with ${ways.join(' or with ')}, or ask another administrator of the platform to apply this role and its binding.`,
        flag: `To grant it, pass ${flags.join(' or ')}.`,
      },
      {block: applyCommand(manifest)},
    ],
    about: {
      ...about,
      ...(isGrantable ? {isGrantable: true} : {}),
      ...(kubeContext === undefined ? {} : {kubeContext}),
    },
  });
};

/** @throws SetupError `auth-no-role` if kubectl may not grant the role, with the reason */
const requireContext = async (
  controlPlane: ControlPlane,
  missing: SetupError | undefined,
  run: Run,
): Promise<string> => {
  const answer = await findGrantingContext(controlPlane, run);
  if ('found' in answer) return answer.found;
  throw notGrantable(`kubectl can’t grant the role: ${reasonOf(answer)}.`, missing);
};

/** Returns the error for a release that has no API through which a sign-in could grant the role. */
const withoutApi = ({version, controlPlaneUrl}: ControlPlane, missing: SetupError | undefined): SetupError => {
  const release = version === undefined ? 'this release' : `release ${version}`;
  const message = `Your sign-in can’t grant the role: ${controlPlaneUrl} has no API for roles in ${release}.`;
  return notGrantable(message, missing);
};

/** Returns the error for a role that cannot be granted in the chosen way. Its remedy is the role, for somebody else. */
const notGrantable = (message: string, missing: SetupError | undefined): SetupError => {
  if (!missing) return new SetupError('auth-no-role', message);
  const {remedy, about} = missing;
  return new SetupError('auth-no-role', message, {cause: missing, about, ...(remedy === undefined ? {} : {remedy})});
};

/**
 * Returns the command with which a person who may grant roles gives one to the assistants' account of a context;
 * undefined if the assistants have none.
 *
 * @param version the release of the control plane, if known
 */
export const grantCommand = (
  {name, assistantsAccount}: Pick<Context, 'name' | 'assistantsAccount'>,
  platform: Platform,
  version: string | undefined,
): SuggestedCommand | undefined =>
  assistantsAccount &&
  setup(
    'mcp connect',
    [grantFlags(assistantsAccount, hasRoleApi(platform, version)), ...contextFlags({name})].join(' '),
  );

/**
 * Returns the error if the assistants' account of a saved context may not do what it is for; undefined if it may, or if
 * that cannot be found out.
 *
 * @throws the signal's reason
 */
export const unfitAccount = async (
  context: Context,
  {token, ...controlPlane}: ControlPlane & Pick<Input, 'token'>,
  run: Run,
): Promise<SetupError | undefined> => {
  const version = controlPlane.version ?? (await readVersion(controlPlane, run));
  const known = {...controlPlane, ...(version === undefined ? {} : {version})};
  const access = await readAccess({...known, token: token.reveal()}, run);
  const command = grantCommand(context, controlPlane.platform, version);
  const {purpose = 'look'} = context.assistantsAccount ?? {};
  return unfitRole(access, known, {purpose, ...(command ? {command} : {})});
};

/**
 * Returns what is wrong with an account that has more rights than it is meant to have, and what to do.
 *
 * @param access its permissions in a few words
 */
export const mayChange = (access: string): readonly [sentence: string, remedy: string] => [
  `The account is meant only to look, but the control plane lets it make changes: it has ${access}.`,
  'Ask an administrator of the platform to take that role away.',
];

/**
 * Waits until a role that was granted is in force: within a second, as a rule.
 *
 * @returns the rights, with `withoutRole` if the account still lacks the role after a minute
 * @throws the signal's reason
 */
export const awaitRole = async (
  input: ControlPlane & Pick<Input, 'token' | 'purpose'>,
  run: Run,
): Promise<AccountRights> => {
  const {clock} = run.ports;
  const until = clock.now() + ROLE_TIME;
  for (;;) {
    const rights = (await rightsNow(input, run)) ?? {};
    if (!rights.withoutRole || clock.now() >= until) return rights;
    await clock.sleep(1_000, run.signal);
  }
};

/**
 * Looks once at what an account may do.
 *
 * @param purpose what the account of the assistants is for; absent for the person's own account
 * @returns undefined if that cannot be found out
 * @throws the signal's reason
 */
export const rightsNow = async (
  {token, purpose, ...controlPlane}: ControlPlane & Pick<Input, 'token'> & {readonly purpose?: AccountPurpose},
  run: Run,
): Promise<AccountRights | undefined> => {
  const access = await readAccess({...controlPlane, token: token.reveal()}, run);
  if (access.kind === 'unknown') return undefined;
  const missing = purpose === undefined ? noRole(access, controlPlane) : unfitRole(access, controlPlane, {purpose});
  return {access: describeAccess(access), ...(missing ? {withoutRole: knownFault(missing)} : {})};
};
