/** What is said of a limit of the system's, by its name for it. */
const sentences: Readonly<Record<string, string>> = {
  EMFILE: 'This process cannot open more files (EMFILE).',
  ENFILE: 'This machine has too many files open (ENFILE).',
  ENOMEM: 'This machine is out of memory (ENOMEM).',
};

/**
 * The limit of the system's that an error is about, as a sentence; undefined where it is about none. Of a file EAGAIN means
 * something else than of a program that is started: that no more may be (setrlimit(2), RLIMIT_NPROC).
 */
export const limitIn = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const isStart = 'syscall' in error && /^(spawn|uv_thread_create|fork)/.test(String(error.syscall));
  if (code === 'EAGAIN' && isStart) return 'No more processes can be started (EAGAIN).';
  return sentences[code] ?? limitIn(error.cause);
};
