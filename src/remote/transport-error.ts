/**
 * Why a request has no answer: no connection came about (`unreachable`) or none that can be trusted (`untrusted`); it
 * ended before the answer was whole (`cut`); nothing came in time (`silent`); the answer was too long (`endless`) or no
 * HTTP (`garbled`).
 */
export type TransportFailure = 'unreachable' | 'untrusted' | 'cut' | 'silent' | 'endless' | 'garbled';

/** A request that was not answered. Nothing of the request stands in it. */
export class TransportError extends Error {
  override readonly name = 'Unanswered';
  readonly failure: TransportFailure;
  /** How long was waited, in ms. */
  readonly waitedMs: number;
  /** The system's code of the failure, such as ECONNREFUSED, where it has one. */
  readonly reason: string | null;

  constructor(lack: TransportFailure, waitedMs: number, reason: string | null = null) {
    super(`unanswered: ${lack}`);
    this.failure = lack;
    this.waitedMs = waitedMs;
    this.reason = reason;
  }

  /** Whether the service can have seen the request. */
  get mayHaveArrived(): boolean {
    return this.failure !== 'unreachable' && this.failure !== 'untrusted';
  }
}

const FAILURE_BY_CODE: readonly [RegExp, TransportFailure][] = [
  [/^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/, 'unreachable'],
  [/^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/, 'untrusted'],
  [/^UND_ERR_(HEADERS_TIMEOUT|BODY_TIMEOUT)/, 'silent'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_NOT_SUPPORTED)/, 'garbled'],
];

/** What a failure of the transport means; after `waitedMs`. */
export function toTransportError(error: unknown, waitedMs: number): TransportError {
  if (error instanceof TransportError) return new TransportError(error.failure, waitedMs, error.reason);
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return new TransportError('silent', waitedMs);
  if (name === 'HTTPParserError') return new TransportError('garbled', waitedMs);
  const reason = typeof code === 'string' ? code : null;
  const lack = FAILURE_BY_CODE.find(([pattern]) => reason !== null && pattern.test(reason))?.[1] ?? 'cut';
  return new TransportError(lack, waitedMs, reason?.startsWith('UND_ERR_') ? null : reason);
}
