/** The operating system's own place for secrets. */
export type Keychain = {
  /** How people call it. */
  readonly name: string;
  /** Whether it takes, gives back and forgets: anything less is none. Takes a few seconds at most. */
  works(): Promise<boolean>;
  /** Undefined when there is none of that account. Rejects when it cannot be read: locked, or not to be reached. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
};
