import type { HonoRequest } from 'hono';
import type { IncomingCorrelation } from '../observe/request-id.ts';

/** What a request says to be followed by. */
export const traceHeadersOf = (request: HonoRequest): IncomingCorrelation => ({
  requestId: request.header('x-request-id'),
  traceparent: request.header('traceparent'),
});

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** A method that there is; any other is a word of the client's. */
export const loggableMethod = (method: string): string | null => (METHODS.has(method) ? method : null);

/** Ids of rows: numbers, and UUIDs of alerts and annotations. */
const ID = /^(\d{1,16}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** A path with its ids. What else stands in place of one may be anybody's words, and is not told. */
export const loggablePath = (path: string | null, parameters: Readonly<Record<string, string>>): string | null =>
  path?.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    ID.test(parameters[name] ?? '') ? parameters[name]! : placeholder,
  ) ?? null;
