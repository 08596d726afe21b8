import {Box} from 'ink';
import {type ReactNode, useEffect, useRef, useState} from 'react';
import type {ClientGuide, GuideOnRequest} from '../../state/view/view.ts';
import type {Binding} from './keys.tsx';
import {Prose, Text, usePrint} from './safe-text.tsx';

/**
 * Returns the guide for an identity provider's settings, one section at a time, with a key that prints all of it for
 * copying.
 *
 * @param request absent unless the person has asked for the guide
 * @returns `at` is the index of the section that is shown
 */
export const useGuide = (
  request: GuideOnRequest | undefined,
): {readonly bindings: readonly Binding[]; readonly view: ReactNode; readonly at: number} => {
  const print = usePrint();
  const [wanted, setWanted] = useState(0);
  const [guide, setGuide] = useState<ClientGuide>();
  // Every render creates a new request function, so only its presence triggers the effect.
  const latest = useRef(request);
  latest.current = request;
  const isAsked = request !== undefined;
  useEffect(() => {
    let isLeft = false;
    if (isAsked) latest.current?.().then(loaded => isLeft || setGuide(loaded));
    return () => {
      isLeft = true;
    };
  }, [isAsked]);
  if (!isAsked || !guide) return {bindings: [], view: null, at: 0};
  const {title, sections, text} = guide;
  const at = Math.min(wanted, sections.length - 1);
  const section = sections[at];
  const bindings: readonly Binding[] = [
    ...(sections.length > 1
      ? [
          {keys: ['down', 'j', 'right'], label: 'next', run: () => setWanted(Math.min(at + 1, sections.length - 1))},
          {keys: ['up', 'k', 'left'], run: () => setWanted(Math.max(at - 1, 0))},
        ]
      : []),
    {keys: ['p'], label: 'print all of it', run: () => print(text)},
  ];
  const view = section && (
    <Box flexDirection="column" rowGap={1}>
      <Box flexDirection="column" paddingLeft={2}>
        <Prose bold>{section.heading}</Prose>
        <Prose>
          {title} ({at + 1} of {sections.length})
        </Prose>
      </Box>
      <Box flexDirection="column" paddingLeft={2}>
        {section.steps.map((step, index) => (
          <Box key={step} gap={1}>
            {section.steps.length > 1 ? (
              <Box flexShrink={0}>
                <Text>{index + 1}.</Text>
              </Box>
            ) : null}
            <Prose>{step}</Prose>
          </Box>
        ))}
      </Box>
      {/* At the margin and without a frame, so that it can be copied as it is. */}
      {section.block === undefined ? null : <Text wrap="hard">{section.block.trimEnd()}</Text>}
    </Box>
  );
  return {bindings, view, at};
};
