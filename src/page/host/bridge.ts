// Source: MCP Apps (io.modelcontextprotocol/ui), revision 2026-01-26: JSON-RPC 2.0 between the page
// and the window around it.
import { isFields } from './tool-call.ts';

interface HostMessages {
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Undefined for a method that the page does not have. */
  onRequest(method: string): object | undefined;
}

export interface HostRefusal {
  readonly code: number;
  readonly message: string;
}

/** The window of the page. */
export type PageWindow = Pick<Window, 'parent' | 'addEventListener' | 'removeEventListener'>;

interface Pending {
  resolve(result: unknown): void;
  reject(reason: HostRefusal | null): void;
}

const METHOD_NOT_FOUND = -32601;

/**
 * Listens only to the window around the page, and from its first answer on only to the origin of
 * that answer, so that a page that replaces the host is ignored too. Before the first answer the
 * origin of a host is unknown.
 */
export class HostBridge {
  readonly #window: PageWindow;
  readonly #messages: HostMessages;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #origin: string | null = null;

  constructor(pageWindow: PageWindow, messages: HostMessages) {
    this.#window = pageWindow;
    this.#messages = messages;
    pageWindow.addEventListener('message', this.#receive);
  }

  /** Rejects with a HostRefusal, or with null if no answer came in time or before the signal. */
  async request(
    method: string,
    params: object,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const id = this.#nextId++;

    const cancel = (): void => {
      this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
      this.#takePending(id)?.reject(null);
    };

    const timer = setTimeout(() => this.#takePending(id)?.reject(null), timeoutMs);
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#send({ id, method, params });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);

    return answer.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    });
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  close(): void {
    this.#window.removeEventListener('message', this.#receive);
    for (const { reject } of this.#pending.values()) reject(null);
    this.#pending.clear();
  }

  readonly #receive = ({ source, origin, data }: MessageEvent): void => {
    if (source !== this.#window.parent || (this.#origin !== null && origin !== this.#origin))
      return;
    if (!isFields(data) || data.jsonrpc !== '2.0') return;

    const { id, method, params } = data;
    // A message without a method is a response to a request of the page.
    if (typeof method !== 'string') {
      if (typeof id === 'number' && this.#settle(id, data)) this.#origin ??= origin;
      return;
    }

    // Nothing is obeyed before the host has answered.
    if (this.#origin === null) return;
    if (id === undefined) this.#messages.onNotification(method, isFields(params) ? params : {});
    else this.#answer(id, method);
  };

  #send(message: object): void {
    // A sandbox without an origin is called "null", to which no message can be addressed.
    const target = this.#origin === null || this.#origin === 'null' ? '*' : this.#origin;
    this.#window.parent.postMessage({ jsonrpc: '2.0', ...message }, target);
  }

  #takePending(id: number): Pending | undefined {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    return request;
  }

  /** Returns whether a request was waiting for it. */
  #settle(id: number, { result, error }: Readonly<Record<string, unknown>>): boolean {
    const request = this.#takePending(id);
    if (isFields(error))
      request?.reject({ code: Number(error.code), message: String(error.message) });
    else request?.resolve(result);
    return request !== undefined;
  }

  #answer(id: unknown, method: string): void {
    const result = this.#messages.onRequest(method);
    if (result !== undefined) this.#send({ id, result });
    else
      this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `The page has no ${method}.` } });
  }
}
