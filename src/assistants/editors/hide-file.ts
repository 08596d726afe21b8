import {json, toml, yamlMap} from '../formats/formats.ts';

/** Another program's file for showing, whichever it is: every value and comment is replaced. */
export const hideFile = async (text: string, path: string): Promise<string> => {
  const format = path.endsWith('.toml') ? toml('') : /\.ya?ml$/.test(path) ? yamlMap('') : json('');
  return (await format.editor()).hide(text, []);
};
