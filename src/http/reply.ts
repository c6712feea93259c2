export type ResponseHeaders = Record<string, string>;

export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export interface HttpReply {
  readonly status: number;
  /** Content-Type. */
  readonly type: string | null;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Set for a stream; resolves at its end. */
  readonly finished?: Promise<void>;
}

export const jsonReply = (status: number, body: unknown): HttpReply => ({
  status,
  type: 'application/json',
  content: JSON.stringify(body),
});

export const NO_CONTENT: HttpReply = { status: 204, type: null, content: null };

/** The client has disconnected; nginx logs this status. */
export const CLIENT_GONE: HttpReply = { status: 499, type: null, content: null };
