import type {BuildOptions} from 'esbuild';

/** Each is a bundle of its own, as options of esbuild. */
export const token: BuildOptions;
export const bridge: BuildOptions;
export const program: BuildOptions & {readonly entryPoints: Readonly<Record<string, string>>};
export const bundle: (directory: string) => Promise<void>;
