/** What a sandbox was asked to be cannot be. The message is a sentence for whoever asked. */
export class SandboxInputError extends Error {
  override readonly name = 'SandboxInputError';
}
