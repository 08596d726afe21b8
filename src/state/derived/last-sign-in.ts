import type {Answers, SignIn, WizardState} from '../model.ts';

type Known = Pick<WizardState, 'settings' | 'facts'>;

/**
 * The last sign-in of a client, where this run is about the identity provider that it was made at: its secret is for
 * nobody else, so it is neither offered nor sent anywhere else.
 */
const lastHere = ({settings: {lastSignIn}, facts}: Known) =>
  lastSignIn && facts.deployment?.issuer === lastSignIn.issuer ? lastSignIn : undefined;

/** What is known for a way to sign in: from flags, the environment and the demonstration, else from the last sign-in. */
export const presetFor = (state: Known, way: SignIn): Partial<Answers> | undefined => {
  const last = lastHere(state);
  const preset = state.settings.presets[way] ?? (last?.way === way ? last.preset : undefined);
  return preset && isOfAnother(state, preset) ? undefined : preset;
};

/** Whether a flag or a variable names the secret that is saved for another identity provider. */
const isOfAnother = (state: Known, {clientSecret}: Partial<Answers>): boolean => {
  const {kept} = state.settings.lastSignIn ?? {};
  return kept !== undefined && lastHere(state) === undefined && clientSecret?.reveal() === kept.reveal();
};

/** The way that flags suggest, else the one that the last sign-in at this identity provider took. */
export const suggestedWay = (state: Known): SignIn | undefined => {
  const {suggested, presets} = state.settings;
  const isUsable = suggested !== undefined && !isOfAnother(state, presets[suggested] ?? {});
  return (isUsable ? suggested : undefined) ?? lastHere(state)?.way;
};

/** Where a client secret came from, in words; undefined where the person typed it. */
export const secretSource = (
  {settings}: Pick<Known, 'settings'>,
  {clientSecret}: Partial<Answers>,
): string | undefined => {
  const isLast = clientSecret !== undefined && clientSecret === settings.lastSignIn?.preset?.clientSecret;
  return isLast && clientSecret !== settings.clientSecret ? 'the last sign-in' : settings.secretFrom;
};
