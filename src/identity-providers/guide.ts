import {standard} from './catalogue/standard.ts';
import {fill, type GuideValues, type IdentityProvider} from './identity-provider.ts';

/** The setup of an identity provider, as steps under headings. */
export type Guide = {
  readonly title: string;
  readonly sections: readonly GuideSection[];
};

export type GuideSection = {
  /** Set if the section is only about the client that signs in people. */
  readonly isForPeople?: true;
  readonly heading: string;
  readonly steps: readonly string[];
  /** Lines for copying. */
  readonly block?: string;
};

/** A redirect address at which another program listens. */
export type OtherRedirect = {readonly name: string; readonly address: string};

/**
 * Returns the steps at a kind of identity provider, with a deployment's values filled in.
 *
 * @param others the redirect addresses of assistants that sign in by themselves
 * @param block the control plane values that register the client, as YAML
 */
export const guideOf = (
  provider: IdentityProvider,
  values: GuideValues,
  others: readonly OtherRedirect[] = [],
  block?: string,
): Guide => {
  const {name, guide, refreshToken, redirects, audience, unfit} = provider;
  const known = {...values, ...scopesWith(refreshToken.scope, values)};
  const filled = (steps: readonly string[]) => steps.map(step => fill(step, known));
  const title = `${name}: ${evidenceOf(provider)}`;
  if (unfit !== undefined) {
    return {title, sections: [{heading: 'The platform cannot use it', steps: [`${unfit}.`, ...filled(guide.person)]}]};
  }
  const offline =
    refreshToken.scope === undefined
      ? []
      : [`This program itself requests the scope ${refreshToken.scope}, which brings a refresh token.`];
  const listening = others.map(one => `${one.name}, if it signs in by itself: ${one.address}`);
  return {
    title,
    sections: [
      {heading: 'For people: a public client', steps: filled(guide.person), isForPeople: true},
      {heading: 'For service accounts: a confidential client', steps: filled(guide.serviceAccount)},
      {heading: 'Redirect addresses', steps: [...filled([redirects]), ...listening], isForPeople: true},
      {heading: 'The audience of access tokens', steps: filled([audience])},
      {
        heading: 'Refresh tokens',
        isForPeople: true,
        steps: [
          ...offline,
          ...filled([refreshToken.setting ?? standard.refreshToken.setting]),
          ...filled(refreshToken.lifetime === undefined ? [] : [refreshToken.lifetime]),
        ],
      },
      ...(block === undefined
        ? []
        : [
            {
              heading: 'At the platform',
              steps: ['Register the client in the control plane values:'],
              block,
              isForPeople: true as const,
            },
          ]),
    ],
  };
};

/**
 * Returns the scopes that a client has to be allowed: those of the platform, and the one that brings a refresh token.
 */
const scopesWith = (offline: string | undefined, {scopes}: GuideValues): Pick<GuideValues, 'scopes'> => {
  if (offline === undefined || scopes === undefined || scopes.split(' ').includes(offline)) return {};
  return {scopes: `${scopes} ${offline}`};
};

/** Returns the evidence for a guide, in words. */
export const evidenceOf = ({evidence}: IdentityProvider): string =>
  evidence === 'run' ? 'tried on the running program' : 'from its documentation, not tried';

/** Returns a guide as lines of text, without line breaks inside a step. */
export const guideText = ({title, sections}: Guide): string => [title, ...sections.map(sectionText)].join('\n\n');

const sectionText = ({heading, steps, block}: GuideSection): string => {
  const numbered = steps.map((step, index) => (steps.length === 1 ? `  ${step}` : `  ${index + 1}. ${step}`));
  return [heading, ...numbered, ...(block === undefined ? [] : ['', block.trimEnd()])].join('\n');
};
