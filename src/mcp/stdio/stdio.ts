import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { MAX_BLOCKING_MS } from '../../domain/event-loop.ts';
import { isRecord } from '../../domain/records.ts';
import { jsonShape, MAX_JSON_VALUES } from '../../schema/json-shape.ts';
import {
  envelopeRevision,
  type JSONRPCMessage,
  type JSONRPCRequest,
  malformedEnvelopeError,
  NEWER_REVISION,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  SPOKEN_REVISIONS,
  serializeMessage,
  setAsideMalformedArguments,
  type Transport,
  unsupportedRevisionError,
  withoutValidatorDump,
} from '../protocol.ts';
import { LineSplitter, type OversizedLine } from './line-splitter.ts';
import { isId, isReply, OpenQuestions } from './open-questions.ts';

/** Per message: more than the largest arguments of any tool. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** As over HTTP: more of them take long to parse and to check. */
const TOO_MANY_VALUES = `The message has more than ${MAX_JSON_VALUES} values. Nothing was done; send less at a time.`;

const EXCERPT_CHARS = 256;

/** Requests that may be open at once. */
const MAX_OPEN_REQUESTS = 256;

/**
 * One message per line. Tracks open requests, so that the end of input does not drop any. While the
 * client does not read, or too many requests are open, nothing more is read from it, so that
 * neither answers nor requests pile up.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  onidle?: () => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(MAX_MESSAGE_BYTES);
  /** Lines that are not delivered yet: at most those of a few chunks of the input. */
  #waiting: (string | OversizedLine)[] = [];
  readonly #openRequests = new Set<RequestId>();
  readonly #questions = new OpenQuestions();
  readonly #end = new AbortController();
  /** The waiting lines are delivered in the next turn of the event loop. */
  #isPausing = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => {
      this.#waiting.push(...this.#lines.split(chunk));
      this.#deliverWaiting();
    });
    this.#output.on('drain', () => this.#deliverWaiting());
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#input.once('end', () => this.#finish());
    this.#input.once('close', () => this.#finish());
    // The client has disconnected.
    this.#output.on('error', () => {
      this.#openRequests.clear();
      this.end();
    });
  }

  /** Finishes the delivered requests and accepts no others. */
  end(): void {
    this.#waiting = [];
    this.#finish();
  }

  #finish(): void {
    this.#end.abort();
    // Answers that are ready are sent first.
    setImmediate(() => this.#closeWhenIdle());
  }

  send(message: JSONRPCMessage): Promise<void> {
    // Progress that the client does not read would pile up.
    if (
      this.#output.writableNeedDrain &&
      'method' in message &&
      message.method === 'notifications/progress'
    )
      return Promise.resolve();

    this.#questions.onSent(message);
    return new Promise((resolve) => {
      this.#output.write(serializeMessage(withoutValidatorDump(message)), () => {
        if (!('method' in message) && 'id' in message && message.id !== undefined)
          this.#openRequests.delete(message.id);
        resolve();
        this.#deliverWaiting();
        if (this.ended.aborted) this.#closeWhenIdle();
      });
    });
  }

  async close(): Promise<void> {
    this.#input.pause();
    this.onclose?.();
  }

  /** In slices of time, between which the event loop goes on. */
  #deliverWaiting(): void {
    if (this.#isPausing) return;
    const end = performance.now() + MAX_BLOCKING_MS;
    while (!this.#isBusy()) {
      if (performance.now() >= end) {
        this.#deliverNextTurn();
        return;
      }
      const line = this.#waiting.shift();
      if (line === undefined) break;
      if (typeof line === 'string') this.#deliver(line);
      else this.#refuseOversized(line);
    }
    if (this.#isBusy()) this.#input.pause();
    else this.#input.resume();
  }

  #deliverNextTurn(): void {
    this.#isPausing = true;
    this.#input.pause();
    setImmediate(() => {
      this.#isPausing = false;
      this.#deliverWaiting();
      this.#closeWhenIdle();
    });
  }

  #isBusy(): boolean {
    return (
      this.#output.writableNeedDrain ||
      (this.#openRequests.size >= MAX_OPEN_REQUESTS && this.#questions.size === 0)
    );
  }

  #deliver(line: string): void {
    if (jsonShape(line).values > MAX_JSON_VALUES) {
      this.#refuseUnread(line.slice(0, EXCERPT_CHARS), line.slice(-EXCERPT_CHARS), TOO_MANY_VALUES);
      return;
    }

    let received: unknown;
    try {
      received = JSON.parse(line);
      const message = parseJSONRPCMessage(received);
      if (this.#isAccepted(message)) this.onmessage?.(setAsideMalformedArguments(message));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      // Text that is not JSON may have been a reply, too.
      if (line.trim() !== '' && isReply(received)) this.#closeQuestions(received);
      else this.#refuseMalformed(received);
    }
  }

  /** Its sender would wait for an answer. */
  #refuseMalformed(received: unknown): void {
    const text = Array.isArray(received) ? ONE_MESSAGE_A_LINE : NO_REQUEST;
    for (const message of [received].flat())
      if (isRecord(message) && message.jsonrpc === '2.0' && Object.hasOwn(message, 'method'))
        this.#refuseUnlessOpen(message.id, invalidRequestError(text));
  }

  /** The answer to an open request with that id would be taken for another. */
  #refuseUnlessOpen(id: unknown, error: ProtocolError): void {
    if (isId(id) && !this.#openRequests.has(id)) this.#refuse(id, error);
  }

  #closeQuestions(reply: unknown): void {
    for (const errorReply of this.#questions.errorsInPlaceOf(reply)) this.onmessage?.(errorReply);
  }

  /**
   * False for a refused request: its envelope is malformed or of an unsupported version, or too many
   * are open while the person has to answer some.
   */
  #isAccepted(message: JSONRPCMessage): boolean {
    if (!('method' in message)) {
      if (!this.#questions.close(message.id)) this.#closeQuestions(message);
      return true;
    }

    if ('id' in message && message.id !== undefined) {
      const envelopeError = unsupportedVersionError(message) ?? malformedEnvelopeError(message);
      if (envelopeError !== null) {
        this.#refuse(message.id, envelopeError);
        return false;
      }

      if (this.#openRequests.size >= MAX_OPEN_REQUESTS) {
        this.#refuse(
          message.id,
          invalidRequestError(
            `${MAX_OPEN_REQUESTS} requests are waiting for their answers. Nothing was done; send it again after some of them.`,
          ),
        );
        return false;
      }

      // A subscription stays open as long as the connection.
      if (message.method !== 'subscriptions/listen') this.#openRequests.add(message.id);
    }

    if (message.method === 'notifications/cancelled' && isRecord(message.params))
      this.#openRequests.delete(message.params.requestId as RequestId);
    return true;
  }

  #refuseOversized({ bytes, start, end }: OversizedLine): void {
    const text = `The message has ${bytes} bytes, and at most ${MAX_MESSAGE_BYTES} are read. Nothing was done; send less at a time.`;
    this.#refuseUnread(start, end, text);
  }

  /** Only the start and the end are known of a message that is not parsed. */
  #refuseUnread(start: string, end: string, text: string): void {
    this.onerror?.(new Error(text));
    const id = requestIdIn(start) ?? requestIdIn(end);
    if (this.#questions.size > 0 && !`${start}${end}`.includes('"method"'))
      this.#closeQuestions({ id });
    else if (id !== null) this.#refuse(id, invalidRequestError(text));
  }

  #refuse(id: RequestId, { code, message, data }: ProtocolError): void {
    void this.send({ jsonrpc: '2.0', id, error: { code, message, data } });
  }

  #closeWhenIdle(): void {
    const isIdle = this.#openRequests.size === 0 && this.#waiting.length === 0;
    if (!this.ended.aborted || !isIdle) return;

    // Removed first, so that it is called only once.
    const { onidle } = this;
    this.onidle = undefined;
    onidle?.();
  }
}

const ONE_MESSAGE_A_LINE =
  'The line is an array of messages, and nothing was done. Send each message in a line of its own.';

const NO_REQUEST =
  'This is no request of JSON-RPC, and nothing was done. Send jsonrpc "2.0", an id, a method, and params that are an object.';

const invalidRequestError = (text: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidRequest, text);

/**
 * The SDK checks only the first message. On a connection that began with initialize, a request may
 * also name a revision of the earlier era.
 */
function unsupportedVersionError(request: JSONRPCRequest): ProtocolError | null {
  const claimed = envelopeRevision(request);
  if (claimed === undefined) return null;

  const spoken = request.method === 'server/discover' ? [NEWER_REVISION] : SPOKEN_REVISIONS;
  const isSpoken = typeof claimed === 'string' && spoken.includes(claimed);
  return isSpoken ? null : unsupportedRevisionError(String(claimed));
}

/** The first message decides which era of the protocol the connection speaks. */
export function serveOverStdio(
  factory: McpServerFactory,
  transport: Transport,
  onerror: (error: Error) => void,
): StdioServerHandle {
  return serveStdio(factory, { transport, onerror });
}

/** Text without escapes, or a number. */
const ID_AT_START = /^\{(?:"jsonrpc":"2\.0",)?"id":("[^"\\]*"|\d+),/;
const ID_AT_END = /,"id":("[^"\\]*"|\d+)\}$/;

/**
 * The id of a message of which only the start or the end is known: clients write it before or after
 * the parameters.
 */
function requestIdIn(part: string): RequestId | null {
  const match = ID_AT_START.exec(part) ?? ID_AT_END.exec(part);
  return match?.[1] === undefined ? null : (JSON.parse(match[1]) as RequestId);
}
