/** Returns what a server says of a tool in its annotations; undefined if it says nothing. */
export const readOnlyHintIn = (annotations: unknown): boolean | undefined => {
  if (typeof annotations !== 'object' || annotations === null || !('readOnlyHint' in annotations)) return undefined;
  return typeof annotations.readOnlyHint === 'boolean' ? annotations.readOnlyHint : undefined;
};

/** The verbs with which the names of tools begin that only read. */
const readingName = /^(?:get|list|query|search|describe)_/;

/**
 * Whether a tool only reads: by a list of such tools, otherwise by what its server says of it (`readOnlyHint`, MCP
 * 2025-11-25, tools), otherwise by the verb of its name. Whatever is none of these counts as changing something.
 *
 * @param hint what the server says; undefined if it says nothing
 * @param listed names of tools that only read although their names do not say so
 */
export const isReading = (name: string, hint: boolean | undefined, listed: readonly string[]): boolean =>
  listed.includes(name) || (hint ?? readingName.test(name));

type Described = {readonly name: string; readonly annotations?: unknown};

/** Returns those of the tools that only read, as `isReading` decides it. */
export const readingAmong = <Tool extends Described>(
  tools: readonly Tool[],
  listed: readonly string[],
): readonly Tool[] => tools.filter(({name, annotations}) => isReading(name, readOnlyHintIn(annotations), listed));
