import { firstOf } from '../../domain/items.ts';

/** A part keeps all alive that arrived with it, so smaller ones are copied. */
const COPIED_BYTES = 1_024;
const BLOCK_BYTES = 16_384;

/** The parts of a body in the order of their arrival. */
export class BodyParts {
  readonly #blocks: Buffer[] = [];
  #open = Buffer.alloc(0);
  #openBytes = 0;
  bytes = 0;

  add(part: Buffer): void {
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
