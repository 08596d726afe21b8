/** The question of a command that an assistant runs: whether it may act as the person. */
export type ConsentRequest = {readonly context: string; readonly command: string};

/**
 * What the person chose; without `action` if the bridge that was asked cannot ask them. `later` if it asks them with the
 * next call of a tool, and the command has to ask again after that.
 */
export type ConsentAnswer = {readonly action?: 'accept' | 'decline' | 'cancel' | 'later'};
