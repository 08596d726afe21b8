/** The operating system's store for secrets. */
export type Keychain = {
  /** The name that people know it by. */
  readonly name: string;
  /** Whether the keychain stores, returns and deletes a secret. Takes a few seconds at most. */
  works(): Promise<boolean>;
  /** Undefined if there is no secret of that account. Rejects if it cannot be read: locked, or unreachable. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
};
