import { createHash } from 'node:crypto';
import type { TimeSlice } from '../../domain/event-loop.ts';
import { entryOf } from '../../domain/items.ts';
import { bareArgument } from '../../domain/text/program-names.ts';
import { say, word } from '../../domain/text/say.ts';
import type { ArgumentName, Text } from '../../domain/text/text.ts';
import { type Advisory, holdsLater, parseAdvisories } from '../../schema/advisory.ts';
import type { ChangeEffects } from '../../schema/changes/change.ts';
import { AcequiaError, type EarlierCallTimes } from '../../schema/error.ts';
import { OversizedRow } from '../../schema/ingest/ingest-batch.ts';
import {
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  saveIdempotencyRecord,
} from '../../store/idempotency.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { Caller } from '../authorization.ts';
import type { AnyOperation } from '../operation.ts';
import { toolNameOf } from '../operation-fields.ts';
import type { OperationRequest } from '../operation-runner.ts';
import { rowsSince } from './rows-since.ts';

/** Sorts keys, so that equal arguments give equal text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

export const fingerprintArguments = (rawArguments: unknown): string =>
  createHash('sha256').update(canonicalJson(rawArguments)).digest('base64url');

/** Rows are parsed one by one as they are read, and other calls may run meanwhile. */
export async function fingerprintBatch(
  fields: unknown,
  rows: ReadonlyMap<string, Iterable<unknown>>,
  text: Iterable<string | Uint8Array>,
  slice: TimeSlice,
): Promise<string> {
  const digest = createHash('sha256').update(canonicalJson(fields));

  for (const name of [...rows.keys()].sort()) {
    digest.update(`\n${JSON.stringify(name)}:`);
    for (const row of entryOf(rows, name)) {
      if (row instanceof OversizedRow) digest.update(row.bytes);
      else digest.update(canonicalJson(row));
      digest.update(',');
      if (slice.isOver()) await slice.renew();
    }
  }

  digest.update('\n');
  for (const chunk of text) {
    digest.update(chunk);
    if (slice.isOver()) await slice.renew();
  }

  return digest.digest('base64url');
}

export interface StoredOutcome {
  readonly body: unknown;
  readonly input: Record<string, unknown>;
  readonly advisories: readonly Advisory[];
  /** Null if nothing changed. */
  readonly changeId?: number | null | undefined;
}

export interface EarlierOutcome extends StoredOutcome {
  /** When the outcome was made. */
  readonly at: number;
  /** Null if it changed nothing. */
  readonly effects: ChangeEffects | null;
  readonly hasSameArguments: boolean;
  readonly wordsReadAt: number | null;
}

interface ReusedOutcome {
  readonly text: Text;
  readonly times: EarlierCallTimes;
  /** Then the same order has to be entered anew. */
  readonly isUndone: boolean;
  /** They mean another time by now. */
  readonly hasSameWords: boolean;
}

export const IDEMPOTENCY_KEY_REUSED = 'IDEMPOTENCY_KEY_REUSED';

const OTHER_ARGUMENTS = word('with other arguments');
const SAME_WORDS = word('when the same words meant another time');

/** The refusal of a key, where the words of both calls are the same. */
export const sayingSameWords = (message: Text): Text => ({
  parts: message.parts.flatMap((part) =>
    OTHER_ARGUMENTS.parts.includes(part) ? SAME_WORDS.parts : [part],
  ),
});

const WORDS_HINT = say`; words such as "20 minutes ago" mean another time some minutes later.`;

function usedBefore(key: ArgumentName, { text, isUndone, hasSameWords }: ReusedOutcome): Text {
  const thisKey = isUndone
    ? say`This ${key}`
    : say`If this call means the same, there is nothing to do: this ${key}`;
  return say`${text} ${thisKey} was used for it, ${hasSameWords ? SAME_WORDS : OTHER_ARGUMENTS}.`;
}

/** Stored in place of the body until the last stage of a batch is written. */
const UNANSWERED = 'null';

/** A call with an idempotency key, whose outcome is stored under that key. */
export class IdempotentCall {
  readonly #operation: AnyOperation;
  readonly #caller: Caller;
  readonly #key: string;
  readonly #fingerprint: string;
  /** How the caller knows the key: as an argument or as a header. */
  readonly #keyName: string;
  readonly #wordsReadAt: number | null;
  /** A REST client gives times in ISO 8601 alone, unless it reads the words of a person itself. */
  readonly #takesWords: boolean;

  constructor(operation: AnyOperation, caller: Caller, request: OperationRequest, key: string) {
    this.#operation = operation;
    this.#caller = caller;
    this.#key = key;
    this.#fingerprint = request.fingerprint ?? fingerprintArguments(request.rawArguments);
    this.#keyName = request.idempotencyKeyName ?? 'idempotencyKey';
    this.#wordsReadAt = request.wordsReadAt ?? null;
    this.#takesWords = request.idempotencyKeyName === undefined || this.#wordsReadAt !== null;
  }

  /**
   * The outcome of an earlier call with this key. Its advisories also say what has become since of
   * what it wrote.
   */
  async earlierOutcome(db: CompanyDb, now: number): Promise<EarlierOutcome | null> {
    const stored = await findIdempotencyRecord(db, this.#recordKey(), now);
    if (stored === null) return null;
    const hasSameArguments = stored.fingerprint === this.#fingerprint;
    if (stored.body === UNANSWERED) {
      if (hasSameArguments) return null;
      throw this.reusedError(null);
    }

    const record = JSON.parse(stored.body) as StoredOutcome & { readonly wordsReadAt?: number };
    const { body, input, changeId, wordsReadAt = null } = record;
    const advisories = parseAdvisories(JSON.parse(stored.advisories));
    const written = changeId == null ? null : await rowsSince(db, this.#caller, changeId);
    if (written?.fate) advisories.push(written.fate);

    const effects = written?.effects ?? null;
    const at = stored.createdAt;
    return { body, input, advisories, changeId, effects, at, hasSameArguments, wordsReadAt };
  }

  /** The earlier call under the key may be the same order in other words. */
  reusedError(earlier: ReusedOutcome | null): AcequiaError {
    const keyName = this.#keyName;
    const key = bareArgument(keyName);
    const aboutWords = this.#takesWords ? WORDS_HINT : say`.`;
    return new AcequiaError({
      code: IDEMPOTENCY_KEY_REUSED,
      status: 422,
      message:
        earlier === null
          ? say`This ${key} was used for the same operation ${OTHER_ARGUMENTS}.`
          : usedBefore(key, earlier),
      hint: say`For a new entry use a new ${key}. A retry has the very same arguments${aboutWords}`,
      field: keyName,
      earlierCall: earlier?.times,
    });
  }

  /** Stores the fingerprint of the arguments under the key before the answer is known. */
  async reserve(db: CompanyDb, now: number): Promise<void> {
    const stored = await findIdempotencyRecord(db, this.#recordKey(), now);
    if (stored !== null && stored.fingerprint !== this.#fingerprint) throw this.reusedError(null);
    if (stored !== null) return;

    await this.#save(db, { body: UNANSWERED, advisories: '[]', createdAt: now });
  }

  /** Returns the length of what is stored. */
  save(
    db: CompanyDb,
    { body, input, advisories, changeId }: StoredOutcome,
    now: number,
  ): Promise<number> {
    // The input of a batch may be large, and its summary needs none of it.
    const storedInput = this.#operation.batch ? {} : input;
    const wordsReadAt = this.#wordsReadAt ?? undefined;
    return this.#save(db, {
      body: JSON.stringify({ body, input: storedInput, changeId, wordsReadAt }),
      advisories: JSON.stringify(advisories.filter(holdsLater)),
      createdAt: now,
    });
  }

  /** An equal call then runs again. */
  forget(db: CompanyDb): Promise<void> {
    return deleteIdempotencyRecord(db, this.#recordKey());
  }

  #recordKey() {
    return {
      caller: this.#caller.id,
      operation: toolNameOf(this.#operation),
      key: this.#key,
    };
  }

  #save(
    db: CompanyDb,
    outcome: { readonly body: string; readonly advisories: string; readonly createdAt: number },
  ): Promise<number> {
    return saveIdempotencyRecord(db, this.#recordKey(), {
      fingerprint: this.#fingerprint,
      ...outcome,
    });
  }
}
