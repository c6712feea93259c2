/** A line longer than the limit, of which only both ends are stored. */
export interface OversizedLine {
  readonly bytes: number;
  readonly start: string;
  readonly end: string;
}

/** Length of the start and of the end that are stored of an oversized line. */
const EXCERPT_BYTES = 256;

const NEWLINE = 0x0a;

/** Splits a stream of UTF-8 into lines of at most `maxBytes`. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the lines that end in this chunk. */
  *split(chunk: Buffer): Generator<string | OversizedLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      yield this.#takeLine();
      start = end + 1;
    }
    this.#append(chunk.subarray(start));
  }

  #append(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxBytes) return;

    // Copies, because a view would keep the whole line in memory.
    const line = Buffer.concat(this.#parts);
    this.#parts = [
      Buffer.from(line.subarray(0, EXCERPT_BYTES)),
      Buffer.from(line.subarray(-EXCERPT_BYTES)),
    ];
  }

  #takeLine(): string | OversizedLine {
    const bytes = this.#bytes;
    const text = Buffer.concat(this.#parts).toString().replace(/\r$/, '');
    this.#parts = [];
    this.#bytes = 0;

    if (bytes <= this.#maxBytes) return text;
    return { bytes, start: text.slice(0, EXCERPT_BYTES), end: text.slice(-EXCERPT_BYTES) };
  }
}
