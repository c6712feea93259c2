import { operations } from '../../../tools/index.ts';
import { RemoteCache } from './cache.ts';
import {
  getRequest,
  isSuccess,
  type RemoteConnection,
  responseJson,
  type ServiceAddress,
  TransportError,
} from './connection.ts';
import { monotonicMs } from './deadline.ts';
import type { RemoteLimits } from './remote-limits.ts';
import {
  type DocumentedEndpoints,
  parseEndpoints,
  supportedOperations,
} from './supported-operations.ts';

interface DiscoveryOptions {
  readonly limits: RemoteLimits;
  readonly onBasePathChange?: ((url: string) => void) | undefined;
  readonly timeoutError: (waitedMs: number) => Error;
}

/** Source: spec, "the service base address … ends in the path segment /v1". */
const VERSION_PATH = '/v1';

/** More time than the fetch itself has, so that the fetch ends first. */
const FETCH_MARGIN_MS = 1_000;

const hasOurEndpoints = (endpoints: DocumentedEndpoints | null): boolean =>
  endpoints !== null && supportedOperations(endpoints, operations).size > 0;

/** Reads openapi.json of a service, at the configured address or at one with /v1. */
export class EndpointDiscovery {
  readonly #connection: RemoteConnection;
  readonly #configuredAddress: ServiceAddress;
  readonly #options: DiscoveryOptions;
  readonly #endpoints: RemoteCache<DocumentedEndpoints | null>;
  #basePath: string;

  constructor(
    connection: RemoteConnection,
    configuredAddress: ServiceAddress,
    options: DiscoveryOptions,
  ) {
    const { limits, timeoutError } = options;
    this.#connection = connection;
    this.#configuredAddress = configuredAddress;
    this.#options = options;
    this.#basePath = configuredAddress.basePath;
    this.#endpoints = new RemoteCache<DocumentedEndpoints | null>({
      ttlMs: (found) => (found === null ? limits.documentRetryMs : Number.POSITIVE_INFINITY),
      fetchTimeoutMs: limits.documentMs,
      fetch: (deadline) => this.#discover(deadline),
      timeoutError,
    });
  }

  /** The path where openapi.json was found; until then the configured one. */
  get basePath(): string {
    return this.#basePath;
  }

  /** Null if the service has no openapi.json. */
  endpoints(): Promise<DocumentedEndpoints | null> {
    const { documentMs } = this.#options.limits;
    return this.#endpoints.get(monotonicMs() + documentMs + FETCH_MARGIN_MS);
  }

  async #discover(deadline: number): Promise<DocumentedEndpoints | null> {
    const { origin, basePath } = this.#configuredAddress;
    const documented = await this.#fetchEndpoints(basePath, deadline);
    if (hasOurEndpoints(documented)) return documented;

    for (const candidate of new Set([`${basePath}${VERSION_PATH}`, VERSION_PATH])) {
      if (candidate === basePath) continue;
      const found = await this.#fetchEndpoints(candidate, deadline);
      if (!hasOurEndpoints(found)) continue;

      this.#basePath = candidate;
      this.#options.onBasePathChange?.(`${origin}${candidate}`);
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

    if (response === null || !isSuccess(response)) return null;
    return parseEndpoints(responseJson(response), basePath);
  }
}
