/**
 * That nobody says where the person's home is, as for a user number without an account in a container. No `SetupError`,
 * whose table would be read by each call of `setup token`; `toSetupError` makes one of it.
 */
export class HomeUnknown extends Error {
  override readonly name = 'HomeUnknown';

  constructor(options: {readonly cause?: unknown} = {}) {
    super('There is no home directory: HOME is not set, and this user has no account.', options);
  }
}
