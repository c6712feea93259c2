import { AcequiaError } from '../schema/error.ts';
import { recordAnswer, recordedAnswer } from '../store/idempotency.ts';
import type { CompanyDb } from '../store/tables.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { AnyOperation } from './operation.ts';
import type { Ask } from './performer.ts';
import type { Caller } from './scope.ts';

/** What an operation answered, with what its summary is said from. */
export interface Answer {
  readonly body: unknown;
  readonly input: Record<string, unknown>;
  readonly remarks: readonly string[];
}

/** What stands under the idempotency key of one call. */
export interface AnswerRecord {
  /** The answer of an earlier call; 422 where that had other arguments. Instants in ms. */
  earlier(db: CompanyDb, now: number): Promise<(Answer & { at: number }) | null>;
  /** Keeps this call's answer, in the transaction that wrote. */
  keep(db: CompanyDb, answer: Answer, now: number): Promise<void>;
}

/** The idempotency record of one call: what stands under its key, and how its answer is kept. */
export function recordFor(described: AnyOperation, caller: Caller, ask: Ask, key: string): AnswerRecord {
  const place = { caller: caller.id, operation: described.name, key };
  const fingerprint = fingerprintOf(ask.given);
  const name = ask.idempotencyKeyName ?? 'idempotencyKey';
  return {
    async earlier(db: CompanyDb, now: number): Promise<(Answer & { at: number }) | null> {
      const found = await recordedAnswer(db, place, now);
      if (found === null) return null;
      if (found.fingerprint !== fingerprint)
        throw new AcequiaError({
          code: 'IDEMPOTENCY_KEY_REUSED',
          status: 422,
          message: `This ${name} was used for the same operation with other arguments.`,
          hint: `Repeat the call with the very same arguments, or use a new ${name} for a new entry.`,
          field: name,
        });
      const { body, input } = JSON.parse(found.body) as Answer;
      return { body, input, remarks: found.remarks, at: found.createdAt };
    },
    keep: (db: CompanyDb, { body, input, remarks }: Answer, now: number) =>
      recordAnswer(db, place, {
        fingerprint,
        // What nobody is told of needs nothing to be told from, and a batch is large.
        body: JSON.stringify({ body, input: described.restOnly ? {} : input }),
        remarks,
        createdAt: now,
      }),
  };
}
