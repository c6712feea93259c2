import type { z } from 'zod/v3';
import { operations } from '../../tools/index.ts';
import type { AnyOperation } from '../operation/operation.ts';
import {
  ADVISORIES_HEADER,
  CHANGE_HEADER,
  parseAdvisoriesHeader,
} from '../operation/rest-conventions.ts';
import type { Advisory } from '../schema/advisory.ts';
import { AcequiaError } from '../schema/error.ts';
import { remoteCache } from './cache.ts';
import {
  buildRequest,
  openRemoteConnection,
  parseServiceAddress,
  type RawResponse,
  type RemoteRequest,
  type RemoteRequestOptions,
  type ServiceAddress,
  TransportError,
} from './connection.ts';
import { monotonicMs, REMOTE_LIMITS, type RemoteLimits } from './limits.ts';
import {
  type ErrorContext,
  invalidResponseError,
  type RetryOutcome,
  sendWithRetry,
  toRemoteError,
  toTimeoutError,
} from './remote-errors.ts';
import { type ConformedResponse, conformResponse, ShapeError } from './response-shape.ts';
import {
  type DocumentedEndpoints,
  endpointKey,
  parseEndpoints,
  supportedOperations,
} from './supported-operations.ts';

export type QueryParams = Readonly<Record<string, string>>;

export interface RemoteResponse extends ConformedResponse {
  readonly replayed: boolean;
  readonly changeId?: number | null;
  readonly advisories: readonly Advisory[];
}

export interface RemoteService {
  request(
    operation: AnyOperation,
    wire: Readonly<Record<string, unknown>>,
    options: RemoteRequestOptions,
  ): Promise<RemoteResponse>;
  get<S extends z.ZodTypeAny>(
    path: string,
    query: QueryParams,
    schema: S,
    deadline: number,
  ): Promise<z.output<S>>;
  endpoints(): Promise<DocumentedEndpoints | null>;
  /** Where requests are sent. Its base path changes once openapi.json is found at another one. */
  address(): ServiceAddress;
  timeoutError(waitedMs: number): AcequiaError;
  close(): Promise<void>;
}

export interface RemoteServiceOptions {
  readonly url: string;
  readonly key: string | null;
  readonly limits: RemoteLimits;
  /** Called once if the service is found at another address than `url`. */
  readonly onBasePathChange?: ((url: string) => void) | undefined;
}

const getRequest = (path: string): RemoteRequest => ({
  method: 'GET',
  path,
  body: null,
  idempotencyKey: null,
  advisoryLang: null,
  confirmationLang: null,
});

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Source: spec, "the service base address … ends in the path segment /v1". */
const VERSION_PATH = '/v1';

/** True if the path does not exist at this address, or leads to a web page. */
const isMisdirected = ({ method }: RemoteRequest, { status, text }: RawResponse): boolean =>
  status === 404 ||
  status === 405 ||
  (method === 'GET' && isSuccess(status) && parseJson(text) === undefined);

const hasOurEndpoints = (endpoints: DocumentedEndpoints | null): boolean =>
  endpoints !== null && supportedOperations(endpoints, operations).size > 0;

interface TypedRequest {
  readonly request: RemoteRequest;
  /** Null for a request of our own. */
  readonly operation: AnyOperation | null;
  /** For error messages. */
  readonly name: string;
  readonly schema: z.ZodTypeAny;
  readonly deadline: number;
}

export function openRemoteService({
  url,
  key,
  limits,
  onBasePathChange,
}: RemoteServiceOptions): RemoteService {
  const address = parseServiceAddress(url);
  let { basePath } = address;
  const connection = openRemoteConnection({ origin: address.origin, key, limits });
  const keyError = findKeyError(key);

  async function send({
    request,
    operation,
    name,
    schema,
    deadline,
  }: TypedRequest): Promise<ConformedResponse & Pick<RawResponse, 'headers'>> {
    if (keyError) throw keyError;

    const { idempotencyKey } = request;
    const errorContext: ErrorContext = { operation, origin: address.origin, key, idempotencyKey };
    const outcome = await sendWithBasePathDiscovery(request, deadline);
    const { last: response } = outcome;
    if (response instanceof TransportError || !isSuccess(response.status))
      throw toRemoteError(outcome, errorContext);

    const json = parseJson(response.text);
    if (json === undefined) throw invalidResponseError(errorContext, 'is not JSON', true);

    try {
      return { ...conformResponse(schema, json), headers: response.headers };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw mismatchError(errorContext, name, error.path);
    }
  }

  async function sendWithBasePathDiscovery(
    request: RemoteRequest,
    deadline: number,
  ): Promise<RetryOutcome> {
    const triedPath = basePath;
    const outcome = await sendWithRetry(connection, request, triedPath, limits, deadline);
    if (outcome.last instanceof TransportError || !isMisdirected(request, outcome.last))
      return outcome;
    await endpoints();
    return basePath === triedPath
      ? outcome
      : sendWithRetry(connection, request, basePath, limits, deadline);
  }

  const timeoutError = (waitedMs: number): AcequiaError =>
    toTimeoutError(
      { operation: null, origin: address.origin, key, idempotencyKey: null },
      waitedMs,
    );

  const endpointsCache = remoteCache<DocumentedEndpoints | null>({
    ttlMs: (endpoints) => (endpoints === null ? limits.documentRetryMs : Number.POSITIVE_INFINITY),
    fetchTimeoutMs: limits.documentMs,
    async fetch(deadline) {
      const documented = await fetchEndpoints(address.basePath, deadline);
      if (hasOurEndpoints(documented)) return documented;

      for (const candidateBasePath of new Set([
        `${address.basePath}${VERSION_PATH}`,
        VERSION_PATH,
      ])) {
        if (candidateBasePath === address.basePath) continue;
        const found = await fetchEndpoints(candidateBasePath, deadline);
        if (!hasOurEndpoints(found)) continue;
        basePath = candidateBasePath;
        onBasePathChange?.(`${address.origin}${candidateBasePath}`);
        return found;
      }

      return documented;
    },
    timeoutError,
  });

  async function fetchEndpoints(
    candidateBasePath: string,
    deadline: number,
  ): Promise<DocumentedEndpoints | null> {
    const response = await connection
      .send(getRequest('/openapi.json'), candidateBasePath, deadline)
      .catch((error: unknown) => {
        if (error instanceof TransportError) return null;
        throw error;
      });
    return response !== null && isSuccess(response.status)
      ? parseEndpoints(parseJson(response.text), candidateBasePath)
      : null;
  }

  async function endpoints(): Promise<DocumentedEndpoints | null> {
    if (keyError) throw keyError;
    // A second longer than the fetch may take, so that the fetch ends first.
    return endpointsCache.get(monotonicMs() + limits.documentMs + 1_000);
  }

  return {
    endpoints,
    address: () => ({ origin: address.origin, basePath }),
    timeoutError,
    close: () => connection.close(),
    async request(operation, wire, { deadline, ...options }) {
      const request = buildRequest(operation, wire, options);
      const { output: schema, endpoint } = operation;
      const name = `${endpoint.method} ${endpoint.path} (${operation.name})`;
      const { headers, ...response } = await send({ request, operation, name, schema, deadline });

      return {
        ...response,
        replayed: headers['idempotent-replayed'] === 'true',
        changeId: parseChangeId(headers[CHANGE_HEADER]),
        advisories: parseAdvisoriesHeader(headers[ADVISORIES_HEADER]),
      };
    },
    async get(path, query, schema, deadline) {
      const hasQuery = Object.keys(query).length > 0;
      const supported = hasQuery
        ? (await endpoints())?.get(endpointKey({ method: 'GET', path }))
        : undefined;
      const params = Object.entries(query).filter(
        ([name]) => name === 'cursor' || supported === undefined || supported.has(name),
      );
      const pathWithQuery = params.length === 0 ? path : `${path}?${new URLSearchParams(params)}`;
      const request = getRequest(pathWithQuery);

      const name = `GET ${path}`;
      const { body, mismatches } = await send({ request, operation: null, name, schema, deadline });

      // The schema has only the fields that are needed here.
      const [missing] = mismatches;
      if (missing === undefined) return body;

      throw mismatchError(
        { operation: null, origin: address.origin, key, idempotencyKey: null },
        name,
        missing,
      );
    },
  };
}

const mismatchError = (context: ErrorContext, name: string, path: string): AcequiaError =>
  invalidResponseError(context, `does not match ${name}${path === '' ? '' : `, at ${path}`}`, true);

/** A key with a character that a header cannot carry was not copied correctly. */
export function findKeyError(key: string | null): AcequiaError | null {
  if (key === null || /^[!-~]+$/.test(key)) return null;
  return new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: 'The key in ACEQUIA_API_KEY contains an invalid character.',
    hint: 'Copy it again, without quotes, spaces or line breaks.',
  });
}

const parseChangeId = (header: string | undefined): number | null =>
  header !== undefined && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds the base address of the service, whose path may differ from that of `url`. */
export async function findBaseAddress(
  options: Pick<RemoteServiceOptions, 'url' | 'key'>,
): Promise<string> {
  const service = openRemoteService({ ...options, limits: REMOTE_LIMITS });
  try {
    await service.endpoints();
    const { origin, basePath } = service.address();
    return `${origin}${basePath}`;
  } finally {
    await service.close();
  }
}

/**
 * Sends batches with an operation that is idempotent by itself, so that no batch needs an
 * idempotency key.
 */
export function batchClient(options: {
  readonly url: string;
  readonly key: string | null;
  readonly operation: AnyOperation;
}) {
  const { url, key, operation } = options;
  const service = openRemoteService({ url, key, limits: REMOTE_LIMITS });
  return {
    async send(batch: Readonly<Record<string, unknown>>): Promise<unknown> {
      const requestOptions = {
        idempotencyKey: null,
        lang: null,
        deadline: monotonicMs() + REMOTE_LIMITS.callMs,
      };
      return (await service.request(operation, batch, requestOptions)).body;
    },
    close: service.close,
  };
}
