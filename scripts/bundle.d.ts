import type {BuildOptions} from 'esbuild';

/** Each a bundle of its own, as esbuild makes it. */
export const token: BuildOptions;
export const bridge: BuildOptions;
export const program: BuildOptions & {readonly entryPoints: Readonly<Record<string, string>>};
export const bundle: (directory: string) => Promise<void>;
