/** A fault that does not stop the person, in words, with the lines to copy against it. */
export type KnownFault = {readonly message: string; readonly remedy: string; readonly block?: string};

/** Returns a known fault as one text: sentences, then an empty line and the lines to copy. */
export const faultInWords = ({message, remedy, block}: KnownFault): string =>
  [`${message} ${remedy}`, ...(block === undefined ? [] : [block])].join('\n\n');
