import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError, plainProblem } from '../../schema/error.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ATTEMPTS = 5;
/** On average; each further pause is twice as long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** Names the host, but never the path or a header, which may hold the key. */
export class PullError extends AcequiaError {
  readonly isTransient: boolean;

  constructor(message: string, hint: string, { isTransient = false, status = 502 } = {}) {
    super(plainProblem({ code: 'provider_refused', status, message, hint }));
    this.isTransient = isTransient;
  }
}

export interface PullSource {
  readonly origin: string;
  readonly variables: readonly string[];
  readonly signal: AbortSignal;
  readonly onRetry: (reason: string, pauseMs: number) => void;
}

/**
 * Retries transient failures after growing pauses, or when the provider says. Follows no redirects,
 * because the key would be sent along.
 */
export async function fetchAnswer(
  source: PullSource,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    const { error, retryAfterMs, body } = await attemptRequest(source, path, headers);
    if (error === null) return body;
    if (!error.isTransient || attempt === MAX_ATTEMPTS || source.signal.aborted) throw error;

    const pauseMs = Math.min(retryAfterMs ?? randomPauseMs(attempt), LONGEST_PAUSE_MS);
    source.onRetry(error.message, pauseMs);
    // An abort ends the pause early; the next attempt then fails at once.
    await sleep(pauseMs, undefined, { signal: source.signal }).catch(() => undefined);
  }
}

const randomPauseMs = (attempt: number): number =>
  FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());

interface Attempt {
  readonly error: PullError | null;
  readonly retryAfterMs: number | null;
  readonly body: Uint8Array;
}

const EMPTY_BODY = new Uint8Array();

async function attemptRequest(
  source: PullSource,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Attempt> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), source.signal]);
  try {
    const response = await fetch(new URL(path, source.origin), {
      headers,
      redirect: 'manual',
      signal,
    });
    const body = await readBody(response, source.origin);
    if (response.status === 200) return { error: null, retryAfterMs: null, body };

    return {
      error: statusError(response.status, source),
      retryAfterMs: parseRetryAfterMs(response, body),
      body,
    };
  } catch (error) {
    if (error instanceof PullError) return { error, retryAfterMs: null, body: EMPTY_BODY };

    const { name, cause } = error as Error & { cause?: { code?: string } };
    const reason =
      name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : (cause?.code ?? name);
    const failed = new PullError(
      `${source.origin} cannot be reached: ${reason}.`,
      'Acequia tries again.',
      {
        isTransient: true,
        status: 503,
      },
    );

    return { error: failed, retryAfterMs: null, body: EMPTY_BODY };
  }
}

async function readBody(response: Response, origin: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;

  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new PullError(
        `The answer of ${origin} has more than ${MAX_BYTES} bytes.`,
        'None of it was stored.',
      );
    chunks.push(chunk);
  }

  return Buffer.concat(chunks);
}

function statusError(status: number, { origin, variables }: PullSource): PullError {
  const message = `${origin} answers with status ${status}.`;
  if (status === 401 || status === 403)
    return new PullError(
      message,
      `Check ${variables.join(' and ')}, and that the account may use the API.`,
      {
        status,
      },
    );

  if (status >= 300 && status < 400)
    return new PullError(
      message,
      'It redirects to another address, which is not followed, because the key would be sent there.',
    );

  if (status === 429 || status >= 500)
    return new PullError(message, 'Acequia tries again.', { isTransient: true, status: 503 });

  return new PullError(
    message,
    'Check --device: the name of the logger (IrriMAX), its serial number (ZENTRA) or the station (Davis).',
    {
      status: 404,
    },
  );
}

/** ZENTRA Cloud gives the time to wait in a sentence. */
const LOCKOUT_SENTENCE = /expires in (\d{1,5}) seconds/i;
const LOCKOUT_SEARCH_BYTES = 2000;

function parseRetryAfterMs({ headers, status }: Response, body: Uint8Array): number | null {
  const seconds =
    /^\d{1,6}$/.exec(headers.get('retry-after')?.trim() ?? '')?.[0] ??
    (status === 429
      ? LOCKOUT_SENTENCE.exec(new TextDecoder().decode(body.subarray(0, LOCKOUT_SEARCH_BYTES)))?.[1]
      : undefined);
  // A second more, in case the provider rounds down.
  return seconds === undefined ? null : (Number(seconds) + 1) * 1000;
}
