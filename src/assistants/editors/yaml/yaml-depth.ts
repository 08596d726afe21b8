import {type CST, Parser} from 'yaml';
import {DEEPEST} from '../parse-limits.ts';

/**
 * How deep the lists and maps of a YAML text lie in each other, at most: of few signs that can make one, each counts as a
 * level, for parsing them would take as long as everything else that is done with a small file. The part of the parser that finds this calls itself for no
 * level; whatever comes after it does.
 */
export const yamlDepth = (text: string): number => {
  const signs = text.match(/[[{:?-]/g)?.length ?? 0;
  if (signs <= DEEPEST) return signs;
  let deepest = 0;
  const left: (readonly [token: CST.Token | null | undefined, depth: number])[] = [];
  for (const token of new Parser().parse(text)) left.push([token, 0]);
  for (let next = left.pop(); next; next = left.pop()) {
    const [token, depth] = next;
    if (!token) continue;
    if (token.type === 'document') left.push([token.value, depth]);
    if (!('items' in token)) continue;
    deepest = Math.max(deepest, depth + 1);
    for (const {key, value} of token.items) left.push([key, depth + 1], [value, depth + 1]);
  }
  return deepest;
};
