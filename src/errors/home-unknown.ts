/**
 * Thrown if the person's home is unknown, as for a user number without an account in a container. It is not a
 * `SetupError`, because then each call of `setup token` would load `errors.ts`; `toSetupError` converts it.
 */
export class HomeUnknown extends Error {
  override readonly name = 'HomeUnknown';

  constructor(options: {readonly cause?: unknown} = {}) {
    super('There is no home directory: HOME is not set, and this user has no account.', options);
  }
}
