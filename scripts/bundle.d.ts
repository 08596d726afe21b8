import type {BuildOptions} from 'esbuild';

export const program: BuildOptions & {readonly entryPoints: Readonly<Record<string, string>>};
export const bundle: (directory: string) => Promise<void>;
