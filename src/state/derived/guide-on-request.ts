import type {WizardState} from '../model.ts';
import type {GuideOnRequest} from '../view/view.ts';

/** Loads the guide for registering the client of the assistants' account, when the person asks for it. */
export const accountGuideOnRequest =
  (state: WizardState): GuideOnRequest =>
  async () =>
    (await import('./client-guide.ts')).accountGuideOf(state);

/** Loads the guide for registering the client with which a person signs in, when the person asks for it. */
export const guideOnRequest =
  (state: WizardState): GuideOnRequest =>
  async () =>
    (await import('./client-guide.ts')).clientGuideOf(state);
