/** `path` below `base`, which may have a path of its own and end in a slash or not. */
export const addressOf = (base: string, path: string): URL => new URL(`${base.replace(/\/+$/, '')}${path}`);
