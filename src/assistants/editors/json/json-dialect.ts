/**
 * What a client takes for JSON when it reads: `strict` as RFC 8259 has it, `comments` with comments, `lenient` with
 * trailing commas too. A file that its own client cannot read is refused, or a proof would say that it works.
 */
export type JsonDialect = 'strict' | 'comments' | 'lenient';
