export type Headers = Record<string, string>;

/** On every answer: no cache keeps it, and nothing takes it for something else than it says. */
export const GUARDS: Readonly<Headers> = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
