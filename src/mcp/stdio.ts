import type { Readable, Writable } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isRecord, setAsideMalformedArguments } from './raw-arguments.ts';

/** One message per line. Tracks open requests, so that the end of input does not drop any. */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  onidle?: () => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new ReadBuffer();
  readonly #openRequests = new Set<string | number>();
  readonly #end = new AbortController();

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => {
      this.#lines.append(chunk);
      this.#deliver();
    });
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#input.once('end', () => this.end());
    this.#input.once('close', () => this.end());
    // The client has disconnected.
    this.#output.on('error', () => {
      this.#openRequests.clear();
      this.end();
    });
  }

  end(): void {
    this.#end.abort();
    // Lets answers that are ready go out first.
    setImmediate(() => this.#closeWhenIdle());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(serializeMessage(message), () => {
        if (!('method' in message) && 'id' in message && message.id !== undefined)
          this.#openRequests.delete(message.id);
        resolve();
        if (this.ended.aborted) this.#closeWhenIdle();
      });
    });
  }

  async close(): Promise<void> {
    this.#input.pause();
    this.onclose?.();
  }

  #deliver(): void {
    for (;;) {
      try {
        const message = this.#lines.readMessage();
        if (message === null) return;
        this.#trackRequest(message);
        this.onmessage?.(setAsideMalformedArguments(message));
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  #trackRequest(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.id !== undefined) this.#openRequests.add(message.id);
    if (message.method === 'notifications/cancelled' && isRecord(message.params))
      this.#openRequests.delete(message.params.requestId as string | number);
  }

  #closeWhenIdle(): void {
    if (this.ended.aborted && this.#openRequests.size === 0) {
      const idle = this.onidle;
      this.onidle = undefined;
      idle?.();
    }
  }
}
