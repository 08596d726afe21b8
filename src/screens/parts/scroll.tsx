import {Box, type DOMElement, measureElement} from 'ink';
import {type ReactNode, type RefObject, useLayoutEffect, useRef, useState} from 'react';
import {type Binding, nameOf} from './keys.tsx';
import {useIsLeaving} from './leave.tsx';
import {Text} from './safe-text.tsx';

/** A viewport on content that may be taller than the viewport, and the keys that scroll. */
export type Scroll = {
  readonly viewport: RefObject<DOMElement | null>;
  readonly content: RefObject<DOMElement | null>;
  /** The number of rows out of sight above and below; zero if everything fits. */
  readonly above: number;
  readonly below: number;
  /** True once every row of the content has been on the screen. False until it is measured. */
  readonly isRead: boolean;
  /** The names of the keys that lead forward and back. */
  readonly on: string;
  readonly back: string;
  /** Empty if everything fits. */
  readonly bindings: readonly Binding[];
};

type Options = {
  /** Identifies the content: other content starts at its own first row. */
  readonly of?: string | undefined;
  /** The keys that the screen uses for something else. */
  readonly others?: readonly Binding[];
  /** True while a person types text: letters are then text, not shortcuts. */
  readonly isTyping?: boolean;
  /** True while something else is shown instead. The content is not measured then, and keeps its position. */
  readonly isHidden?: boolean;
  /** True if the caller needs `isRead`. */
  readonly isToBeRead?: boolean;
};

type Seen = {
  readonly of: string | undefined;
  readonly top: number;
  /** The height of the content and of the viewport, in rows. */
  readonly rows: number;
  readonly room: number;
  /** The number of rows that have been on the screen, counted from the first. */
  readonly read: number;
};

/**
 * Scrolls content that does not fit. The content is measured after its layout, because text from outside may be wider
 * or taller than its length suggests.
 */
export const useScroll = ({
  of,
  others = [],
  isTyping = false,
  isHidden = false,
  isToBeRead = false,
}: Options = {}): Scroll => {
  const viewport = useRef<DOMElement>(null);
  const content = useRef<DOMElement>(null);
  const [stored, setSeen] = useState<Seen>();
  const seen = stored?.of === of ? stored : undefined;
  const {rows = 0, room = 0} = seen ?? {};
  const top = Math.max(0, Math.min(seen?.top ?? 0, rows - room));
  useLayoutEffect(() => {
    if (isHidden || !viewport.current || !content.current) return;
    const next = {room: measureElement(viewport.current).height, rows: measureElement(content.current).height};
    // Measurements that change nothing cause no new render.
    if (!isToBeRead && rows <= room && next.rows <= next.room) return;
    // Another width changes the rows, so none counts as read any more. Shown rows count as read if all above them do,
    // and if the layout stays: the words of a choice may depend on what is read, and hide rows.
    const before = seen?.rows === next.rows ? seen.read : 0;
    const isSteady = seen?.rows === next.rows && seen.room === next.room && seen.top === top;
    const read = isSteady && top <= before ? Math.min(next.rows, Math.max(before, top + next.room)) : before;
    if (!isSteady || seen.read !== read) setSeen({of, top, ...next, read});
  });
  const isFree = (key: string) => !others.some(({keys}) => keys.includes(key));
  const onKeys = (isTyping ? ['pgdn'] : [' ', 'pgdn', 'ctrl-f']).filter(isFree);
  const backKeys = (isTyping ? ['pgup'] : ['b', 'pgup', 'ctrl-b']).filter(isFree);
  const go = (by: number) => seen && setSeen({...seen, top: Math.max(0, Math.min(rows - room, top + by))});
  // One row of the previous page stays in sight, for orientation.
  const page = Math.max(1, room - 1);
  const move = (keys: readonly string[], by: number) => ({keys, run: () => go(by)});
  const byRow = [move(['down', 'j'].filter(isFree), 1), move(['up', 'k'].filter(isFree), -1)];
  return {
    ...{viewport, content},
    ...{above: top, below: Math.max(0, rows - top - room)},
    isRead: seen !== undefined && seen.read >= rows,
    ...{on: nameOf(onKeys[0] ?? ''), back: nameOf(backKeys[0] ?? '')},
    bindings:
      rows <= room
        ? []
        : [
            {...move(onKeys, page), label: 'more', isQuiet: true},
            {...move(backKeys, -page), label: 'back to the lines before', isQuiet: true},
            ...(isTyping ? [] : byRow),
          ],
  };
};

type Props = {
  readonly scroll: Scroll;
  /** The most rows that it may take, including the row about those out of sight. If absent, what its parent leaves. */
  readonly most?: number;
  readonly children: ReactNode;
};

/**
 * Shows the part of its children that has room. If that is not all of them, the last row says how many rows follow, or
 * that this is the end, and which keys lead forward and back. The last frame shows all of them.
 */
export function Scrolled({scroll, most, children}: Props) {
  const {viewport, content, above, below, on, back} = scroll;
  const isLast = useIsLeaving();
  const clip = isLast ? {flexShrink: 0} : ({flexShrink: 1, overflowY: 'hidden'} as const);
  const room = most === undefined || isLast ? {} : {flexShrink: 0, maxHeight: most};
  return (
    <Box flexDirection="column" {...clip} {...room}>
      <Box ref={viewport} flexDirection="column" {...clip} contentOffsetY={isLast ? 0 : above}>
        <Box ref={content} flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
      {isLast || above + below === 0 ? null : (
        <Box flexShrink={0} paddingLeft={2}>
          <Text wrap="truncate" bold>
            {[
              below > 0 ? `${below} more ${below === 1 ? 'line' : 'lines'} (${on})` : 'The end',
              ...(above > 0 ? [`back (${back})`] : []),
            ].join(', ')}
          </Text>
        </Box>
      )}
    </Box>
  );
}
