import {Secret} from '../secret.ts';
import type {Credentials, CredentialsKey} from './credentials.ts';
import type {WantedToken} from './token-request.ts';

/** How a sign-in by a code goes on where the program is not there all the time. */
export type CodeTerms = {
  /** False where the program ends while nobody has typed the code. */
  readonly waits: boolean;
  /** Whether the code of an earlier run is gone on with, in the place of a new one. */
  readonly resumes: boolean;
  /** What the run that goes on has to know besides. */
  readonly note: Readonly<Record<string, string | boolean>>;
};

/** A code that a person has been asked to type (RFC 8628 3.2), and what is needed to go on with it. */
export type PendingCode = {
  readonly issuer: string;
  readonly clientId: string;
  /** What the token is for: the code was asked for with it. */
  readonly wanted: WantedToken;
  readonly verificationUri: string;
  readonly userCode: string;
  /** The address with the code in it, where there is one. */
  readonly complete?: string;
  /** When the code ends, in milliseconds since the epoch. */
  readonly until: number;
  /** How long to leave between two questions, in seconds. */
  readonly interval: number;
  readonly deviceCode: Secret;
  /** Of PKCE. */
  readonly verifier: Secret;
  readonly note: CodeTerms['note'];
};

/** Under which name it is kept among the other secrets: there is one at a time, and a new one takes its place. */
export const pendingKey: CredentialsKey = {issuer: 'pending', clientId: 'sign-in-by-a-code'};

/** The same as it is kept. */
export const keptPending = ({deviceCode, verifier, ...rest}: PendingCode): Credentials => ({
  ...pendingKey,
  pendingSignIn: JSON.stringify({...rest, deviceCode: deviceCode.reveal(), verifier: verifier.reveal()}),
});

/** Undefined where there is none, or none that reads. */
export const pendingIn = (kept: Credentials | undefined): PendingCode | undefined => {
  try {
    const {deviceCode, verifier, ...rest} = JSON.parse(kept?.pendingSignIn ?? '');
    return typeof deviceCode === 'string' && typeof verifier === 'string' && typeof rest.until === 'number'
      ? {...rest, deviceCode: new Secret(deviceCode), verifier: new Secret(verifier)}
      : undefined;
  } catch {
    // The parser's words would quote the secret.
    return undefined;
  }
};
