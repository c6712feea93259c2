import type { ProblemBody } from '../../schema/error.ts';
import { EventStream } from './event-stream.ts';
import type { CallBody, CallFields, OperationName } from './page-operations.ts';
import {
  type Answer,
  type CallOptions,
  type FarmListener,
  type FarmRead,
  NO_ANSWER,
  type Service,
  type ServiceError,
} from './page-service.ts';
import { Tabs } from './tabs.ts';

const TIMEOUT_MS = 30_000;

/** Sends requests to the service that serves the page, as the person who signed in. */
export class RestService implements Service {
  readonly #fetcher: typeof fetch;
  readonly #listeners = new Set<FarmListener>();
  #tabs: Tabs | undefined;

  constructor(fetcher: typeof fetch) {
    this.#fetcher = fetcher;
  }

  async call<Name extends OperationName>(
    operation: Name,
    fields: CallFields<Name>,
    options: CallOptions = {},
  ): Promise<Answer<CallBody<Name>>> {
    const { method, path, body } = toRequest(operation, fields);
    const headers = new Headers({ 'Acequia-Page': '1' });
    if (body !== null) headers.set('Content-Type', 'application/json');
    if (options.idempotencyKey !== undefined)
      headers.set('Idempotency-Key', options.idempotencyKey);

    const init: RequestInit = { method, headers, signal: withTimeout(options.signal) };
    if (body !== null) init.body = JSON.stringify(body);

    // Called as a function: `fetch` throws as a method of another object.
    const fetcher = this.#fetcher;
    const response = await fetcher(`v1${path}`, init).catch((error: unknown) =>
      Promise.reject(noAnswer(error)),
    );

    const text = await response.text().catch((error: unknown) => Promise.reject(noAnswer(error)));
    if (!response.ok) throw readProblem(response.status, text);

    return {
      body: JSON.parse(text),
      changeId: integerIn(response.headers, 'acequia-change-id'),
      storedAt: integerIn(response.headers, 'acequia-stored-at'),
    };
  }

  listen(listener: FarmListener): () => void {
    this.#listeners.add(listener);
    this.#tabs ??= new Tabs({
      tell: (notify) => this.#listeners.forEach(notify),
      follow: (handlers) => new EventStream(this.#fetcher, handlers),
    });

    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#tabs?.stop();
      this.#tabs = undefined;
    };
  }

  share(read: FarmRead): void {
    this.#tabs?.share(read);
  }
}

function integerIn(headers: Headers, name: string): number | undefined {
  const value = Number(headers.get(name) ?? Number.NaN);
  return Number.isInteger(value) ? value : undefined;
}

/** Does what AbortSignal.any does, which older phones do not have. */
function withTimeout(cancelled: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  if (cancelled === undefined) return timeout;
  const controller = new AbortController();
  for (const signal of [timeout, cancelled])
    signal.addEventListener('abort', () => controller.abort(signal.reason));
  return controller.signal;
}

const noAnswer = (error: unknown): ServiceError => ({
  code: NO_ANSWER,
  message: String(error),
  hint: null,
});

function readProblem(status: number, text: string): ServiceError {
  try {
    const { code, detail, hint }: Partial<ProblemBody> = JSON.parse(text);
    if (typeof code === 'string' && typeof detail === 'string')
      return { code, message: detail, hint: hint ?? null };
  } catch {
    // A proxy answered, and not in JSON.
  }

  return { code: NO_ANSWER, message: `HTTP ${status}`, hint: null };
}

/** Method and path of each operation, which the build takes from the operations. */
declare const ACEQUIA_ENDPOINTS: Readonly<Record<string, string>>;

interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** Fields that are in neither path nor query. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Fills in an endpoint such as "POST /modules/{moduleId}/irrigation/events". */
export function toRequest(
  operation: string,
  fields: object,
  endpoints: Readonly<Record<string, string>> = ACEQUIA_ENDPOINTS,
): PageRequest {
  const endpoint = endpoints[operation];
  if (endpoint === undefined) throw new Error(`There is no operation ${operation}.`);

  const [method = '', template = ''] = endpoint.split(' ');
  const remaining = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = remaining.get(name);
    remaining.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path, body: Object.fromEntries(remaining) };

  const query = new URLSearchParams([...remaining].map(([name, value]) => [name, String(value)]));
  return { method, path: remaining.size === 0 ? path : `${path}?${query}`, body: null };
}

export function isWriteRequest(
  operation: string,
  endpoints: Readonly<Record<string, string>> = ACEQUIA_ENDPOINTS,
): boolean {
  const endpoint = endpoints[operation];
  return endpoint !== undefined && !endpoint.startsWith('GET ');
}
