const usual = 20;
const most = 100;

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly pagination: {readonly nextCursor?: string};
};

/**
 * The part of a list that a request asks for with `limit` and `cursor`: 20 at a time unless it says otherwise, and never
 * more than 100. Undefined for what is no limit or no cursor of ours.
 */
export const pageOf = <Item>(items: readonly Item[], query: URLSearchParams): Page<Item> | undefined => {
  const limit = Number(query.get('limit') ?? usual);
  const start = startOf(query.get('cursor') ?? '');
  if (!Number.isInteger(limit) || limit < 1 || start === undefined) return undefined;
  const end = start + Math.min(limit, most);
  return {
    items: items.slice(start, end),
    pagination: end < items.length ? {nextCursor: cursorOf(end)} : {},
  };
};

const cursorOf = (start: number) => Buffer.from(`after:${start}`).toString('base64url');

const startOf = (cursor: string) => {
  if (cursor === '') return 0;
  const [, start] = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return start === undefined ? undefined : Number(start);
};
