import {standard} from './catalogue/standard.ts';
import {
  type Cause,
  fill,
  type GuideValues,
  type IdentityProvider,
  type Refusal,
  type Stage,
} from './identity-provider.ts';

/** An answer that refuses something: the error of the protocol, and what was said besides; a page has only that. */
export type Refused = {readonly at: Stage; readonly error?: string | undefined; readonly says?: string | undefined};

/** Why, by what this kind of identity provider says, else by what the standards have it say; undefined where neither tells. */
export const causeOf = (provider: IdentityProvider, refused: Refused): Cause | undefined =>
  [...provider.refusals, ...standard.refusals].find(one => fits(one, refused))?.cause;

/** More than any explanation is long, in characters: what it says of itself is looked for in this much of it. */
const LONGEST = 1_000;

const fits = ({at, error, says}: Refusal, refused: Refused): boolean =>
  (at === undefined || at.includes(refused.at)) &&
  (error === undefined || error === refused.error) &&
  (says === undefined || says.test((refused.says ?? '').slice(0, LONGEST)));

/** Where a cause is mended at this kind of identity provider, in one sentence. */
export const settingOf = (provider: IdentityProvider, cause: Cause, values: GuideValues): string =>
  fill(provider.settings[cause] ?? standard.settings[cause], values);

/** Whom a person asks for what only operators can change. */
export const operatorsChange = ({id, name}: IdentityProvider, setting: string): string =>
  `Ask the operators of ${id === 'standard' ? 'the identity provider' : name} to change this: ${setting}`;
