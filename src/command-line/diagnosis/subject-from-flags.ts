import {allAssistants} from '../../assistants/catalogue/all.ts';
import {SetupError} from '../../errors/errors.ts';
import {platformAt} from '../../flows/deployment/entry.ts';
import type {Machine, Subject} from '../../flows/diagnosis/entry.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import {nodeVersion} from '../../ports/processes/runtime.ts';
import {SETUP} from '../../setup-command.ts';
import {kindsOf} from '../../state/derived/deployment-of.ts';
import {subjectAt} from '../../state/diagnosis/subject-from-state.ts';
import {version} from '../../version.ts';
import type {Invocation} from '../command.ts';
import {savedContext} from '../context/saved-context.ts';
import {takeNetworkOf} from '../network-flags.ts';
import {ownCommand, startsOf} from '../own-command.ts';
import {readPlace} from '../read-place.ts';
import {readWizardInput} from '../wizard/wizard-input.ts';

/**
 * What a diagnosis is about: the saved deployment, or the one whose base domain or addresses the flags name.
 *
 * @throws SetupError `input-required` when nothing says where to look
 */
export const subjectOf = async (invocation: Invocation, ports: Ports): Promise<Subject> => {
  const {flags} = invocation;
  // Its secrets are not touched: reading them would mend what is to be looked at.
  const context = savedContext(flags, await ports.config.read());
  if (context) {
    await takeNetworkOf(invocation, ports, context);
    const {controlPlaneUrl, observerUrl, authUrl, issuer} = context;
    const platform = platformOfDeployment(context);
    return {platform, context, controlPlaneUrl, ...(observerUrl ? {observerUrl} : {}), authUrl, issuer};
  }
  if (flags.context !== undefined) {
    throw new SetupError('input-invalid', `There is no context called ${flags.context}.`, {
      remedy: `See ${SETUP} context list.`,
      about: {flag: 'context'},
    });
  }
  const {settings: said, answers} = await readWizardInput(invocation, ports);
  const company = said.companyFile?.company.platform;
  const settings = company ? {...said, platform: company, kinds: [company]} : said;
  const {baseDomain, addresses = {}} = answers;
  if (baseDomain === undefined && Object.keys(addresses).length === 0) {
    throw new SetupError('input-required', 'Nothing is set up yet, and no platform was named.', {
      remedy: `Pass --base-domain, or run ${SETUP}.`,
      about: {flag: 'base-domain'},
    });
  }
  const subject = subjectAt({...settings, ...answers});
  // Which kind of platform it is decides what is looked at, and what is right there.
  const there = await platformAt(subject.controlPlaneUrl, kindsOf(settings), ports, invocation.signal);
  const {platform = settings.platform, issuer} = there;
  // Whom the control plane trusts comes before the name that the bundled identity provider would have.
  const trusted = issuer === undefined || addresses.authUrl !== undefined ? {} : {authUrl: issuer, issuer};
  return subjectAt({...settings, platform, ...answers, addresses: {...trusted, ...addresses}});
};

/** What is known of this machine without looking. */
export const machineOf = ({env, flags, program}: Invocation, {platform, context}: Subject): Machine => {
  return {
    node: nodeVersion(),
    version,
    distrusts: env.NODE_TLS_REJECT_UNAUTHORIZED === '0',
    place: readPlace(env, flags.project),
    own: ownCommand({env, program, flags}),
    startsOf: startsOf({env, program}),
    assistants: allAssistants,
    redirectUri: flags['redirect-uri'] ?? context?.redirectUri ?? platform.callbackUrl,
  };
};
