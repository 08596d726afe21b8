/** The address of the only section in memory, and its offset in the file. */
const [ADDRESS, OFFSET] = [0x1000, 0x200];

const DIRECTORY_SIZE = 40;

/**
 * Creates a Windows library (PE32+, x64) without code, in which the name of one function stands for a function of
 * another library (`advapi32.SystemFunction036`).
 */
export const forwardingLibrary = (library: string, name: string, target: string): Buffer => {
  const texts = [library, name, target].map(text => Buffer.from(`${text}\0`, 'latin1'));
  const tables = ADDRESS + DIRECTORY_SIZE;
  const [ofLibrary, ofName, ofTarget] = [0, 1, 2].map(
    index => tables + 12 + texts.slice(0, index).reduce((length, text) => length + text.length, 0),
  ) as [number, number, number];
  // The export directory, then its three tables with one entry each: the function, its name, and the index of the
  // function with that name.
  const exported = Buffer.alloc(DIRECTORY_SIZE + 12);
  write32(exported, 12, ofLibrary, 1, 1, 1, tables, tables + 4, tables + 8, ofTarget, ofName);
  const section = Buffer.concat([exported, ...texts]);

  const file = Buffer.alloc(OFFSET + 0x200);
  file.write('MZ', 0, 'latin1');
  write32(file, 0x3c, 0x40);
  file.write('PE\0\0', 0x40, 'latin1');
  // For x64, with one section. A library whose addresses may be above 4 GB.
  write16(file, 0x44, 0x8664, 1);
  write16(file, 0x54, OPTIONAL_SIZE, 0x2022);
  write16(file, OPTIONAL, 0x20b);
  write32(file, OPTIONAL + 8, 0x200);
  file.writeBigUInt64LE(0x1_8000_0000n, OPTIONAL + 24);
  write32(file, OPTIONAL + 32, ADDRESS, OFFSET);
  write16(file, OPTIONAL + 40, 6, 0, 0, 0, 6);
  write32(file, OPTIONAL + 56, ADDRESS + 0x1000, OFFSET);
  // For a console, at any address.
  write16(file, OPTIONAL + 68, 3, 0x160);
  write32(file, OPTIONAL + 108, 16, ADDRESS, section.length);
  file.write('.rdata', OPTIONAL + OPTIONAL_SIZE, 'latin1');
  write32(file, OPTIONAL + OPTIONAL_SIZE + 8, section.length, ADDRESS, 0x200, OFFSET);
  write32(file, OPTIONAL + OPTIONAL_SIZE + 36, 0x4000_0040);
  section.copy(file, OFFSET);
  return file;
};

/** The offset of the optional header, and its size. */
const [OPTIONAL, OPTIONAL_SIZE] = [0x58, 0xf0];

const write16 = (into: Buffer, at: number, ...values: readonly number[]) => {
  for (const [index, value] of values.entries()) into.writeUInt16LE(value, at + 2 * index);
};

const write32 = (into: Buffer, at: number, ...values: readonly number[]) => {
  for (const [index, value] of values.entries()) into.writeUInt32LE(value, at + 4 * index);
};
