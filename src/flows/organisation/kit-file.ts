/** One file of an organisation kit. */
export type KitFile = {
  /** Below the directory of the kit, with slashes. */
  readonly path: string;
  readonly text: string;
  /** What it is for, a sentence. Absent where it is part of another file's purpose. */
  readonly does?: string;
  /** How it is known to work, a sentence. */
  readonly checked?: string;
};

/** Lines that are comments where `#` begins one. */
export const comment = (...lines: readonly string[]): string => lines.map(line => `# ${line}\n`).join('');

/** The company file's path in the kit. */
export const COMPANY_FILE = 'platform-setup.json';
