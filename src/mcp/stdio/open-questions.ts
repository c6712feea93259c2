import { isRecord } from '../../domain/records.ts';
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId } from '../protocol.ts';

/**
 * Requests of the server that the client has not answered yet. The SDK ignores a reply that it
 * cannot parse or match to a request, and the call that asked would wait until it times out. An error
 * reply in its place ends the call at once.
 */
export class OpenQuestions {
  readonly #ids = new Set<RequestId>();
  /** The SDK counts its requests upwards. */
  #newestId = -1;

  get size(): number {
    return this.#ids.size;
  }

  /** To be called with each message that the server sends. */
  onSent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.id !== undefined) {
      this.#ids.add(message.id);
      this.#newestId = Math.max(this.#newestId, Number(message.id));
    } else if (message.method === 'notifications/cancelled' && isId(message.params?.requestId))
      this.#ids.delete(message.params.requestId);
  }

  /** Returns false if no open question has this id. */
  close(replyId: unknown): boolean {
    const id = this.#openIdOf(replyId);
    return id !== undefined && this.#ids.delete(id);
  }

  /**
   * The error replies that take the place of one that the SDK would ignore: to the question that it
   * names, or else to all open questions. None if its question was closed before.
   */
  errorsInPlaceOf(reply: unknown): JSONRPCMessage[] {
    const replyId = isRecord(reply) ? reply.id : undefined;
    const openId = this.#openIdOf(replyId);
    if (openId === undefined && this.#wasAsked(replyId)) return [];

    const ids = openId === undefined ? [...this.#ids] : [openId];
    for (const id of ids) this.#ids.delete(id);
    return ids.map((id) => ({ jsonrpc: '2.0', id, error: UNREADABLE_REPLY }));
  }

  /** Some clients send the number of an id as text. */
  #openIdOf(replyId: unknown): RequestId | undefined {
    return isId(replyId) ? [...this.#ids].find((id) => String(id) === String(replyId)) : undefined;
  }

  #wasAsked(replyId: unknown): boolean {
    return isId(replyId) && Number(replyId) <= this.#newestId;
  }
}

const UNREADABLE_REPLY = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'The reply is not a JSON-RPC response to a question of this server.',
};

export const isId = (value: unknown): value is RequestId =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** Takes anything but a request or a notification for a reply. An array is a batch of messages. */
export const isReply = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isReply) : !isRecord(value) || !Object.hasOwn(value, 'method');
