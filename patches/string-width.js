/**
 * string-width 8: test for emoji sequences only where there can be one.
 *
 * At the first character beyond ASCII it compiles a regular expression with the set of all emoji sequences, which takes
 * 10 ms or more. A single code unit that is not an emoji by itself is not in that set, so the test can be skipped for
 * it: all texts of this program except names that a platform sends.
 *
 * Upstream would have to test the length of the segment first. Then this patch can go.
 */
export const stringWidth = {
  file: /string-width\/index\.js$/,
  place: 'rgiEmojiRegex.test(segment)',
  put: () => '(segment.length > 1 || /\\p{Emoji_Presentation}/u.test(segment)) && rgiEmojiRegex.test(segment)',
};
