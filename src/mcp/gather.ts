/** Up to here bytes are kept as all others are; above it in pages of their own, in bytes. */
const LARGE = 128 * 1024;

/** How much a large one grows by, and the addresses that are kept free for it at first, in bytes. */
const STEP = 1024 * 1024;
const ROOM = 64 * STEP;

/**
 * Bytes of one thing that come in pieces, put together as they come: hundreds of pieces that wait for the last one leave
 * holes in the memory. A large one is kept in a buffer that can grow, whose pages go back to the system whole; what the
 * allocator gives for it instead, it keeps.
 */
export const createGathering = () => {
  let store = Buffer.alloc(0);
  let pages: ArrayBuffer | undefined;
  let length = 0;

  const grow = (needed: number) => {
    const before = store;
    const size = Math.ceil(needed / STEP) * STEP;
    if (pages && size <= pages.maxByteLength) {
      pages.resize(size);
      store = Buffer.from(pages, 0, size);
      return;
    }
    if (needed <= LARGE) store = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * before.length, LARGE)));
    else {
      pages = new ArrayBuffer(size, {maxByteLength: Math.max(ROOM, 4 * size)});
      store = Buffer.from(pages, 0, size);
    }
    before.copy(store, 0, 0, length);
  };

  return {
    add: (piece: Buffer): void => {
      const needed = length + piece.length;
      if (needed > store.length) grow(needed);
      piece.copy(store, length);
      length = needed;
    },
    /** In bytes. */
    get size() {
      return length;
    },
    get isEmpty() {
      return length === 0;
    },
    /** All of it, which belongs to the caller from now on. */
    take: (): Buffer => {
      const whole = store.subarray(0, length);
      store = Buffer.alloc(0);
      pages = undefined;
      length = 0;
      return whole;
    },
  };
};

/** In bytes. */
const WORTH_IT = 16 * 1024;

/**
 * Frees a piece that came from the network, once it is copied and nobody has it any more. Left to the collector, hundreds
 * of them wait for it; what is freed then lies between things that stay, and never goes back to the system: after 60
 * results of 5 MB that were 35 MiB. A part of a larger buffer is left alone, and so is a small one, of which that costs more
 * than it saves.
 */
export const release = ({buffer, length}: Buffer): void => {
  if (length < WORTH_IT) return;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
};
