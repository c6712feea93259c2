// Gives every file of a zip archive the same time, so that the same files make the same archive on
// any day and in any zone. Format: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16 and 4.4.6.

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;

/** 1980-01-01 00:00, the earliest time of a zip archive, in its two fields for time and date. */
const FIRST = 0x00210000;

export function fixTimes(zip) {
  const end = zip.length - END_SIZE;
  if (zip.readUInt32LE(end) !== END)
    throw new Error('The archive is damaged, or ends with a comment.');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error('The directory of the archive is broken.');
    const local = zip.readUInt32LE(at + 42);
    if (zip.readUInt32LE(local) !== LOCAL)
      throw new Error('A file of the archive is not where its directory says.');
    zip.writeUInt32LE(FIRST, at + 12);
    zip.writeUInt32LE(FIRST, local + 10);
    at += ENTRY_SIZE + [28, 30, 32].reduce((sum, field) => sum + zip.readUInt16LE(at + field), 0);
  }
}
