const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits a stream of bytes into lines of any length, without line ends; empty lines are omitted. `end` gives the rest
 * without a line end, if any. The chunks must not be used elsewhere: their memory may be released.
 */
export const createLines = (take: (line: Buffer) => void) => {
  let begun: Buffer[] = [];
  let isFirst = true;

  const endLine = (rest: Buffer) => {
    let line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
    // Released here: the garbage collector would leave gaps between live objects that never go back to the system.
    for (const {buffer, length} of begun) {
      if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
    }
    begun = [];
    if (isFirst && line.subarray(0, 3).equals(BOM)) line = line.subarray(3);
    isFirst = false;
    if (line.at(-1) === CR) line = line.subarray(0, -1);
    if (line.length > 0) take(line);
  };

  return {
    push: (chunk: Buffer) => {
      let at = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, at)) {
        endLine(chunk.subarray(at, end));
        at = end + 1;
      }
      if (at < chunk.length) begun.push(chunk.subarray(at));
    },
    end: () => {
      if (begun.length > 0) endLine(Buffer.alloc(0));
    },
  };
};
