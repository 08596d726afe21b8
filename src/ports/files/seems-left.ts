import {readdirSync, readFileSync} from 'node:fs';
import {dirname} from 'node:path';

/** How the names end of what a killed process leaves: locks, temp files, the config under its second name. */
const ending = /\.(?:lock|tmp|former)$/;

/**
 * Whether anything in the directories of these files looks as if a killed process had left it. Quick, and wrong at times
 * in saying so: who removes something looks again.
 */
export const seemsLeftBeside = (paths: readonly string[]): boolean =>
  [...new Set(paths.map(dirname))].some(directory => {
    try {
      return readdirSync(directory).some(name => ending.test(name));
    } catch {
      return false;
    }
  });

/** The files of assistants that a config names; none where it cannot be read, which others say. */
export const entryPathsIn = (config: string): readonly string[] => {
  try {
    const {contexts}: {contexts: readonly {entries?: readonly {path: string}[]; cli?: {path: string}}[]} = JSON.parse(
      readFileSync(config, 'utf8'),
    );
    const named = contexts.flatMap(({entries = [], cli}) => [...entries, ...(cli ? [cli] : [])]);
    return named.flatMap(({path}) => (typeof path === 'string' ? path : []));
  } catch {
    return [];
  }
};
