import type { Lang } from '../domain/lang.ts';
import { NOTES_HEADER, parseNotesHeader } from '../operation/notes-header.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';
import type { NoteOrText } from '../schema/note.ts';
import { remoteCache } from './cache.ts';
import {
  buildRequest,
  openRemoteConnection,
  parseServiceAddress,
  type RemoteConnection,
  type RemoteReply,
  type RemoteRequest,
  type ServiceAddress,
} from './connection.ts';
import { monotonicMs, REMOTE_LIMITS, type RemoteLimits } from './limits.ts';
import { type FailedRequest, invalidResponseError, timedOutError, toRemoteError } from './remote-errors.ts';
import { type ConformedResponse, conformResponse, ShapeError } from './response-shape.ts';
import { sendWithRetry } from './retry.ts';
import { type DocumentedEndpoints, parseEndpoints } from './service-document.ts';
import { supportedParams } from './supported-operations.ts';
import { TransportError } from './transport-error.ts';

/** The JSON under a path below the base address, before a deadline; refused as the service does. It is asked with what it takes of a query. */
export type GetJson = (path: string, query: QueryParams, deadline: number) => Promise<unknown>;

export type QueryParams = Readonly<Record<string, string>>;

/** An object of the service, of which nothing is known yet. */
export type RemoteRow = Readonly<Record<string, unknown>>;

/** Rows a page: as many as are served here; another service may serve fewer, or refuse so many. */
const PAGE_SIZE = '200';

/** More pages than any company has: a list whose pages go round ends here. */
const MAX_PAGES = 100;

/** Every row of a list that has an id, once, page after page. */
export async function fetchAllPages(
  get: GetJson,
  path: string,
  query: QueryParams,
  deadline: number,
): Promise<RemoteRow[]> {
  const rows = new Map<unknown, RemoteRow>();
  let limit: Record<string, string> = { limit: PAGE_SIZE };
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const pageQuery = (): QueryParams => ({ ...query, ...limit, ...(cursor !== null && { cursor }) });
    const answer = await get(path, pageQuery(), deadline).catch((error: unknown) => {
      if (!(error instanceof AcequiaError) || error.status !== 400 || !('limit' in limit)) throw error;
      limit = {};
      return get(path, pageQuery(), deadline);
    });
    const { data, next_cursor: next } = Array.isArray(answer)
      ? { data: answer, next_cursor: null }
      : ((answer ?? {}) as RemoteRow);
    for (const row of Array.isArray(data) ? data : []) if (Number.isSafeInteger(row?.id)) rows.set(row.id, row);
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return [...rows.values()];
}

export interface RemoteResponse extends ConformedResponse {
  /** The stored answer of an earlier request under the same Idempotency-Key. */
  readonly replayed: boolean;
  /** What the service notes beside the body: facts, or sentences of a service that knows no facts. */
  readonly notes: readonly NoteOrText[];
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
    operation: AnyOperation | null = null,
  ): Promise<{ reply: RemoteReply; body: unknown; failed: FailedRequest }> {
    if (keyError) throw keyError;
    const { idempotencyKey } = request;
    const failedRequest: FailedRequest = { operation, origin: address.origin, key, idempotencyKey };
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
    const remoteRequest = buildRequest(operation, wire, idempotencyKey, lang);
    const { reply, body, failed } = await fetchJson(remoteRequest, deadline, operation);
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
    timedOutError({ operation: null, origin: address.origin, key, idempotencyKey: null }, waitedMs);

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

export interface BatchClient {
  /** What the service answers to a batch; what it refuses and what goes wrong on the way is thrown as AcequiaError. */
  send(batch: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

/** Batches for a service, by an operation that changes nothing when it comes again: so a batch needs no key of its own. */
export function batchClient(options: {
  readonly url: string;
  readonly key: string | null;
  readonly described: AnyOperation;
}): BatchClient {
  const { key, described } = options;
  const address = parseServiceAddress(options.url);
  const connection = openRemoteConnection({ address, key, limits: REMOTE_LIMITS });
  const service = openRemoteService({ connection, address, key, limits: REMOTE_LIMITS });
  return {
    async send(batch) {
      const requestOptions = { idempotencyKey: null, lang: null, deadline: monotonicMs() + REMOTE_LIMITS.callMs };
      return (await service.request(described, batch, requestOptions)).body;
    },
    close: () => connection.close(),
  };
}
