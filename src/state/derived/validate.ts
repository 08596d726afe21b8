import {parseAddress} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseBaseDomain} from '../../platform/addresses.ts';
import type {WizardState} from '../model.ts';
import type {Validate} from '../view/view.ts';
import {kindsIn} from './wizard-deployment.ts';

/** Returns a validator whose message is the parser's own error. */
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

/** Returns a validator of an address. @param what names the address's owner, as the beginning of a sentence */
export const addressIn = (what: string): Validate => refusing(text => parseAddress(text, what));

/** Returns a client secret without the `Authorization: Bearer` that may have been copied with it. */
export const clientSecretIn = (typed: string): string => typed.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
