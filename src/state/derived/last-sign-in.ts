import type {Secret} from '../../domain/secret.ts';
import type {Answers, SignIn, WizardState} from '../model.ts';

type Known = Pick<WizardState, 'settings' | 'facts' | 'refusedSecrets'>;

/**
 * Returns the last sign-in of a client if this run is about the identity provider at which it was made. The secret is
 * valid only there, so it is neither offered nor sent anywhere else.
 */
const lastHere = ({settings: {lastSignIn}, facts}: Known) =>
  lastSignIn && facts.deployment?.issuer === lastSignIn.issuer ? lastSignIn : undefined;

/**
 * Returns the known answers for a way to sign in: from flags, the environment or the demonstration, else from the last
 * sign-in. A secret that has been refused is left out, so that the person is asked for another.
 */
export const presetFor = (state: Known, way: SignIn): Partial<Answers> | undefined => {
  const last = lastHere(state);
  const preset = state.settings.presets[way] ?? (last?.way === way ? last.preset : undefined);
  if (!preset || isOfAnother(state, preset)) return undefined;
  const {clientSecret, clientEntered, ...others} = preset;
  return clientSecret && isRefused(state, clientSecret) ? others : preset;
};

/** Whether the identity provider has refused a client secret in this run. */
export const isRefused = ({refusedSecrets = []}: Pick<WizardState, 'refusedSecrets'>, secret: Secret): boolean =>
  refusedSecrets.some(one => one.reveal() === secret.reveal());

/** Whether a flag or an environment variable gives the secret that is saved for another identity provider. */
const isOfAnother = (state: Known, {clientSecret}: Partial<Answers>): boolean => {
  const {savedSecret} = state.settings.lastSignIn ?? {};
  return savedSecret !== undefined && lastHere(state) === undefined && clientSecret?.reveal() === savedSecret.reveal();
};

/** Returns the way to sign in that flags suggest, else the one of the last sign-in at this identity provider. */
export const suggestedWay = (state: Known): SignIn | undefined => {
  const {suggested, presets} = state.settings;
  const isUsable = suggested !== undefined && !isOfAnother(state, presets[suggested] ?? {});
  return (isUsable ? suggested : undefined) ?? lastHere(state)?.way;
};

/** The words for the source of a secret that an earlier run has saved. */
export const LAST_SIGN_IN = 'the last sign-in';

/** Returns where a client secret came from, in words; undefined if the person typed it. */
export const secretSource = (
  {settings}: Pick<Known, 'settings'>,
  {clientSecret}: Partial<Answers>,
): string | undefined => {
  const isLast = clientSecret !== undefined && clientSecret === settings.lastSignIn?.preset?.clientSecret;
  return isLast && clientSecret !== settings.clientSecret ? LAST_SIGN_IN : settings.secretFrom;
};
