import {parseAddress} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseBaseDomain} from '../../platform/addresses.ts';
import type {WizardState} from '../model.ts';
import type {Validate} from '../view/view.ts';
import {kindsIn} from './company.ts';

/** Why a parser refuses a text, in its own sentence. */
const refusing =
  (parse: (text: string) => unknown): Validate =>
  text => {
    try {
      parse(text);
      return undefined;
    } catch (error) {
      if (error instanceof SetupError) return error.message;
      throw error;
    }
  };

export const baseDomainIn = (state: WizardState): Validate => refusing(text => parseBaseDomain(text, kindsIn(state)));

/** @param what whose address it is, as the beginning of a sentence */
export const addressIn = (what: string): Validate => refusing(text => parseAddress(text, what));

/** A client secret, also where it was copied with what stands before it in a header. */
export const clientSecretIn = (typed: string): string => typed.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
