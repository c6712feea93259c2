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
import { RemoteCache } from './cache.ts';
import {
  buildRequest,
  parseServiceAddress,
  type RawResponse,
  RemoteConnection,
  type RemoteRequest,
  type RemoteRequestOptions,
  type ServiceAddress,
  TransportError,
} from './connection.ts';
import { monotonicMs, REMOTE_LIMITS, type RemoteLimits } from './limits.ts';
import {
  type ErrorContext,
  invalidResponseError,
  toRemoteError,
  toTimeoutError,
} from './remote-errors.ts';
import { type ConformedResponse, conformResponse, ShapeError } from './response-shape.ts';
import { type RetryOutcome, sendWithRetry } from './retry.ts';
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

/** A service elsewhere, of this program or by the specification alone. */
export class RemoteService {
  readonly #address: ServiceAddress;
  readonly #key: string | null;
  readonly #limits: RemoteLimits;
  readonly #onBasePathChange: RemoteServiceOptions['onBasePathChange'];
  readonly #connection: RemoteConnection;
  readonly #keyError: AcequiaError | null;
  readonly #endpoints: RemoteCache<DocumentedEndpoints | null>;
  #basePath: string;

  constructor({ url, key, limits, onBasePathChange }: RemoteServiceOptions) {
    this.#address = parseServiceAddress(url);
    this.#basePath = this.#address.basePath;
    this.#key = key;
    this.#limits = limits;
    this.#onBasePathChange = onBasePathChange;
    this.#connection = new RemoteConnection({ origin: this.#address.origin, key, limits });
    this.#keyError = findKeyError(key);
    this.#endpoints = new RemoteCache<DocumentedEndpoints | null>({
      ttlMs: (found) => (found === null ? limits.documentRetryMs : Number.POSITIVE_INFINITY),
      fetchTimeoutMs: limits.documentMs,
      fetch: (deadline) => this.#discoverEndpoints(deadline),
      timeoutError: (waitedMs) => this.timeoutError(waitedMs),
    });
  }

  async request(
    operation: AnyOperation,
    restArguments: Readonly<Record<string, unknown>>,
    { deadline, ...options }: RemoteRequestOptions,
  ): Promise<RemoteResponse> {
    const request = buildRequest(operation, restArguments, options);
    const { output: schema, endpoint } = operation;
    const name = `${endpoint.method} ${endpoint.path} (${operation.name})`;
    const typedRequest = { request, operation, name, schema, deadline };
    const { headers, ...response } = await this.#send(typedRequest);

    return {
      ...response,
      replayed: headers['idempotent-replayed'] === 'true',
      changeId: parseChangeId(headers[CHANGE_HEADER]),
      advisories: parseAdvisoriesHeader(headers[ADVISORIES_HEADER]),
    };
  }

  async get<S extends z.ZodTypeAny>(
    path: string,
    query: QueryParams,
    schema: S,
    deadline: number,
  ): Promise<z.output<S>> {
    const request = getRequest(await this.#pathWithQuery(path, query));
    const name = `GET ${path}`;
    const typedRequest = { request, operation: null, name, schema, deadline };
    const { body, mismatches } = await this.#send(typedRequest);

    // The schema has only the fields that are needed here.
    const [missing] = mismatches;
    if (missing !== undefined) throw mismatchError(this.#ownContext(), name, missing);
    return body;
  }

  async endpoints(): Promise<DocumentedEndpoints | null> {
    if (this.#keyError) throw this.#keyError;
    // A second longer than the fetch may take, so that the fetch ends first.
    return this.#endpoints.get(monotonicMs() + this.#limits.documentMs + 1_000);
  }

  /** Where requests are sent. Its base path changes once openapi.json is found at another one. */
  address(): ServiceAddress {
    return { origin: this.#address.origin, basePath: this.#basePath };
  }

  timeoutError(waitedMs: number): AcequiaError {
    return toTimeoutError(this.#ownContext(), waitedMs);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** For errors of a request of our own. */
  #ownContext(): ErrorContext {
    const { origin } = this.#address;
    return { operation: null, origin, key: this.#key, idempotencyKey: null };
  }

  /** A service by the specification alone may not have all parameters. */
  async #pathWithQuery(path: string, query: QueryParams): Promise<string> {
    if (Object.keys(query).length === 0) return path;

    const supported = (await this.endpoints())?.get(endpointKey({ method: 'GET', path }));
    const params = Object.entries(query).filter(
      ([name]) => name === 'cursor' || supported === undefined || supported.has(name),
    );
    return params.length === 0 ? path : `${path}?${new URLSearchParams(params)}`;
  }

  async #send({
    request,
    operation,
    name,
    schema,
    deadline,
  }: TypedRequest): Promise<ConformedResponse & Pick<RawResponse, 'headers'>> {
    if (this.#keyError) throw this.#keyError;

    const { idempotencyKey } = request;
    const errorContext: ErrorContext = { ...this.#ownContext(), operation, idempotencyKey };
    const outcome = await this.#sendWhereFound(request, deadline);
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

  /** Sends again if the service turns out to be at another path. */
  async #sendWhereFound(request: RemoteRequest, deadline: number): Promise<RetryOutcome> {
    const triedPath = this.#basePath;
    const send = (path: string) =>
      sendWithRetry(this.#connection, request, path, this.#limits, deadline);

    const outcome = await send(triedPath);
    if (outcome.last instanceof TransportError || !isMisdirected(request, outcome.last))
      return outcome;

    await this.endpoints();
    return this.#basePath === triedPath ? outcome : send(this.#basePath);
  }

  async #discoverEndpoints(deadline: number): Promise<DocumentedEndpoints | null> {
    const { origin, basePath } = this.#address;
    const documented = await this.#fetchEndpoints(basePath, deadline);
    if (hasOurEndpoints(documented)) return documented;

    for (const candidate of new Set([`${basePath}${VERSION_PATH}`, VERSION_PATH])) {
      if (candidate === basePath) continue;
      const found = await this.#fetchEndpoints(candidate, deadline);
      if (!hasOurEndpoints(found)) continue;

      this.#basePath = candidate;
      this.#onBasePathChange?.(`${origin}${candidate}`);
      return found;
    }

    return documented;
  }

  async #fetchEndpoints(basePath: string, deadline: number): Promise<DocumentedEndpoints | null> {
    const response = await this.#connection
      .send(getRequest('/openapi.json'), basePath, deadline)
      .catch((error: unknown) => {
        if (error instanceof TransportError) return null;
        throw error;
      });

    if (response === null || !isSuccess(response.status)) return null;
    return parseEndpoints(parseJson(response.text), basePath);
  }
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
  const service = new RemoteService({ ...options, limits: REMOTE_LIMITS });
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
  const service = new RemoteService({ url, key, limits: REMOTE_LIMITS });
  return {
    async send(batch: Readonly<Record<string, unknown>>): Promise<unknown> {
      const requestOptions = {
        idempotencyKey: null,
        lang: null,
        deadline: monotonicMs() + REMOTE_LIMITS.callMs,
      };
      return (await service.request(operation, batch, requestOptions)).body;
    },
    close: () => service.close(),
  };
}
