/** The sentence to show for the event `setup-awaited`. */
export const setupAwaited = 'Another setup is changing assistants. Waiting until it is done…';
