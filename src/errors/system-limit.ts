/**
 * What to do about a limit of the system. This text is defined outside the table of errors, because the table cannot be
 * loaded once no more files can be opened.
 */
export const LIMIT_REMEDY =
  'Close other programs, or raise the limits of files and processes (ulimit -n and ulimit -u show them), then try again.';

/** The sentence for a limit of the system, by the system's code. */
const sentences: Readonly<Record<string, string>> = {
  EMFILE: 'This process cannot open more files (EMFILE).',
  ENFILE: 'This machine has too many files open (ENFILE).',
  ENOMEM: 'This machine is out of memory (ENOMEM).',
};

/**
 * Returns the limit of the system that an error is about, as a sentence; undefined for any other error. EAGAIN at the
 * start of a program means that no more processes may be started (setrlimit(2), RLIMIT_NPROC); for a file it means
 * something else.
 */
export const limitIn = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const isStart = 'syscall' in error && /^(spawn|uv_thread_create|fork)/.test(String(error.syscall));
  if (code === 'EAGAIN' && isStart) return 'No more processes can be started (EAGAIN).';
  return sentences[code] ?? limitIn(error.cause);
};
