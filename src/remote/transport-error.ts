export type TransportFailure = 'unreachable' | 'untrusted' | 'closed' | 'timeout' | 'too_large' | 'not_http';

/** Holds nothing of the request, so that it can be logged. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;
  readonly waitedMs: number;
  readonly reason: string | null;

  constructor(failure: TransportFailure, waitedMs: number, reason: string | null = null) {
    super(`transport error: ${failure}`);
    this.failure = failure;
    this.waitedMs = waitedMs;
    this.reason = reason;
  }

  get mayHaveArrived(): boolean {
    return this.failure !== 'unreachable' && this.failure !== 'untrusted';
  }
}

const FAILURE_BY_CODE: readonly [RegExp, TransportFailure][] = [
  [/^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/, 'unreachable'],
  [/^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/, 'untrusted'],
  [/^UND_ERR_(HEADERS_TIMEOUT|BODY_TIMEOUT)/, 'timeout'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_NOT_SUPPORTED)/, 'not_http'],
];

export function toTransportError(error: unknown, waitedMs: number): TransportError {
  if (error instanceof TransportError) return new TransportError(error.failure, waitedMs, error.reason);
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return new TransportError('timeout', waitedMs);
  if (name === 'HTTPParserError') return new TransportError('not_http', waitedMs);
  const reason = typeof code === 'string' ? code : null;
  const failure = FAILURE_BY_CODE.find(([pattern]) => reason !== null && pattern.test(reason))?.[1] ?? 'closed';
  return new TransportError(failure, waitedMs, reason?.startsWith('UND_ERR_') ? null : reason);
}
