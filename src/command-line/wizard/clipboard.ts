import type {Env, Processes} from '../../ports/ports.ts';

/** The longest wait for tmux, in milliseconds: the person waits for the key that they pressed. */
const TIMEOUT = 2000;

/**
 * Copies a text inside tmux. With its usual settings tmux drops what a program sends to the clipboard (OSC 52), so the
 * text is passed to tmux itself: into its buffer, and into the clipboard if its terminal has one. Resolves to whether
 * that worked.
 */
export const tmuxClipboard =
  (env: Env, processes: Pick<Processes, 'run'>, signal: AbortSignal) =>
  async (text: string): Promise<boolean> => {
    if (!env.TMUX) return false;
    const load = async (...words: readonly string[]) => {
      const options = {timeout: TIMEOUT, signal, environment: 'shell', input: text} as const;
      const ended = await processes.run('tmux', ['load-buffer', ...words, '-'], options);
      return ended.outcome === 'exited' && ended.code === 0;
    };
    // Before 3.2 tmux has a buffer, but no way to the clipboard.
    return (await load('-w')) || load();
  };
