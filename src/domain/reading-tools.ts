/** Returns whether a server's annotations say that a tool only reads (`readOnlyHint`); undefined if they do not say. */
export const readOnlyHintIn = (annotations: unknown): boolean | undefined => {
  if (typeof annotations !== 'object' || annotations === null || !('readOnlyHint' in annotations)) return undefined;
  return typeof annotations.readOnlyHint === 'boolean' ? annotations.readOnlyHint : undefined;
};

/** The verbs with which the name of a tool that only reads usually begins. */
const readingName = /^(?:get|list|query|search|describe)_/;

/**
 * Whether a tool only reads: by a list of such tools, otherwise by what its server says of it (`readOnlyHint`, MCP
 * 2025-11-25, tools), otherwise by the verb of its name. Any other tool counts as changing something.
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
