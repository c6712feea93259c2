import type { z } from 'zod/v3';
import { aside, operationName } from '../../domain/text/program-names.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { parseAdvisoriesHeader } from '../../operation/advisories-header.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import {
  ADVISORIES_HEADER,
  ANSWERED_AT_HEADER,
  CHANGE_HEADER,
  endpointName,
  parseInstantHeader,
  REPLAYED_HEADER,
} from '../../operation/rest-conventions.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { AcequiaError } from '../../schema/error.ts';
import {
  buildRequest,
  getRequest,
  isSuccess,
  parseServiceAddress,
  type RawResponse,
  RemoteConnection,
  type RemoteRequest,
  type RemoteRequestOptions,
  responseJson,
  type ServiceAddress,
  TransportError,
} from './connection.ts';
import { EndpointDiscovery } from './endpoint-discovery.ts';
import {
  type ErrorContext,
  invalidResponseError,
  toRemoteError,
  toTimeoutError,
} from './remote-errors.ts';
import type { RemoteLimits } from './remote-limits.ts';
import { type ConformedResponse, conformResponse, ShapeError } from './response-shape.ts';
import { type RetryOutcome, sendWithRetry } from './retry.ts';
import { type DocumentedEndpoints, endpointKey } from './supported-operations.ts';

export type QueryParams = Readonly<Record<string, string>>;

export interface RemoteResponse extends ConformedResponse {
  /** Set if it is the stored answer to an earlier request; the service may not say when that was. */
  readonly replay: { readonly answeredAt: number | null } | null;
  /** True if the request was sent again because an attempt may have reached the service unanswered. */
  readonly wasRepeated: boolean;
  readonly changeId?: number | null;
  readonly advisories: readonly Advisory[];
}

type SentResponse = ConformedResponse &
  Pick<RawResponse, 'headers'> &
  Pick<RemoteResponse, 'wasRepeated'>;

export interface RemoteServiceOptions {
  readonly url: string;
  readonly key: string | null;
  readonly limits: RemoteLimits;
  /** Called once if the service is found at another address than `url`. */
  readonly onBasePathChange?: ((url: string) => void) | undefined;
}

/** True if the path does not exist at this address, or leads to a web page. */
const isMisdirected = ({ method }: RemoteRequest, response: RawResponse): boolean =>
  response.status === 404 ||
  response.status === 405 ||
  (method === 'GET' && isSuccess(response) && responseJson(response) === undefined);

interface TypedRequest {
  readonly request: RemoteRequest;
  /** Null for a request that runs no operation, such as a list of names. */
  readonly operation: AnyOperation | null;
  /** For error messages. */
  readonly name: Text;
  readonly schema: z.ZodTypeAny;
  readonly deadline: number;
}

/** Another Acequia, or a service that follows the specification alone. */
export class RemoteService {
  readonly #address: ServiceAddress;
  readonly #key: string | null;
  readonly #limits: RemoteLimits;
  readonly #connection: RemoteConnection;
  readonly #keyError: AcequiaError | null;
  readonly #discovery: EndpointDiscovery;

  constructor({ url, key, limits, onBasePathChange }: RemoteServiceOptions) {
    this.#address = parseServiceAddress(url);
    this.#key = key;
    this.#limits = limits;
    this.#connection = new RemoteConnection({ origin: this.#address.origin, key, limits });
    this.#keyError = findKeyError(key);
    this.#discovery = new EndpointDiscovery(this.#connection, this.#address, {
      limits,
      onBasePathChange,
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
    const tool = aside(operationName(operation.name));
    const name = say`${verbatim(endpointName(endpoint))}${tool}`;
    const typedRequest = { request, operation, name, schema, deadline };
    const { headers, ...response } = await this.#send(typedRequest);

    return {
      ...response,
      replay:
        headers[REPLAYED_HEADER] === 'true'
          ? { answeredAt: parseInstantHeader(headers, ANSWERED_AT_HEADER) }
          : null,
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
    const name = say`${verbatim(`GET ${path}`)}`;
    const typedRequest = { request, operation: null, name, schema, deadline };
    const { body, mismatches } = await this.#send(typedRequest);

    // The schema has only the fields that are needed here, so none of them may be missing.
    const [missing] = mismatches;
    if (missing !== undefined) throw mismatchError(this.#contextWithoutOperation(), name, missing);
    return body;
  }

  async endpoints(): Promise<DocumentedEndpoints | null> {
    if (this.#keyError) throw this.#keyError;
    return this.#discovery.endpoints();
  }

  /** Where requests are sent. Its base path changes once openapi.json is found at another one. */
  address(): ServiceAddress {
    return { origin: this.#address.origin, basePath: this.#discovery.basePath };
  }

  timeoutError(waitedMs: number): AcequiaError {
    return toTimeoutError(this.#contextWithoutOperation(), waitedMs);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #contextWithoutOperation(): ErrorContext {
    const { origin } = this.#address;
    return { operation: null, origin, key: this.#key, idempotencyKey: null };
  }

  /** Leaves out parameters that a service by the specification alone may not have. */
  async #pathWithQuery(path: string, query: QueryParams): Promise<string> {
    if (Object.keys(query).length === 0) return path;

    const supported = (await this.endpoints())?.get(endpointKey({ method: 'GET', path }));
    const params = Object.entries(query).filter(
      ([name]) => supported === undefined || supported.has(name) || name === 'cursor',
    );
    return params.length === 0 ? path : `${path}?${new URLSearchParams(params)}`;
  }

  async #send({ request, operation, name, schema, deadline }: TypedRequest): Promise<SentResponse> {
    if (this.#keyError) throw this.#keyError;

    const { idempotencyKey } = request;
    const errorContext: ErrorContext = {
      ...this.#contextWithoutOperation(),
      operation,
      idempotencyKey,
    };
    const outcome = await this.#sendWhereFound(request, deadline);
    const { last: response } = outcome;
    if (response instanceof TransportError || !isSuccess(response))
      throw toRemoteError(outcome, errorContext);

    const json = responseJson(response);
    if (json === undefined) throw invalidResponseError(errorContext, say`is not JSON`, true);

    try {
      const { headers } = response;
      return { ...conformResponse(schema, json), headers, wasRepeated: outcome.mayHaveActed };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw mismatchError(errorContext, name, error.path);
    }
  }

  /** Sends once more if the service turns out to be at another base path. */
  async #sendWhereFound(request: RemoteRequest, deadline: number): Promise<RetryOutcome> {
    const triedPath = this.#discovery.basePath;
    const send = (path: string) =>
      sendWithRetry(this.#connection, request, path, this.#limits, deadline);

    const outcome = await send(triedPath);
    if (outcome.last instanceof TransportError || !isMisdirected(request, outcome.last))
      return outcome;

    await this.endpoints();
    const { basePath } = this.#discovery;
    return basePath === triedPath ? outcome : send(basePath);
  }
}

function mismatchError(context: ErrorContext, name: Text, path: string): AcequiaError {
  const at = path === '' ? null : say`, at ${verbatim(path)}`;
  return invalidResponseError(context, say`does not match ${name}${at}`, true);
}

/** A key with a character that a header cannot carry was not copied correctly. */
export function findKeyError(key: string | null): AcequiaError | null {
  if (key === null || /^[!-~]+$/.test(key)) return null;
  return new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: say`The key in ACEQUIA_API_KEY contains an invalid character.`,
    hint: say`Copy it again, without quotes, spaces or line breaks.`,
  });
}

const parseChangeId = (header: string | undefined): number | null =>
  header !== undefined && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : null;
