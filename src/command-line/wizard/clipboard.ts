import type {Env, Processes} from '../../ports/ports.ts';

/** How long tmux may take, in milliseconds: the person waits for the key that they pressed. */
const PATIENCE = 2000;

/**
 * Copies a text inside tmux. With its usual settings it drops what a program sends to the clipboard (OSC 52), so it is
 * told itself: the text is in its buffer, and in the clipboard where its terminal has one. Resolves with whether it is.
 */
export const tmuxClipboard =
  (env: Env, processes: Pick<Processes, 'run'>, signal: AbortSignal) =>
  async (text: string): Promise<boolean> => {
    if (!env.TMUX) return false;
    const load = async (...words: readonly string[]) => {
      const options = {timeout: PATIENCE, signal, environment: 'shell', input: text} as const;
      const ended = await processes.run('tmux', ['load-buffer', ...words, '-'], options);
      return ended.outcome === 'exited' && ended.code === 0;
    };
    // Before 3.2 it has a buffer, and no way to the clipboard.
    return (await load('-w')) || load();
  };
