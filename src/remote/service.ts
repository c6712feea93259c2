import type { Lang } from '../domain/lang.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import { NOTES_HEADER, parseNotesHeader } from '../operation/remarks-header.ts';
import { AcequiaError } from '../schema/error.ts';
import type { ServiceAddress } from './address.ts';
import { monotonicMs, type RemoteLimits } from './bounds.ts';
import type { RemoteConnection, RemoteReply, RemoteRequest } from './connection.ts';
import { type DocumentedEndpoints, parseEndpoints } from './document.ts';
import { remoteCache } from './kept.ts';
import { supportedParams } from './offered.ts';
import type { GetJson, QueryParams } from './pages.ts';
import { type FailedRequest, invalidResponseError, timedOutError, toRemoteError } from './refusals.ts';
import { buildRequest } from './request.ts';
import { type ConformedResponse, conformResponse, ShapeError } from './shape.ts';
import { sendWithRetry } from './tries.ts';
import { TransportError } from './unanswered.ts';

export interface RemoteResponse extends ConformedResponse {
  /** The stored answer of an earlier request under the same Idempotency-Key. */
  readonly replayed: boolean;
  /** What the service remarks on beside the body, where it does. */
  readonly notes: readonly string[];
}

/** A service that speaks the interface; what it refuses and what goes wrong on the way is thrown as AcequiaError. */
export interface RemoteService {
  /** Asks for an operation with its arguments as they travel, for people who hear `lang`. */
  request(
    described: AnyOperation,
    wire: Readonly<Record<string, unknown>>,
    how: RemoteRequestOptions,
  ): Promise<RemoteResponse>;
  readonly getJson: GetJson;
  /** Why something is not there yet, after so many ms. */
  timeoutError(waitedMs: number): AcequiaError;
  /** The endpoints that its document names; null where it has none. */
  endpoints(): Promise<DocumentedEndpoints | null>;
}

/** How an operation is asked for; the deadline by `ticking`. */
export interface RemoteRequestOptions {
  readonly idempotencyKey: string | null;
  /** Null where nobody is told of the answer. */
  readonly lang: Lang | null;
  readonly deadline: number;
}

export interface RemoteServiceOptions {
  readonly connection: RemoteConnection;
  readonly address: ServiceAddress;
  readonly key: string | null;
  readonly limits: RemoteLimits;
}

/** A read whose answer nobody is told of. */
const plainGet = (path: string): RemoteRequest => ({
  method: 'GET',
  path,
  body: null,
  idempotencyKey: null,
  noteLang: null,
});

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export function openRemoteService({ connection, address, key, limits }: RemoteServiceOptions): RemoteService {
  const keyError = invalidKeyError(key);

  async function fetchJson(
    request: RemoteRequest,
    deadline: number,
  ): Promise<{ reply: RemoteReply; body: unknown; failed: FailedRequest }> {
    if (keyError) throw keyError;
    const failedRequest: FailedRequest = { origin: address.origin, key, idempotencyKey: request.idempotencyKey };
    const outcome = await sendWithRetry(connection, request, limits, deadline);
    const { last: reply } = outcome;
    if (reply instanceof TransportError || !isSuccess(reply.status)) throw toRemoteError(outcome, failedRequest);
    const body = parseResponseJson(reply.text);
    if (body === undefined) throw invalidResponseError(failedRequest, 'is no JSON', true);
    return { reply, body, failed: failedRequest };
  }

  async function request(
    operation: AnyOperation,
    wire: Readonly<Record<string, unknown>>,
    { idempotencyKey, lang, deadline }: RemoteRequestOptions,
  ): Promise<RemoteResponse> {
    const { reply, body, failed } = await fetchJson(buildRequest(operation, wire, idempotencyKey, lang), deadline);
    try {
      // Some services answer a write that was done with nothing.
      const answer = body === null && isWrite(operation) && reply.text.trim() === '' ? {} : body;
      return {
        ...conformResponse(operation.output, answer),
        replayed: reply.headers['idempotent-replayed'] === 'true',
        notes: parseNotesHeader(reply.headers[NOTES_HEADER]),
      };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      const where = error.path === '' ? '' : ` (at ${error.path})`;
      throw invalidResponseError(failed, `is not what ${operation.name} answers${where}`, true);
    }
  }

  const timeoutError = (waitedMs: number): AcequiaError =>
    timedOutError({ origin: address.origin, key, idempotencyKey: null }, waitedMs);

  const endpointsCache = remoteCache<DocumentedEndpoints | null>({
    ttlMs: (endpoints) => (endpoints === null ? limits.documentRetryMs : Number.POSITIVE_INFINITY),
    fetchTimeoutMs: limits.documentMs,
    async fetch(deadline) {
      const reply = await connection.send(plainGet('/openapi.json'), deadline).catch((error: unknown) => {
        if (error instanceof TransportError) return null;
        throw error;
      });
      return reply !== null && isSuccess(reply.status) ? parseEndpoints(reply.text, address) : null;
    },
    timeoutError,
  });

  async function endpoints(): Promise<DocumentedEndpoints | null> {
    if (keyError) throw keyError;
    // A second more than the document is waited for, so that its own end comes first.
    return endpointsCache.get(monotonicMs() + limits.documentMs + 1_000);
  }

  async function getJson(path: string, query: QueryParams, deadline: number): Promise<unknown> {
    const supported =
      Object.keys(query).length === 0 ? null : supportedParams(await endpoints(), { method: 'GET', path });
    // A cursor is the service's own.
    const sentParams = Object.entries(query).filter(
      ([name]) => name === 'cursor' || supported === null || supported.has(name),
    );
    const pathWithQuery = sentParams.length === 0 ? path : `${path}?${new URLSearchParams(sentParams)}`;
    return (await fetchJson(plainGet(pathWithQuery), deadline)).body;
  }

  return { request, getJson, timeoutError, endpoints };
}

/** Why a key cannot be sent, where it cannot: one with a character that no header takes was copied badly. */
export function invalidKeyError(key: string | null): AcequiaError | null {
  if (key === null || /^[!-~]+$/.test(key)) return null;
  return new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: 'The key in ACEQUIA_API_KEY holds a character that no key has.',
    hint: 'Copy the key anew, without quotes, spaces or line ends.',
  });
}

/** Undefined where the text is no JSON; an empty answer is null. */
function parseResponseJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
