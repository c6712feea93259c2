// Source: MCP Apps (io.modelcontextprotocol/ui), revision 2026-01-26: JSON-RPC 2.0 between the page
// and the window around it.
import { isFields } from './tool-call.ts';

interface HostMessages {
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Undefined for a method that the page does not have. */
  onRequest(method: string): object | undefined;
}

export interface HostBridge {
  /** Rejects with a HostRefusal, or with null if no answer came in time or before the signal. */
  request(
    method: string,
    params: object,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown>;
  notify(method: string, params: object): void;
  close(): void;
}

export interface HostRefusal {
  readonly code: number;
  readonly message: string;
}

export type View = Pick<Window, 'parent' | 'addEventListener' | 'removeEventListener'>;

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
export function connectHost(view: View, messages: HostMessages): HostBridge {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let origin: string | null = null;

  // A sandbox without an origin is called "null", to which no message can be addressed.
  const send = (message: object): void =>
    view.parent.postMessage(
      { jsonrpc: '2.0', ...message },
      origin === null || origin === 'null' ? '*' : origin,
    );

  function removePending(id: number): Pending | undefined {
    const request = pending.get(id);
    pending.delete(id);
    return request;
  }

  function settle(id: number, { result, error }: Readonly<Record<string, unknown>>): boolean {
    const request = removePending(id);
    if (isFields(error))
      request?.reject({ code: Number(error.code), message: String(error.message) });
    else request?.resolve(result);
    return request !== undefined;
  }

  function answer(id: unknown, method: string): void {
    const result = messages.onRequest(method);
    if (result !== undefined) send({ id, result });
    else send({ id, error: { code: METHOD_NOT_FOUND, message: `The page has no ${method}.` } });
  }

  function receive({ source, origin: from, data }: MessageEvent): void {
    if (source !== view.parent || (origin !== null && from !== origin)) return;
    if (!isFields(data) || data.jsonrpc !== '2.0') return;
    const { id, method } = data;
    if (typeof method !== 'string') {
      if (typeof id === 'number' && settle(id, data)) origin ??= from;
    } else if (origin === null) return;
    else if (id === undefined)
      messages.onNotification(method, isFields(data.params) ? data.params : {});
    else answer(id, method);
  }

  view.addEventListener('message', receive);
  return {
    request: (method, params, timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const id = nextId++;

        const cleanUp = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
        };

        const timer = setTimeout(() => removePending(id)?.reject(null), timeoutMs);

        const cancel = (): void => {
          send({ method: 'notifications/cancelled', params: { requestId: id } });
          removePending(id)?.reject(null);
        };

        pending.set(id, {
          resolve: (result) => {
            cleanUp();
            resolve(result);
          },
          reject: (reason) => {
            cleanUp();
            reject(reason);
          },
        });
        send({ id, method, params });
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel);
      }),
    notify: (method, params) => send({ method, params }),
    close() {
      view.removeEventListener('message', receive);
      for (const { reject } of pending.values()) reject(null);
      pending.clear();
    },
  };
}
