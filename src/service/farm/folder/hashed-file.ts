import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 524_288;

interface FileDigest {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

class Digest {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  build(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Makes a file for its owner alone, which is on the disk once the promise resolves. */
export async function writeHashedFile(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<FileDigest> {
  const digest = new Digest();
  const file = await open(path, 'w', 0o600);
  try {
    await fill(async (text) => {
      const bytes = Buffer.from(text);
      digest.add(bytes);
      await file.writeFile(bytes);
    });
    await file.sync();
  } finally {
    await file.close();
  }
  return digest.build();
}

/** The text of a file. Its digest is known once the text has been read. */
export class HashedFileReader {
  readonly #path: string;
  readonly #digest = new Digest();

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws TypeError for bytes that are not UTF-8. */
  async *chunks(onBytes: (count: number) => void): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    for await (const chunk of createReadStream(this.#path, { highWaterMark: CHUNK_BYTES })) {
      this.#digest.add(chunk);
      onBytes(chunk.length);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  }

  digest(): FileDigest {
    return this.#digest.build();
  }
}
