import { SECOND_MS } from '../domain/periods.ts';
import { MAX_UNREAD_BYTES } from '../domain/shares/bounded-things.ts';

const PART_BYTES = 65_536;

/** The longest that a client may leave an answer unread without reading another part. */
const MAX_PAUSE_MS = 30 * SECOND_MS;

/**
 * A long answer in parts, which fails once its client leaves more than 1 MB unread and reads no part
 * for half a minute.
 */
export function readInTime(
  content: string | Uint8Array,
  maxPauseMs = MAX_PAUSE_MS,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(content);
  let position = 0;
  let timer: NodeJS.Timeout | undefined;

  const expectRead = (controller: ReadableStreamDefaultController): void => {
    clearTimeout(timer);
    if (bytes.length - position <= MAX_UNREAD_BYTES) return;
    timer = setTimeout(
      () => controller.error(new Error('The client does not read its answer')),
      maxPauseMs,
    );
  };

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const part = bytes.subarray(position, position + PART_BYTES);
        position += part.length;
        controller.enqueue(new Uint8Array(part));
        if (position < bytes.length) return expectRead(controller);
        clearTimeout(timer);
        controller.close();
      },
      cancel: () => clearTimeout(timer),
    },
    { highWaterMark: 0 },
  );
}
