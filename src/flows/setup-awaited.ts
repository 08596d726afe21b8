/** What is said where `setup-awaited` is told, as a sentence. */
export const setupAwaited = 'Another setup is changing assistants. Waiting until it is done…';
