import type {Deployment} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {quietRun} from '../../flows/quiet-run.ts';
import {kindsOf} from '../../state/derived/deployment-of.ts';
import type {WizardInput} from '../wizard/wizard-input.ts';

type How = {readonly signal: AbortSignal; readonly warn: (message: string) => void};

/**
 * Returns the platform that flags lead to, as it answers now, for a command that asks no questions.
 *
 * @throws SetupError `input-required` if there are several platforms; otherwise as `findDeployment` does
 */
export const liveDeployment = async (
  {settings, answers, ports}: WizardInput,
  {signal, warn}: How,
): Promise<Deployment> => {
  const {baseDomain, addresses = {}} = answers;
  const {layout} = settings;
  const company = settings.companyFile?.company.platform;
  const platforms = company ? [company] : kindsOf(settings);
  const input = {platforms, addresses, layout, ...(baseDomain === undefined ? {} : {baseDomain})};
  const {findDeployment} = await import('../../flows/deployment/find-deployment.ts');
  const found = await findDeployment(input, quietRun(ports, signal, warn));
  if ('deployment' in found) return found.deployment;
  const named = found.choices.map(({controlPlaneUrl}) => `--base-domain ${controlPlaneUrl}`).join(' or ');
  throw new SetupError('input-required', 'More than one platform was found.', {
    remedy: `Choose one: ${named}.`,
    about: {flag: 'base-domain'},
  });
};
