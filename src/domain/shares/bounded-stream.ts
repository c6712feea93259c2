import { MAX_UNREAD_BYTES } from './bounded-things.ts';

/** A stream for a reader that may be slow: it ends once too much of it is unread. */
export class BoundedStream {
  readonly content: ReadableStream<Uint8Array>;
  /** Resolves when the stream has ended, or its reader has gone. */
  readonly ended: Promise<void>;
  readonly #ending = new AbortController();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(maxUnreadBytes = MAX_UNREAD_BYTES) {
    this.content = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.end(),
      },
      { highWaterMark: maxUnreadBytes, size: (bytes) => bytes?.byteLength ?? 0 },
    );
    this.ended = new Promise((resolve) =>
      this.#ending.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }

  send(bytes: Uint8Array): void {
    if (this.#ending.signal.aborted) return;
    this.#controller?.enqueue(bytes);
    if ((this.#controller?.desiredSize ?? 0) < 0) this.#fail();
  }

  /** Data that were sent can still be read. */
  readonly end = (): void => {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    try {
      this.#controller?.close();
    } catch {
      // The reader has cancelled it already.
    }
  };

  #fail(): void {
    this.#ending.abort();
    this.#controller?.error(new Error('The reader of the stream is too slow'));
  }
}
