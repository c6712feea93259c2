import { isRecord } from '../../domain/records.ts';
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId } from '../protocol.ts';

/**
 * Requests of the server that the client has not answered yet. The SDK ignores a reply that it
 * cannot read or assign, so that the call would wait for minutes: such a reply is turned into an
 * error reply, with which the call ends.
 */
export class OpenQuestions {
  readonly #ids = new Set<RequestId>();
  /** The SDK numbers its requests in their order. */
  #newestId = -1;

  get size(): number {
    return this.#ids.size;
  }

  /** Follows what the server sends. */
  onSent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.id !== undefined) {
      this.#ids.add(message.id);
      this.#newestId = Math.max(this.#newestId, Number(message.id));
    } else if (message.method === 'notifications/cancelled')
      this.#ids.delete(message.params?.requestId as RequestId);
  }

  /** True if the reply is to an open question, which it closes. */
  close(replyId: unknown): boolean {
    const id = this.#openIdOf(replyId);
    return id !== undefined && this.#ids.delete(id);
  }

  /**
   * Error replies in place of one that cannot be read or assigned: to its question, or to all if it
   * names none.
   */
  closeInPlaceOf(reply: unknown): JSONRPCMessage[] {
    const replyId = isRecord(reply) ? reply.id : undefined;
    if (this.#isLate(replyId)) return [];

    const openId = this.#openIdOf(replyId);
    const ids = openId === undefined ? [...this.#ids] : [openId];
    for (const id of ids) this.#ids.delete(id);
    return ids.map((id) => ({ jsonrpc: '2.0', id, error: UNREADABLE_REPLY }));
  }

  /** Some clients send the number of an id as text. */
  #openIdOf(replyId: unknown): RequestId | undefined {
    return isId(replyId) ? [...this.#ids].find((id) => String(id) === String(replyId)) : undefined;
  }

  /** A reply to a question that was asked and is not open any more. */
  #isLate(replyId: unknown): boolean {
    return (
      isId(replyId) && Number(replyId) <= this.#newestId && this.#openIdOf(replyId) === undefined
    );
  }
}

const UNREADABLE_REPLY = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'The reply is no response of JSON-RPC to a question of this server.',
};

export const isId = (value: unknown): value is RequestId =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** A value without a method is not a request; an array holds several messages. */
export const isReply = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isReply) : !isRecord(value) || !Object.hasOwn(value, 'method');
