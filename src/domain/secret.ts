const HIDDEN = '<secret>';

/**
 * A password, a token, or any other text or bytes that only its recipient may see. Only `reveal` returns the content;
 * JSON, templates and `util.inspect` show `<secret>`.
 */
export class Secret<T extends string | Buffer = string> {
  readonly #text: T;

  constructor(text: T) {
    this.#text = text;
  }

  reveal(): T {
    return this.#text;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.toPrimitive](): string {
    return HIDDEN;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN;
  }
}

/** Wraps a text. Undefined and an empty text give undefined. */
export const secretFrom = (text: string | undefined): Secret | undefined =>
  text === undefined || text === '' ? undefined : new Secret(text);

/** Returns every secret in a value, down to nine levels. */
export const secretsIn = (value: unknown, depth = 0): readonly Secret[] => {
  if (value instanceof Secret) return [value];
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  return Object.values(value).flatMap(one => secretsIn(one, depth + 1));
};
