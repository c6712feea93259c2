export type ResponseHeaders = Record<string, string>;

export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export interface HttpReply {
  readonly status: number;
  readonly type: string | null;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly finished?: Promise<void>;
}

export const jsonReply = (status: number, body: unknown): HttpReply => ({
  status,
  type: 'application/json',
  content: JSON.stringify(body),
});

/** Nobody reads it; nginx logs this status. */
export const CLIENT_GONE: HttpReply = { status: 499, type: null, content: null };
