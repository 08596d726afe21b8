import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';

export type FileOnDisk = {
  /** The path below the directory that was searched. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly text: string;
};

/** Returns every file below a directory, by path. */
export const filesBelow = (directory: string): readonly FileOnDisk[] =>
  readdirSync(directory, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .map(path => ({path: relative(directory, path), mode: modeOf(path), text: readFileSync(path, 'utf8')}));

/** Returns the same without compiled code, which programs may keep in the person's cache. */
export const filesOutsideCache = (home: string): readonly FileOnDisk[] =>
  filesBelow(home).filter(({path}) => !path.startsWith('.cache/'));

/** Returns everything below a directory: files with mode and bytes, directories with their mode. */
export const treeOf = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, {recursive: true, withFileTypes: true}).map(entry => {
      const path = join(entry.parentPath, entry.name);
      const mode = modeOf(path).toString(8);
      return [relative(directory, path), entry.isFile() ? `${mode} ${readFileSync(path, 'base64')}` : mode];
    }),
  );

/** Returns the permission bits of a file or directory. */
export const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Returns the one directory below TMPDIR that a demonstration created. */
export const demoDirectory = (temporary: string): string => {
  const [name, ...others] = readdirSync(temporary).filter(one => one.startsWith('platform-setup-demo-'));
  if (!name || others.length > 0) throw new Error(`One directory of a demonstration was expected in ${temporary}.`);
  return join(temporary, name);
};

/** Reads what a demonstration wrote, from where an assistant and the next `setup` would read it. */
export const readDemo = (directory: string) => {
  const mcpPath = join(directory, 'project', '.mcp.json');
  const credentialsPath = join(directory, 'home', 'credentials.json');
  const mcp: McpFile = JSON.parse(readFileSync(mcpPath, 'utf8'));
  const {credentials} = JSON.parse(readFileSync(credentialsPath, 'utf8')) as {credentials: readonly Credentials[]};
  const [kept] = credentials;
  if (!kept || credentials.length > 1) throw new Error('One kept sign-in was expected.');
  return {mcpPath, credentialsPath, mcp, token: kept.accessToken, clientSecret: kept.clientSecret};
};

type Credentials = {readonly accessToken: string; readonly clientSecret: string};

type McpFile = {readonly mcpServers: Readonly<Record<string, {readonly url: string}>>};
