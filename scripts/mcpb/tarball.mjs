// Reads a package's tarball. Format: POSIX ustar, as npm writes it.
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;

const textAt = (bytes, start, length) => bytes.toString('utf8', start, start + length).split('\0', 1)[0];

export function readTarball(tarball) {
  const bytes = gunzipSync(tarball);
  const files = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8);
    const kind = textAt(bytes, at + 156, 1);
    const prefix = textAt(bytes, at + 345, 155);
    const name = textAt(bytes, at, 100);
    const start = at + BLOCK;
    if (kind === '0' || kind === '')
      files.push({ name: prefix ? `${prefix}/${name}` : name, content: bytes.subarray(start, start + size) });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
