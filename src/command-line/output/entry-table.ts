import {formatTable} from './format-table.ts';

/** One entry of an assistant, in words. */
export type EntryRow = {
  readonly assistant: string;
  readonly name: string;
  /** Its tools; undefined if it has all of them. */
  readonly tools?: string | undefined;
  readonly path: string;
  /** How it stays signed in. */
  readonly standing: string;
};

/**
 * Formats entries as a table; if that is wider than the terminal, as a few lines for each file. The path and the state
 * of an entry are what the person wants to know, so neither is cut.
 *
 * @param width of the terminal, in columns; without it the table is not limited
 * @returns lines, each with its line feed
 */
export const formatEntries = async (rows: readonly EntryRow[], width?: number): Promise<string> => {
  // Most entries have all tools, which needs no column.
  const isNarrowed = rows.some(({tools}) => tools !== undefined);
  const header = ['ASSISTANT', 'ENTRY', ...(isNarrowed ? ['TOOLS'] : []), 'FILE', 'SIGN-IN'];
  const cells = rows.map(({assistant, name, tools, path, standing}) => [
    assistant,
    name,
    ...(isNarrowed ? [tools ?? 'all'] : []),
    path,
    standing,
  ]);
  const table = await formatTable([header, ...cells]);
  if (width === undefined || table.split('\n').every(line => line.length <= width)) return table;
  const groups = Map.groupBy(rows, ({assistant, path, standing, tools = ''}) =>
    JSON.stringify([assistant, path, standing, tools]),
  );
  return [...groups.values()].map(describeGroup).join('');
};

const describeGroup = (rows: readonly EntryRow[]): string => {
  const [{assistant, path, standing, tools} = {assistant: '', path: '', standing: '', tools: undefined}] = rows;
  const names = rows.map(({name}) => name).join(', ');
  return [
    `${assistant}: ${standing}`,
    `  ${path}`,
    `  ${names}${tools === undefined ? '' : ` (tools: ${tools})`}`,
    '',
  ].join('\n');
};
