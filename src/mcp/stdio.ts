import type { Readable, Writable } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isRecord, setAsideMalformedArguments } from './raw-arguments.ts';

/**
 * MCP over standard input and output: a message a line. It knows which requests are still to be answered, so that end of
 * input cuts none off.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Input has ended and everything asked has been answered. */
  onidle?: () => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new ReadBuffer();
  readonly #unanswered = new Set<string | number>();
  readonly #end = new AbortController();

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  /** Aborted when no more input is taken. */
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
    // A client that went away reads no answers: there is nothing left to do for it.
    this.#output.on('error', () => {
      this.#unanswered.clear();
      this.end();
    });
  }

  /** Takes no more input; `onidle` follows once every open request is answered. */
  end(): void {
    this.#end.abort();
    // Answers that need no waiting are given in the meantime.
    setImmediate(() => this.#settle());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(serializeMessage(message), () => {
        if (!('method' in message) && 'id' in message && message.id !== undefined) this.#unanswered.delete(message.id);
        resolve();
        if (this.ended.aborted) this.#settle();
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
        this.#note(message);
        this.onmessage?.(setAsideMalformedArguments(message));
      } catch (error) {
        // A line that is no message is passed over: the next one may be.
        this.onerror?.(error as Error);
      }
    }
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.id !== undefined) this.#unanswered.add(message.id);
    // A cancelled request gets no answer.
    if (message.method === 'notifications/cancelled' && isRecord(message.params))
      this.#unanswered.delete(message.params.requestId as string | number);
  }

  #settle(): void {
    if (this.ended.aborted && this.#unanswered.size === 0) {
      const idle = this.onidle;
      this.onidle = undefined;
      idle?.();
    }
  }
}
