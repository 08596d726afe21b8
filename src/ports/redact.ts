import {withoutTokens} from '../text.ts';

/** A shorter secret would be found in unrelated words. */
const SHORTEST = 6;

/** Parameters of a pending sign-in: with them, another person could try to complete it. */
const signInParameters = /(?<=[?&](?:code|state|nonce|code_verifier|device_code)=)[^&#\s"']+/g;

/** The password between the user name and the host of an address, with or without a scheme (RFC 3986 3.2.1). */
const passwordInAddress = /^((?:[\w+.-]+:\/\/)?[^:@/\s]*:)(.*)@/s;

/** Returns the password in an address, as it is and decoded; an empty list if there is none. */
export const passwordsIn = (address: string): readonly string[] => {
  const password = passwordInAddress.exec(address)?.[2] ?? '';
  if (password === '') return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
};

/** Returns an address with `<secret>` in place of its password. */
export const withoutPassword = (address: string): string => address.replace(passwordInAddress, '$1<secret>@');

/**
 * A second safeguard, besides the rule that no secret gets near what is shown. It knows the secrets of this run, and
 * the forms of tokens.
 */
export type Redactor = {
  learn(secret: string | undefined): void;
  /** Returns the text with every known secret, and everything that looks like a token, replaced. */
  redact(text: string): string;
  /** Whether a text contains anything to replace. */
  holdsSecret(text: string): boolean;
};

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>();
  const redact = (text: string) => {
    const withoutSecrets = [...secrets]
      // The longest first: if one secret is part of another, no rest of the longer one may remain.
      .toSorted((one, other) => other.length - one.length)
      .reduce((shown, secret) => shown.replaceAll(secret, '<secret>'), text);
    return withoutTokens(withoutSecrets).replaceAll(signInParameters, '<once>');
  };
  return {
    learn: secret => {
      if (secret === undefined || secret.length < SHORTEST) return;
      // As it is, and as it appears in a URL, in a form and in JSON.
      const encoded = encodeURIComponent(secret);
      for (const form of [secret, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1)])
        secrets.add(form);
    },
    redact,
    holdsSecret: text => redact(text) !== text,
  };
};
