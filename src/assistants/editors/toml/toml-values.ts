import type {AST} from 'toml-eslint-parser';

type Table = Record<string, unknown>;

/**
 * What a TOML text says, as values. Tables have no prototype: the parser's own conversion walks into the prototype of all
 * objects at a key `__proto__`, so that a file could give a member to every object of this program.
 */
export const tomlValues = (ast: AST.TOMLProgram): Readonly<Table> => {
  const root = table();
  for (const node of ast.body[0]?.body ?? []) {
    if (node.type === 'TOMLKeyValue') put(root, node);
    else {
      const above = placeOf(root, node.resolvedKey);
      for (const pair of node.body) put(above, pair);
    }
  }
  return root;
};

const table = (): Table => Object.create(null);

/** The table at this place, made with all that leads there. A number is a place in an array of tables. */
const placeOf = (root: Table, keys: readonly (string | number)[]): Table => {
  let at: Table | unknown[] = root;
  for (const [index, key] of keys.entries()) {
    const found: unknown = memberOf(at, key);
    const next: Table | unknown[] = isPlace(found) ? found : typeof keys[index + 1] === 'number' ? [] : table();
    if (next !== found)
      Object.defineProperty(at, key, {value: next, enumerable: true, writable: true, configurable: true});
    at = next;
  }
  return at as Table;
};

const memberOf = (at: Table | unknown[], key: string | number): unknown =>
  Object.hasOwn(at, key) ? (at as Table)[key] : undefined;

const isPlace = (value: unknown): value is Table | unknown[] =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

const put = (above: Table, {key, value}: AST.TOMLKeyValue): void => {
  const keys = keysOf(key);
  const last = keys.at(-1);
  if (last !== undefined) placeOf(above, keys.slice(0, -1))[last] = valueIn(value);
};

const valueIn = (node: AST.TOMLContentNode): unknown => {
  if (node.type === 'TOMLArray') return node.elements.map(valueIn);
  if (node.type !== 'TOMLInlineTable') return node.value;
  const values = table();
  for (const pair of node.body) put(values, pair);
  return values;
};

/** The names in a key, dotted or not, without their quotes. */
export const keysOf = ({keys}: AST.TOMLKey): readonly string[] =>
  keys.map(part => (part.type === 'TOMLBare' ? part.name : part.value));
