import type {JsonDialect} from '../editors/json/json-dialect.ts';
import type {EntryFormat} from './entry-format.ts';

/**
 * JSON with the entries in a map under `key`.
 *
 * @param more whether the client cannot read a file that begins with a byte order mark
 */
export const json = (
  key: string,
  dialect: JsonDialect = 'lenient',
  more: {readonly refusesMark?: true} = {},
): EntryFormat => ({
  name: 'JSON',
  editor: async () => (await import('../editors/json-editor.ts')).jsonEditor(key, dialect, more),
  fold: async (bytes, name) =>
    (await import('../editors/json-large.ts')).foldJson(bytes, {own: key, dialect, ...(name ? {name} : {})}),
});

/** Returns the format of a file by its name, for reading and showing the whole file: the entries are under no key. */
export const formatOf = (path: string): EntryFormat => {
  if (path.endsWith('.toml')) return toml('');
  return /\.ya?ml$/.test(path) ? yamlMap('') : json('');
};

/** TOML with each entry in a table `[key.name]`. */
export const toml = (key: string): EntryFormat => ({
  name: 'TOML',
  editor: async () => (await import('../editors/toml-editor.ts')).tomlEditor(key),
});

/** TOML with each entry in a table `[[key]]` of a list, with its `name`. */
export const tomlList = (key: string): EntryFormat => ({
  name: 'TOML',
  editor: async () => (await import('../editors/toml-editor.ts')).tomlEditor(key, 'list'),
});

/** YAML with the entries in a map under `key`. */
export const yamlMap = (key: string): EntryFormat => ({
  name: 'YAML',
  editor: async () => (await import('../editors/yaml-editor.ts')).yamlEditor({key, kind: 'map', head: ''}),
});

/**
 * YAML with the entries in a list under `key`, each with its `name`.
 *
 * @param head the beginning of a new file; ends in a newline
 */
export const yamlList = (key: string, head: string): EntryFormat => ({
  name: 'YAML',
  editor: async () => (await import('../editors/yaml-editor.ts')).yamlEditor({key, kind: 'list', head}),
});
