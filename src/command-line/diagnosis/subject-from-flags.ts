import {allAssistants} from '../../assistants/catalogue/all.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import type {Machine, Subject, UnsavedSignIn} from '../../flows/diagnosis/check.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import {nodeVersion} from '../../ports/processes/runtime.ts';
import {kindsOf} from '../../state/derived/wizard-deployment.ts';
import {baseDomainAt, subjectAt} from '../../state/diagnosis/subject-from-state.ts';
import type {Answers, Settings} from '../../state/model.ts';
import {createResumeStore, isWorthResuming} from '../../state/resume-store.ts';
import {noContext} from '../../store/config-store.ts';
import {findOwnPaths} from '../../store/own-paths.ts';
import {version} from '../../version.ts';
import type {Invocation} from '../command.ts';
import {ownCommand, startsOf} from '../find-own-command.ts';
import {portsTo} from '../network-flags.ts';
import {readPlace} from '../read-place.ts';
import {savedContext, typedAddresses} from '../saved-context.ts';
import {readWizardInput} from '../wizard/wizard-input.ts';

/**
 * Returns the subject of a diagnosis and the ports that reach it: the saved deployment, the one whose base domain or
 * addresses the flags name, or the one that an unfinished setup had found.
 *
 * @throws SetupError `input-required` if nothing says where to look
 */
export const subjectOf = async (
  invocation: Invocation,
  base: Ports,
): Promise<{readonly subject: Subject; readonly ports: Ports}> => {
  const {flags} = invocation;
  // The secrets are not read here: that would tighten the mode of their file, and the diagnosis checks that mode.
  const config = await base.config.read();
  const context = savedContext(flags, config);
  if (context) {
    const ports = await portsTo(context, invocation, base);
    const {controlPlaneUrl, observerUrl, authUrl, issuer} = context;
    const platform = platformOfDeployment(context);
    const deployment = {platform, controlPlaneUrl, ...(observerUrl ? {observerUrl} : {}), authUrl, issuer};
    // A person who names a sign-in asks about that one, and not about the saved one.
    if (!signInFlags.some(name => invocation.typed.has(name))) return {subject: {...deployment, context}, ports};
    const {settings, answers} = await readWizardInput(invocation, base, context);
    const named = signInSaid(settings, answers);
    const saidBy = {context: context.name, ...flagsOfSignIn(named, invocation)};
    return {subject: {...deployment, ...named, saidBy}, ports};
  }
  if (flags.context !== undefined) throw noContext(flags.context, config.contexts, {flag: 'context'});
  const {settings: input, answers: typed, ports} = await readWizardInput(invocation, base);
  const company = input.companyFile?.company.platform;
  const settings = company ? {...input, platform: company, kinds: [company]} : input;
  const begun = isNamed(typed) ? undefined : await readUnfinished(invocation, ports);
  const answers = {...begun?.answers, ...typed};
  const {addresses = {}} = answers;
  if (!isNamed(answers)) {
    throw new SetupError('input-required', 'Nothing is set up yet, and no platform was named.', {
      remedy: phrase`Pass --base-domain, or run ${setup()}${begun && isWorthResuming(begun.answers) ? ' to continue your unfinished setup' : ''}.`,
      about: {flag: 'base-domain'},
    });
  }
  const whereabouts = {...settings, ...answers};
  const run = {ports, signal: invocation.signal};
  const {asServed} = await import('../../flows/deployment/examine-platform.ts');
  const served = await asServed(baseDomainAt(whereabouts), settings.platform, addresses, run);
  const subject = subjectAt(whereabouts, served);
  // The kind of platform decides what is checked, and what is right there.
  const {platformAt} = await import('../../flows/deployment/examine-platform.ts');
  const there = await platformAt(subject.controlPlaneUrl, kindsOf(settings), ports, invocation.signal);
  const {platform = settings.platform, issuer} = there;
  // The issuer that the control plane trusts takes precedence over the bundled identity provider's usual name.
  const trusted = issuer === undefined || addresses.authUrl !== undefined ? {} : {authUrl: issuer, issuer};
  const found = subjectAt({...settings, platform, ...answers, addresses: {...trusted, ...addresses}}, served);
  const asks = settings.asks ?? begun?.terms?.asks;
  const named = signInSaid({...settings, ...(asks ? {asks} : {})}, answers);
  const isTyped = Object.keys({...typedAddresses(invocation), ...saidSignIn(invocation)}).length > 0;
  return {
    subject: {
      ...found,
      ...named,
      ...(begun?.terms?.redirectUri === undefined ? {} : {redirectUri: begun.terms.redirectUri}),
      ...(begun ? {isUnfinished: true} : {}),
      ...(begun && !isTyped ? {isResumable: true} : {}),
      saidBy: {...begun?.saidBy, ...typedAddresses(invocation), ...flagsOfSignIn(named, invocation)},
    },
    ports,
  };
};

/** Whether answers say where the platform is. */
const isNamed = ({baseDomain, addresses = {}}: Answers): boolean =>
  baseDomain !== undefined || Object.keys(addresses).length > 0;

/** Returns the answers of a setup that was left unfinished, and the flags that give the same answers. */
const readUnfinished = async ({env}: Invocation, {files}: Ports) => {
  const unfinished = await createResumeStore(files, findOwnPaths(env).resume).read();
  if (!unfinished) return undefined;
  const {baseDomain, addresses, signIn, clientId, terms} = unfinished;
  const {redirectUri, asks = {}} = terms ?? {};
  const flags = {
    ...{'base-domain': baseDomain, 'control-plane-url': addresses?.controlPlaneUrl, issuer: addresses?.issuer},
    ...{'observer-url': addresses?.observerUrl, 'auth-url': addresses?.authUrl, 'redirect-uri': redirectUri},
    ...{scopes: asks.scopes?.join(' '), audience: asks.audience, resource: asks.resource},
  };
  return {
    answers: {
      ...(baseDomain === undefined ? {} : {baseDomain}),
      ...(addresses === undefined ? {} : {addresses}),
      ...(signIn === undefined ? {} : {signIn}),
      ...(clientId === undefined ? {} : {clientId}),
    },
    ...(terms === undefined ? {} : {terms}),
    saidBy: Object.fromEntries(Object.entries(flags).filter((flag): flag is [string, string] => flag[1] !== undefined)),
  };
};

const signInFlags = ['sign-in', 'client-credentials', 'client-id'] as const;

/** The flags about a sign-in or the network that a suggested command repeats. None of them holds a secret. */
const repeated = [
  ...(['sign-in', 'client-id', 'redirect-uri', 'scopes', 'audience', 'resource', 'platform'] as const),
  ...(['allow-http', 'ca-file', 'client-cert', 'client-key'] as const),
];

/** Returns those flags of `repeated` that were typed on the command line, for the commands in remedies. */
const saidSignIn = ({flags, typed}: Invocation): Readonly<Record<string, string>> =>
  Object.fromEntries(
    repeated.flatMap(name => {
      const value = flags[name];
      return typed.has(name) && value !== undefined ? [[name, value] as const] : [];
    }),
  );

/**
 * Returns the flags of the sign-in that a diagnosis is about, for the commands in remedies: those that were typed, and
 * those that name a client. Without these, such a command would sign in a person: the environment may have named the
 * client.
 */
const flagsOfSignIn = (
  {unsaved}: Pick<Subject, 'unsaved'>,
  invocation: Invocation,
): Readonly<Record<string, string>> => {
  const {method = 'browser', clientId} = unsaved ?? {};
  const client =
    method === 'browser' ? {} : {'sign-in': method, ...(clientId === undefined ? {} : {'client-id': clientId})};
  return {...client, ...saidSignIn(invocation)};
};

/** Returns the sign-in that flags and the environment name, if it can be checked before anything is created. */
const signInSaid = (
  {suggested, clientSecret, presets, asks}: Settings,
  answers: Answers,
): {readonly unsaved?: UnsavedSignIn} => {
  const method = answers.signIn ?? suggested;
  if (method === undefined || method === 'create-mcp-client') return {};
  const clientId = answers.clientId ?? (method === 'browser' ? undefined : presets[method]?.clientId);
  return {
    unsaved: {
      method,
      ...(clientId === undefined ? {} : {clientId}),
      ...(method === 'browser' || clientSecret === undefined ? {} : {clientSecret}),
      ...(asks ? {requested: asks} : {}),
      secrets: clientSecret === undefined ? [] : [clientSecret],
    },
  };
};

/** Returns what is known about this machine without checking. */
export const machineOf = ({env, flags, program}: Invocation, {platform, context, redirectUri}: Subject): Machine => {
  return {
    node: nodeVersion(),
    version,
    distrusts: env.NODE_TLS_REJECT_UNAUTHORIZED === '0',
    place: readPlace(env, flags.project),
    own: ownCommand({env, program, flags}),
    startsOf: startsOf({env, program}),
    assistants: allAssistants,
    redirectUri: flags['redirect-uri'] ?? context?.redirectUri ?? redirectUri ?? platform.callbackUrl,
  };
};
