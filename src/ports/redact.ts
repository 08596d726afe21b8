import {withoutTokens} from '../text.ts';

/** Shorter than this, a secret would be found in words that have nothing to do with it. */
const SHORTEST = 6;

/** Parameters of a sign-in that is under way: who has them may try to end it in the person's place. */
const signInParameters = /(?<=[?&](?:code|state|nonce|code_verifier|device_code)=)[^&#\s"']+/g;

/** What stands between a user's name and the host of an address, with a scheme or without (RFC 3986 3.2.1). */
const passwordInAddress = /^((?:[\w+.-]+:\/\/)?[^:@/\s]*:)(.*)@/s;

/** The password in an address, as it stands and decoded; nothing where there is none. */
export const passwordsIn = (address: string): readonly string[] => {
  const password = passwordInAddress.exec(address)?.[2] ?? '';
  if (password === '') return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
};

/** An address without the password in it. */
export const withoutPassword = (address: string): string => address.replace(passwordInAddress, '$1<secret>@');

/** A second net below the rule that no secret comes near what is shown: it knows the secrets of this run, and their shapes. */
export type Redactor = {
  learn(secret: string | undefined): void;
  /** The text with every known secret, and everything that looks like a token, replaced. */
  redact(text: string): string;
  /** Whether there is anything to replace. */
  holdsSecret(text: string): boolean;
};

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>();
  const redact = (text: string) => {
    const withoutSecrets = [...secrets]
      // The longest first, so that no end of one is left when another is a part of it.
      .toSorted((one, other) => other.length - one.length)
      .reduce((shown, secret) => shown.replaceAll(secret, '<secret>'), text);
    return withoutTokens(withoutSecrets).replaceAll(signInParameters, '<once>');
  };
  return {
    learn: secret => {
      if (secret === undefined || secret.length < SHORTEST) return;
      // As it stands, and as it stands in a URL, in a form, in JSON.
      const encoded = encodeURIComponent(secret);
      for (const form of [secret, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1)])
        secrets.add(form);
    },
    redact,
    holdsSecret: text => redact(text) !== text,
  };
};
