import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { firstOf } from '../../domain/items.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';

/** Refused if it has more parts than this, and they are smaller than the following on average. */
const MAX_SMALL_PARTS = 1_024;
const LEAST_PART_BYTES = 16;
/** A part keeps all alive that arrived with it, so smaller ones are copied. */
const COPIED_BYTES = 1_024;
const BLOCK_BYTES = 16_384;

/**
 * The parts of a body in the order of their arrival. Each costs the same to receive, whatever its
 * size, so a body in parts of a byte or two is refused, and its connection is closed.
 */
export class BodyParts {
  readonly #blocks: Buffer[] = [];
  #open = Buffer.alloc(0);
  #openBytes = 0;
  #count = 0;
  bytes = 0;

  add(part: Buffer): void {
    this.#count++;
    this.bytes += part.length;
    if (part.length >= COPIED_BYTES) {
      this.#closeBlock();
      this.#blocks.push(part);
      return;
    }

    if (this.#openBytes + part.length > this.#open.length) {
      this.#closeBlock();
      this.#open = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    }
    part.copy(this.#open, this.#openBytes);
    this.#openBytes += part.length;
  }

  get areTooSmall(): boolean {
    return this.#count > MAX_SMALL_PARTS && this.bytes < this.#count * LEAST_PART_BYTES;
  }

  toBuffer(): Buffer {
    this.#closeBlock();
    return this.#blocks.length === 1 ? firstOf(this.#blocks) : Buffer.concat(this.#blocks);
  }

  #closeBlock(): void {
    if (this.#openBytes > 0) this.#blocks.push(this.#open.subarray(0, this.#openBytes));
    this.#open = Buffer.alloc(0);
    this.#openBytes = 0;
  }
}

/** By then the refusal has left. */
const CLOSES_AFTER_MS = 100;

/** What still arrives would be received part by part too. */
export function closeSoon(incoming: Readable & Partial<Pick<IncomingMessage, 'socket'>>): void {
  setTimeout(() => incoming.socket?.destroy(), CLOSES_AFTER_MS).unref();
}

export const smallPartsError = (): AcequiaError =>
  invalidInputError(
    'invalid_body',
    `The body arrives in parts of less than ${LEAST_PART_BYTES} bytes on average.`,
    { hint: 'Send it whole, or in larger chunks.' },
  );
