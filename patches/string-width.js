/**
 * string-width 8: do nothing for emoji and for grapheme clusters before there can be one.
 *
 * When it is loaded, it creates a segmenter, and a regular expression with the set of all emoji sequences: 5 and 7 ms in
 * every process that draws or prints a table (figures: docs/decisions.md). It needs both at the first character beyond
 * ASCII. This program writes such characters on every screen: quotes, dashes, arrows, the signs of lists and frames.
 * Each of them is a cluster of its own and one column wide, unless the caller counts ambiguous characters as wide.
 *
 * A single code unit that is not an emoji by itself is not in the set of sequences, so that test can be skipped for it.
 *
 * Upstream would have to create both on demand, and to know characters besides ASCII that need neither. Then this patch
 * can go.
 */
export const stringWidth = {
  file: /string-width\/index\.js$/,
  changes: [
    {
      place: 'const segmenter = new Intl.Segmenter();',
      put: () => 'let created;\nconst segmenter = {segment: text => (created ??= new Intl.Segmenter()).segment(text)};',
    },
    {
      place: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
      put: () =>
        "let compiled;\nconst rgiEmojiRegex = {test: text => (compiled ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text)};",
    },
    {
      place: 'rgiEmojiRegex.test(segment)',
      put: () => '(segment.length > 1 || /\\p{Emoji_Presentation}/u.test(segment)) && rgiEmojiRegex.test(segment)',
    },
    {
      place: '/^[\\u0020-\\u007E]*$/.test(string)',
      put: () => '(ambiguousIsNarrow ? /^[ -~\u00B7–—‘’“”•…←↑→↓─-▟▲●○◉◯✔✖❯]*$/ : /^[ -~]*$/).test(string)',
    },
  ],
};
