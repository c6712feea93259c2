export type ResponseHeaders = Record<string, string>;

/** On every answer: no cache keeps it, and nothing takes it for something else than it says. */
export const SECURITY_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * What the headers of an answer begin with. Written out, as all that is made for every request: an object literal that
 * begins with a spread and goes on has V8 make a new hidden class each time.
 */
export const initialHeaders = (requestId: string): ResponseHeaders => ({
  'Cache-Control': SECURITY_HEADERS['Cache-Control'],
  'X-Content-Type-Options': SECURITY_HEADERS['X-Content-Type-Options'],
  'X-Request-Id': requestId,
});
