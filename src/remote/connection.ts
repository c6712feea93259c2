import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type Dispatcher, errors, Pool } from 'undici';
import type { Lang } from '../domain/lang.ts';
import type { CallTrace } from '../observe/call-trace.ts';
import { NOTE_FACTS_HEADER, NOTES_HEADER } from '../operation/notes-header.ts';
import { type AnyOperation, argumentLocation } from '../operation/operation.ts';
import { monotonicMs, type RemoteLimits } from './limits.ts';
import { TransportError, toTransportError } from './transport-error.ts';

// What a call asks of a service is asked in many places, and beside a request over the network this costs nothing.
const traceStorage = new AsyncLocalStorage<CallTrace>();

/** Runs a part of a call: requests that are made meanwhile are followed with it. What several calls wait for goes with the first. */
export const withTrace = <T>(trace: CallTrace | undefined, run: () => T): T =>
  trace === undefined ? run() : traceStorage.run(trace, run);

/** The call that a request is made for. */
export const currentTrace = (): CallTrace | undefined => traceStorage.getStore();

/** Where a service is: paths of endpoints are appended to `base`. */
export interface ServiceAddress {
  readonly origin: string;
  /** Path of the base address without a slash at its end; the specification has it end in /v1. */
  readonly basePath: string;
}

/** The address in a base URL, with or without a slash at its end. */
export function parseServiceAddress(url: string): ServiceAddress {
  const { origin, pathname } = new URL(url);
  return { origin, basePath: pathname.replace(/\/+$/, '') };
}

/** A request without the key, which the connection alone knows. */
export interface RemoteRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, with its query. */
  readonly path: string;
  /** JSON text. */
  readonly body: string | null;
  /** Every write has one, so that it can be repeated. */
  readonly idempotencyKey: string | null;
  /** The language of the summary, which takes the notes of the service; null where nobody reads one. */
  readonly noteLang: Lang | null;
}

export interface RemoteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Requests to one service, each sent once. */
export interface RemoteConnection {
  /** The answer, whatever its status; Unanswered where there is none before `deadline` (by `ticking`). */
  send(sent: RemoteRequest, deadline: number): Promise<RemoteReply>;
  close(): Promise<void>;
}

export interface RemoteConnectionOptions {
  readonly address: ServiceAddress;
  readonly key: string | null;
  readonly limits: RemoteLimits;
}

/** Redirects are not followed, so that the key goes nowhere else. */
export function openRemoteConnection({ address, key, limits }: RemoteConnectionOptions): RemoteConnection {
  const { connectMs, headersMs, bodyMs } = limits;
  const pool = new Pool(address.origin, {
    connections: 16,
    connect: { timeout: connectMs },
    headersTimeout: headersMs,
  });

  async function send(
    { method, path, body, idempotencyKey, noteLang }: RemoteRequest,
    deadline: number,
  ): Promise<RemoteReply> {
    const remainingMs = deadline - monotonicMs();
    if (remainingMs <= 0) throw new TransportError('silent', 0);
    const startedAtMs = monotonicMs();
    const request = currentTrace()?.startRequest(method);
    try {
      const answer = await pool.request({
        path: `${address.basePath}${path}`,
        method,
        body,
        headers: {
          accept: 'application/json, application/problem+json',
          ...(body !== null && { 'content-type': 'application/json' }),
          ...(key !== null && { 'x-api-key': key }),
          ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
          ...(noteLang !== null && { [NOTES_HEADER]: noteLang, [NOTE_FACTS_HEADER]: '1' }),
          ...request?.headers,
        },
        headersTimeout: headersMs,
        bodyTimeout: bodyMs,
        signal: AbortSignal.timeout(Math.ceil(remainingMs)),
      });
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      );
      const reply = { status: answer.statusCode, headers, text: await textOf(answer.body) };
      request?.end({ status: reply.status });
      return reply;
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) throw error;
      const unanswered = toTransportError(error, monotonicMs() - startedAtMs);
      request?.end({ lack: unanswered.failure });
      throw unanswered;
    }
  }

  /** The whole body, bounded in size and time: some bodies never end. */
  async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
    const bodyTimer = setTimeout(() => body.destroy(new TransportError('silent', bodyMs)), bodyMs);
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        if (size > limits.responseBytes) throw new TransportError('endless', 0);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      clearTimeout(bodyTimer);
    }
  }

  return { send, close: () => pool.destroy() };
}

/** The request for an operation: every argument where its endpoint takes it, and what its remarks are to be said in. */
export function buildRequest(
  { endpoint }: Pick<AnyOperation, 'endpoint'>,
  wire: Readonly<Record<string, unknown>>,
  idempotencyKey: string | null,
  noteLang: Lang | null,
): RemoteRequest {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = endpoint.path;
  for (const [name, value] of Object.entries(wire)) {
    if (value === undefined) continue;
    const location = argumentLocation(endpoint, name);
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (location === 'body') body[name] = value;
    else for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const takesBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  return {
    method: endpoint.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    body: takesBody ? JSON.stringify(body) : null,
    idempotencyKey: idempotencyKey === null ? null : headerSafeKey(idempotencyKey),
    noteLang,
  };
}

/** A key as a header carries it: a text that no header takes travels as its hash, which is the same for the same text. */
const headerSafeKey = (key: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(key) ? key : createHash('sha256').update(key).digest('base64url');
