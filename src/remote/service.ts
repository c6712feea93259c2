import type { Lang } from '../domain/lang.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import { REMARKS_HEADER, remarksInHeader } from '../operation/remarks-header.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Address } from './address.ts';
import { type Bounds, ticking } from './bounds.ts';
import type { Connection, Reply, Sent } from './connection.ts';
import { type Endpoints, endpointsNamed } from './document.ts';
import { kept } from './kept.ts';
import { queryTaken } from './offered.ts';
import type { Get, Query } from './pages.ts';
import { type Failed, invalidAnswer, refusalLate, refusalOf } from './refusals.ts';
import { requestFor } from './request.ts';
import { Misshapen, type Shaped, shaped } from './shape.ts';
import { insist } from './tries.ts';
import { Unanswered } from './unanswered.ts';

export interface Answered extends Shaped {
  /** The stored answer of an earlier request under the same Idempotency-Key. */
  readonly replayed: boolean;
  /** What the service remarks on beside the body, where it does. */
  readonly remarks: readonly string[];
}

/** A service that speaks the interface; what it refuses and what goes wrong on the way is thrown as AcequiaError. */
export interface Service {
  /** Asks for an operation with its arguments as they travel, for people who hear `lang`. */
  ask(described: AnyOperation, wire: Readonly<Record<string, unknown>>, how: Asking): Promise<Answered>;
  readonly get: Get;
  /** Why something is not there yet, after so many ms. */
  late(waitedMs: number): AcequiaError;
  /** The endpoints that its document names; null where it has none. */
  named(): Promise<Endpoints | null>;
}

/** How an operation is asked for; the deadline by `ticking`. */
export interface Asking {
  readonly idempotencyKey: string | null;
  /** Null where nobody is told of the answer. */
  readonly lang: Lang | null;
  readonly deadline: number;
}

export interface ServiceOptions {
  readonly connection: Connection;
  readonly address: Address;
  readonly key: string | null;
  readonly bounds: Bounds;
}

/** A read whose answer nobody is told of. */
const plain = (path: string): Sent => ({ method: 'GET', path, body: null, idempotencyKey: null, saidIn: null });

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export function openService({ connection, address, key, bounds }: ServiceOptions): Service {
  const fault = keyFault(key);

  async function json(sent: Sent, deadline: number): Promise<{ reply: Reply; body: unknown; failed: Failed }> {
    if (fault) throw fault;
    const failed: Failed = { origin: address.origin, key, idempotencyKey: sent.idempotencyKey };
    const outcome = await insist(connection, sent, bounds, deadline);
    const { last: reply } = outcome;
    if (reply instanceof Unanswered || !isSuccess(reply.status)) throw refusalOf(outcome, failed);
    const body = jsonOf(reply.text);
    if (body === undefined) throw invalidAnswer(failed, 'is no JSON', true);
    return { reply, body, failed };
  }

  async function ask(
    described: AnyOperation,
    wire: Readonly<Record<string, unknown>>,
    { idempotencyKey, lang, deadline }: Asking,
  ): Promise<Answered> {
    const { reply, body, failed } = await json(requestFor(described, wire, idempotencyKey, lang), deadline);
    try {
      // Some services answer a write that was done with nothing.
      const answer = body === null && isWrite(described) && reply.text.trim() === '' ? {} : body;
      return {
        ...shaped(described.output, answer),
        replayed: reply.headers['idempotent-replayed'] === 'true',
        remarks: remarksInHeader(reply.headers[REMARKS_HEADER]),
      };
    } catch (error) {
      if (!(error instanceof Misshapen)) throw error;
      const where = error.path === '' ? '' : ` (at ${error.path})`;
      throw invalidAnswer(failed, `is not what ${described.name} answers${where}`, true);
    }
  }

  const late = (waitedMs: number): AcequiaError =>
    refusalLate({ origin: address.origin, key, idempotencyKey: null }, waitedMs);

  const document = kept<Endpoints | null>({
    goodForMs: (named) => (named === null ? bounds.documentAgainMs : Number.POSITIVE_INFINITY),
    withinMs: bounds.documentMs,
    async fetch(deadline) {
      const reply = await connection.exchange(plain('/openapi.json'), deadline).catch((error: unknown) => {
        if (error instanceof Unanswered) return null;
        throw error;
      });
      return reply !== null && isSuccess(reply.status) ? endpointsNamed(reply.text, address) : null;
    },
    late,
  });

  async function named(): Promise<Endpoints | null> {
    if (fault) throw fault;
    // A second more than the document is waited for, so that its own end comes first.
    return document.get(ticking() + bounds.documentMs + 1_000);
  }

  async function get(path: string, query: Query, deadline: number): Promise<unknown> {
    const taken = Object.keys(query).length === 0 ? null : queryTaken(await named(), { method: 'GET', path });
    // A cursor is the service's own.
    const sent = Object.entries(query).filter(([name]) => name === 'cursor' || taken === null || taken.has(name));
    const asked = sent.length === 0 ? path : `${path}?${new URLSearchParams(sent)}`;
    return (await json(plain(asked), deadline)).body;
  }

  return { ask, get, late, named };
}

/** Why a key cannot be sent, where it cannot: one with a character that no header takes was copied badly. */
export function keyFault(key: string | null): AcequiaError | null {
  if (key === null || /^[!-~]+$/.test(key)) return null;
  return new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: 'The key in ACEQUIA_API_KEY holds a character that no key has.',
    hint: 'Copy the key anew, without quotes, spaces or line ends.',
  });
}

/** Undefined where the text is no JSON; an empty answer is null. */
function jsonOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
