import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterFile } from '../../../cleanup.ts';
import { folderForFile } from '../../../temporary-places.ts';

const PRELOAD = new URL('./event-loop-preload.mjs', import.meta.url);

/** How long a process that was started with `env` has held its event loop. */
export class EventLoopWatch {
  readonly env: Readonly<Record<string, string>>;
  readonly #path: string;
  #socket: Socket | undefined;

  private constructor(folder: string) {
    this.#path = join(folder, 'event-loop');
    this.env = { NODE_OPTIONS: `--import=${PRELOAD}`, EVENT_LOOP_SOCKET: this.#path };
  }

  static async create(): Promise<EventLoopWatch> {
    return new EventLoopWatch(await folderForFile());
  }

  /** The longest stretch in ms since the last call. */
  async longestStretch(): Promise<number> {
    const socket = await this.#connected();
    socket.write('\n');
    const [answer] = await once(socket, 'data');
    return Number(answer);
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined) return this.#socket;
    const socket = connect(this.#path);
    await once(socket, 'connect');
    this.#socket = socket;
    afterFile(() => socket.destroy());
    return socket;
  }
}

/** Beyond the stretch for a harmless text of the same length. */
const MAX_EXCESS_MS = 50;
/** The least of these counts: the first may compile code or collect garbage. */
const MAX_TRIES = 4;

/** Sends a text, and waits for the answer. */
export type Send = (text: string) => Promise<unknown>;

async function leastStretch(watch: EventLoopWatch, send: Send, text: string, enoughMs: number) {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MAX_TRIES && least > enoughMs; count++) {
    await watch.longestStretch();
    await send(text);
    least = Math.min(least, await watch.longestStretch());
  }
  return least;
}

/** The ms by which the text holds the loop for too long; 0 if it does not. */
export async function excessStretch(
  watch: EventLoopWatch,
  send: Send,
  text: string,
): Promise<number> {
  const stretch = await leastStretch(watch, send, text, MAX_EXCESS_MS);
  if (stretch <= MAX_EXCESS_MS) return 0;

  const allowed = MAX_EXCESS_MS + (await leastStretch(watch, send, 'x'.repeat(text.length), 0));
  if (stretch <= allowed) return 0;
  const again = await leastStretch(watch, send, text, allowed);
  return again <= allowed ? 0 : Math.ceil(again - allowed);
}
