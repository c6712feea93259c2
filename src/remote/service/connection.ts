import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type Dispatcher, errors, Pool } from 'undici';
import type { Lang } from '../../domain/lang.ts';
import type { CallTrace } from '../../observe/observer.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { argumentLocation, takesBody } from '../../operation/operation-fields.ts';
import {
  ADVISORIES_HEADER,
  ADVISORY_FACTS_HEADER,
  CONFIRMATION_HEADER,
  type CONFIRMED,
  ERROR_TEXTS_HEADER,
  formatReadInHeader,
  READ_IN_HEADER,
  type ReadingFormats,
  TOOL_CALL_HEADER,
  WORDS_READ_AT_HEADER,
} from '../../operation/rest-conventions.ts';
import { monotonicMs } from './deadline.ts';
import type { RemoteLimits } from './remote-limits.ts';

export type TransportFailure =
  | 'unreachable'
  | 'untrusted'
  | 'closed'
  | 'timeout'
  | 'too_large'
  | 'not_http';

/** Contains no part of the request, so that it can be logged. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;
  readonly waitedMs: number;
  readonly reason: string | null;

  constructor(failure: TransportFailure, waitedMs: number, reason: string | null = null) {
    super(`transport error: ${failure}`);
    this.failure = failure;
    this.waitedMs = waitedMs;
    this.reason = reason;
  }

  get mayHaveArrived(): boolean {
    return this.failure !== 'unreachable' && this.failure !== 'untrusted';
  }
}

const FAILURE_BY_CODE: readonly [RegExp, TransportFailure][] = [
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/,
    'unreachable',
  ],
  [
    /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    'untrusted',
  ],
  [/^UND_ERR_(HEADERS_TIMEOUT|BODY_TIMEOUT)/, 'timeout'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_NOT_SUPPORTED)/, 'not_http'],
];

function toTransportError(error: unknown, waitedMs: number): TransportError {
  if (error instanceof TransportError)
    return new TransportError(error.failure, waitedMs, error.reason);
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return new TransportError('timeout', waitedMs);
  if (name === 'HTTPParserError') return new TransportError('not_http', waitedMs);
  const reason = typeof code === 'string' ? code : null;
  const failure =
    FAILURE_BY_CODE.find(([pattern]) => reason !== null && pattern.test(reason))?.[1] ?? 'closed';
  return new TransportError(failure, waitedMs, reason?.startsWith('UND_ERR_') ? null : reason);
}

// Not passed as an argument, because the requests of a call are sent from many places. The cost is
// small compared with that of a network request.
const traceStorage = new AsyncLocalStorage<CallTrace>();

/**
 * Adds the requests made by `run` to the trace of a call. A request that several calls share
 * belongs to the first.
 */
export const withTrace = <T>(trace: CallTrace | undefined, run: () => T): T =>
  trace === undefined ? run() : traceStorage.run(trace, run);

export interface ServiceAddress {
  readonly origin: string;
  /** Without a trailing slash, such as "/v1". Endpoint paths are appended to it. */
  readonly basePath: string;
}

export function parseServiceAddress(url: string): ServiceAddress {
  const { origin, pathname } = new URL(url);
  return { origin, basePath: pathname.replace(/(?<!\/)\/+$/, '') };
}

/** The language in which a person can be asked, or that they confirmed it. */
type Confirmation = Lang | typeof CONFIRMED;

export interface RemoteRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base path. */
  readonly path: string;
  readonly body: string | null;
  /** Null for reads, and for the batches of devices, which can be repeated without one. */
  readonly idempotencyKey: string | null;
  readonly wordsReadAt: number | null;
  readonly readIn: ReadingFormats | null;
  readonly advisoryLang: Lang | null;
  readonly confirmation: Confirmation | null;
}

export interface RemoteRequestOptions {
  readonly idempotencyKey: string | null;
  /** In ms; null if the call has no times in words. */
  readonly wordsReadAt?: number | null;
  /** The formats in which the words of the call were read; null if that is not known. */
  readonly readIn?: ReadingFormats | null;
  readonly lang: Lang | null;
  readonly confirmation?: Confirmation | null;
  readonly deadline: number;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

interface RemoteConnectionOptions {
  readonly origin: string;
  readonly key: string | null;
  readonly limits: RemoteLimits;
}

export const isSuccess = ({ status }: RawResponse): boolean => status >= 200 && status < 300;

/** Undefined if it is not JSON. */
export function responseJson({ text }: RawResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Redirects are not followed, so that the key goes to no other origin. */
export class RemoteConnection {
  readonly #pool: Pool;
  readonly #key: string | null;
  readonly #limits: RemoteLimits;

  constructor({ origin, key, limits }: RemoteConnectionOptions) {
    this.#key = key;
    this.#limits = limits;
    this.#pool = new Pool(origin, {
      connections: 16,
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.headersMs,
    });
  }

  /** Throws TransportError if no whole response arrives. */
  async send(request: RemoteRequest, basePath: string, deadline: number): Promise<RawResponse> {
    const startedAtMs = monotonicMs();
    const remainingMs = deadline - startedAtMs;
    if (remainingMs <= 0) throw new TransportError('timeout', 0);

    const requestTrace = traceStorage.getStore()?.startRequest(request.method);
    try {
      const response = await this.#pool.request({
        path: `${basePath}${request.path}`,
        method: request.method,
        body: request.body,
        headers: { ...requestHeaders(request, this.#key), ...requestTrace?.headers },
        headersTimeout: this.#limits.headersMs,
        bodyTimeout: this.#limits.bodyMs,
        signal: AbortSignal.timeout(Math.ceil(remainingMs)),
      });
      const text = await this.#readText(response.body);

      const status = response.statusCode;
      requestTrace?.end({ status });
      return { status, headers: firstValues(response.headers), text };
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) throw error;
      const transportError = toTransportError(error, monotonicMs() - startedAtMs);
      requestTrace?.end({ transportError: transportError.failure });
      throw transportError;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** Limits size and time, because some bodies never end. */
  async #readText(body: Dispatcher.ResponseData['body']): Promise<string> {
    const { bodyMs, responseBytes } = this.#limits;
    const bodyTimer = setTimeout(() => body.destroy(new TransportError('timeout', bodyMs)), bodyMs);
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        if (size > responseBytes) throw new TransportError('too_large', 0);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      clearTimeout(bodyTimer);
    }
  }
}

function requestHeaders(
  { body, idempotencyKey, wordsReadAt, readIn, advisoryLang, confirmation }: RemoteRequest,
  key: string | null,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    [ERROR_TEXTS_HEADER]: '1',
  };
  if (body !== null) headers['content-type'] = 'application/json';
  if (key !== null) headers['x-api-key'] = key;
  if (idempotencyKey !== null) {
    headers['idempotency-key'] = idempotencyKey;
    // Only a batch that devices send is a write without a key, and it is no tool call.
    headers[TOOL_CALL_HEADER] = '1';
  }
  if (wordsReadAt !== null) headers[WORDS_READ_AT_HEADER] = new Date(wordsReadAt).toISOString();
  if (readIn !== null) headers[READ_IN_HEADER] = formatReadInHeader(readIn);
  if (advisoryLang !== null) {
    headers[ADVISORIES_HEADER] = advisoryLang;
    headers[ADVISORY_FACTS_HEADER] = '1';
  }
  if (confirmation !== null) headers[CONFIRMATION_HEADER] = confirmation;
  return headers;
}

const firstValues = (
  headers: Dispatcher.ResponseData['headers'],
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

export const getRequest = (path: string): RemoteRequest => ({
  method: 'GET',
  path,
  body: null,
  idempotencyKey: null,
  wordsReadAt: null,
  readIn: null,
  advisoryLang: null,
  confirmation: null,
});

export function buildRequest(
  { endpoint }: Pick<AnyOperation, 'endpoint'>,
  restArguments: Readonly<Record<string, unknown>>,
  {
    idempotencyKey,
    wordsReadAt = null,
    readIn = null,
    lang: advisoryLang,
    confirmation = null,
  }: Omit<RemoteRequestOptions, 'deadline'>,
): RemoteRequest {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = endpoint.path;

  for (const [name, value] of Object.entries(restArguments)) {
    if (value === undefined) continue;
    const location = argumentLocation(endpoint, name);
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    if (location === 'body') body[name] = value;
    if (location === 'query')
      for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }

  return {
    method: endpoint.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    body: takesBody(endpoint) ? JSON.stringify(body) : null,
    idempotencyKey: idempotencyKey === null ? null : headerSafeKey(idempotencyKey),
    wordsReadAt,
    readIn,
    advisoryLang,
    confirmation,
  };
}

/** A key with characters that a header cannot carry is replaced by its hash. */
const headerSafeKey = (key: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(key) ? key : createHash('sha256').update(key).digest('base64url');
