import { type Dispatcher, errors, Pool } from 'undici';
import type { Lang } from '../domain/lang.ts';
import { REMARKS_HEADER } from '../operation/remarks-header.ts';
import type { Address } from './address.ts';
import { type Bounds, ticking } from './bounds.ts';
import { trailUnderWay } from './on-trail.ts';
import { Unanswered, unansweredBy } from './unanswered.ts';

/** A request without the key, which the connection alone knows. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, with its query. */
  readonly path: string;
  /** JSON text. */
  readonly body: string | null;
  /** Every write has one, so that it can be repeated. */
  readonly idempotencyKey: string | null;
  /** The language that the answer is put into words in, which takes what the service remarks on beside it; null where it is not. */
  readonly saidIn: Lang | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Requests to one service, each sent once. */
export interface Connection {
  /** The answer, whatever its status; Unanswered where there is none before `deadline` (by `ticking`). */
  exchange(sent: Sent, deadline: number): Promise<Reply>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly address: Address;
  readonly key: string | null;
  readonly bounds: Bounds;
}

/** Redirects are not followed, so that the key goes nowhere else. */
export function openConnection({ address, key, bounds }: ConnectionOptions): Connection {
  const { connectMs, headersMs, bodyMs } = bounds;
  const pool = new Pool(address.origin, {
    connections: 16,
    connect: { timeout: connectMs },
    headersTimeout: headersMs,
  });

  async function exchange({ method, path, body, idempotencyKey, saidIn }: Sent, deadline: number): Promise<Reply> {
    const left = deadline - ticking();
    if (left <= 0) throw new Unanswered('silent', 0);
    const begun = ticking();
    const request = trailUnderWay()?.request(method);
    try {
      const answer = await pool.request({
        path: `${address.base}${path}`,
        method,
        body,
        headers: {
          accept: 'application/json, application/problem+json',
          ...(body !== null && { 'content-type': 'application/json' }),
          ...(key !== null && { 'x-api-key': key }),
          ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
          ...(saidIn !== null && { [REMARKS_HEADER]: saidIn }),
          ...request?.headers,
        },
        headersTimeout: headersMs,
        bodyTimeout: bodyMs,
        signal: AbortSignal.timeout(Math.ceil(left)),
      });
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      );
      const reply = { status: answer.statusCode, headers, text: await textOf(answer.body) };
      request?.ended({ status: reply.status });
      return reply;
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) throw error;
      const unanswered = unansweredBy(error, ticking() - begun);
      request?.ended({ lack: unanswered.lack });
      throw unanswered;
    }
  }

  /** The whole body, bounded in size and time: some bodies never end. */
  async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
    const late = setTimeout(() => body.destroy(new Unanswered('silent', bodyMs)), bodyMs);
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        if (size > bounds.answerBytes) throw new Unanswered('endless', 0);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      clearTimeout(late);
    }
  }

  return { exchange, close: () => pool.destroy() };
}
