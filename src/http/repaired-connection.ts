import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Matches requests to a webhook alone, since such a console sends nothing else. */
const WITHOUT_SLASH = /^GET (?=v1\/ingest\/)/;
/** Enough to recognize it. */
const START_BYTES = 20;

/**
 * A connection whose request lacks the first "/" of its path. Consoles of Ambient Weather drop it:
 * "GET v1/ingest/KEY&PASSKEY=…". Source: home-assistant/core, issue 110037.
 */
export class RepairedConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly localAddress: string | undefined;
  readonly #socket: Socket;
  readonly #maxBytes: number;
  #receivedBytes = 0;

  /** Null unless the packet is the first one of the connection, and lacks nothing but the slash. */
  static of(socket: Socket, packet: Buffer, maxBytes: number): RepairedConnection | null {
    const start = packet.subarray(0, START_BYTES).toString('latin1');
    const isRepairable = socket.bytesRead === packet.length && WITHOUT_SLASH.test(start);
    if (!isRepairable) return null;

    const repaired = new RepairedConnection(socket, maxBytes);
    repaired.receive(Buffer.concat([Buffer.from('GET /'), packet.subarray('GET '.length)]));
    return repaired;
  }

  private constructor(socket: Socket, maxBytes: number) {
    super();
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.remoteAddress = socket.remoteAddress;
    this.localAddress = socket.localAddress;
    socket.once('close', () => this.destroy());
  }

  /** Such a request has no body, so that its end is near. */
  receive(packet: Buffer): void {
    this.#receivedBytes += packet.length;
    if (this.#receivedBytes > this.#maxBytes) this.destroy();
    else this.push(packet);
  }

  override _read(): void {
    // What arrives is pushed at once.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
