import {realpathSync} from 'node:fs';
import {basename, delimiter, dirname, isAbsolute, join} from 'node:path';
import {isSamePath, isWithin} from '../../domain/paths.ts';
import type {Env} from '../ports.ts';

/**
 * The directories into which npx, pnpm dlx, yarn dlx, bunx and Deno fetch programs, for one run or until they are
 * cleaned.
 */
const fetched = /[\\/](_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+|deno[\\/]npm)[\\/]/;

/** A package in a moved cache of Deno: below the registry's name, in a directory of its version. */
const cachedByDeno = /[\\/]npm[\\/][^\\/]+[\\/](?:@[^\\/]+[\\/])?[^\\/]+[\\/]\d+\.\d+\.\d+[^\\/]*[\\/]bin[\\/]/;

/**
 * Directories in which managers of Node, Bun and Deno keep one version until an upgrade, which also removes its global
 * packages.
 */
const versioned = new RegExp(
  `[\\\\/]\\.?(?:${[
    'nvm[\\\\/](?:versions[\\\\/]|v\\d)',
    'Cellar[\\\\/]',
    'fnm_multishells[\\\\/]',
    'node-versions[\\\\/]',
    'volta[\\\\/]tools[\\\\/]',
    '(?:asdf|mise|rtx)[\\\\/]installs[\\\\/]',
    'n[\\\\/]versions[\\\\/]',
    'nodenv[\\\\/]versions[\\\\/]',
    'nodebrew[\\\\/]node[\\\\/]',
    'nvs[\\\\/]node[\\\\/]',
    'proto[\\\\/]tools[\\\\/]',
    'version-fox[\\\\/]cache[\\\\/]',
    'pnpm[\\\\/]nodejs[\\\\/]',
    'snap[\\\\/][^\\\\/]+[\\\\/]x?\\d+[\\\\/]',
    '(?:nix|gnu)[\\\\/]store[\\\\/]',
  ].join('|')})`,
);

/** Packages of a project, which disappear with it or with its next installation. */
const installed = /[\\/]node_modules[\\/]/;

/** Packages for all users or for the person: below npm's prefix, and in the global stores of pnpm, Yarn and Bun. */
const installedForGood = /[\\/](?:lib|npm|nodejs|global(?:[\\/]\d+)?)[\\/]node_modules[\\/]/;

/**
 * Whether a program stays where it is. One that was fetched for a run, or belongs to a project or to one version of
 * Node, does not.
 */
export const isLasting = (path: string): boolean =>
  !fetched.test(path) &&
  !cachedByDeno.test(path) &&
  !versioned.test(path) &&
  (!installed.test(path) || installedForGood.test(path));

type Names = {
  readonly env: Env;
  /** The launcher of this program. */
  readonly program: string;
  readonly resolve?: (path: string) => string;
};

/**
 * Returns the path of the running Node, or another path to the same Node, that will still exist after its next upgrade:
 * for a Node in a directory of its version, a package manager's link on PATH. Undefined if there is none.
 */
export const lastingNode = (node: string, {env, program, resolve = realpathSync}: Names): string | undefined => {
  // A checkout's own Node disappears with the checkout, and so does the program.
  if (isLasting(node) || isWithin(node, join(dirname(dirname(program)), 'node_modules'))) return node;
  const isSame = (path: string) => {
    try {
      return isSamePath(resolve(path), resolve(node));
    } catch {
      return false;
    }
  };
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map(directory => join(directory, basename(node)))
    .find(path => isLasting(path) && isSame(path));
};
