/**
 * The JSON that a client can read: `strict` is RFC 8259, `comments` allows comments, `lenient` allows trailing commas
 * too. This program refuses a file that its client cannot read; otherwise the check after writing would report that the
 * entry works.
 */
export type JsonDialect = 'strict' | 'comments' | 'lenient';
