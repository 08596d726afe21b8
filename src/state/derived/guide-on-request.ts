import type {WizardState} from '../model.ts';
import type {GuideOnRequest} from '../view/view.ts';

/** How the client with which a person signs in is registered, when somebody asks. */
export const guideOnRequest =
  (state: WizardState): GuideOnRequest =>
  async () =>
    (await import('./client-guide.ts')).clientGuideOf(state);
