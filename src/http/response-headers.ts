export type ResponseHeaders = Record<string, string>;

/** No cache stores a response, and no browser guesses another type than it declares. */
export const SECURITY_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

export interface HttpReply {
  readonly status: number;
  readonly type: string | null;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Resolves at the end of a streamed response. */
  readonly finished?: Promise<void>;
}
