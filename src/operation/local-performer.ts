import type { Kysely } from 'kysely';
import { shownName } from '../domain/labels.ts';
import type { Lang } from '../domain/lang.ts';
import { AcequiaError, notFound } from '../schema/error.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import type { WateringSource } from '../schema/watering.ts';
import { type Company, firstCompanies } from '../store/companies.ts';
import { recordAnswer, recordedAnswer } from '../store/idempotency.ts';
import { moduleNames } from '../store/modules.ts';
import { standsAnywhere } from '../store/ownership.ts';
import { parcelNames } from '../store/parcels.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';
import type { Call, Saying } from './call.ts';
import { type Directory, remembered } from './directory.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type AnyOperation, isWrite } from './operation.ts';
import type { Ask, Performed, Performer } from './performer.ts';
import { readArguments } from './read-arguments.ts';
import { authorize, type Caller, SCOPES } from './scope.ts';
import type { Understood } from './tool-arguments.ts';

export interface LocalOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  readonly lang: Lang;
  /** Recorded as the source of rows that this surface writes. */
  readonly source: WateringSource;
  /** Who asks, and for which company. Left out: the OWNER of the store's only company. */
  readonly identify?: (all: Kysely<Tables>) => Promise<Identity>;
}

export interface Identity {
  readonly caller: Caller;
  readonly company: Company;
}

/** Performs operations on the store of this process. */
export function localPerformer(options: LocalOptions): Performer {
  const { store, clock, lang, identify = ownerOfTheOnlyCompany } = options;

  /** Names read on the handle of the transaction that is open, or in one of their own once it has ended. */
  const directoryOf = (companyId: number, open: { db: CompanyDb | null }): Directory => {
    const reading = <T>(query: (db: CompanyDb) => Promise<T>) =>
      open.db ? query(open.db) : store.read(companyId, query);
    return remembered({
      modules: async () => (await reading(moduleNames)).map((row) => ({ ...row, name: shownName(row, lang) })),
      parcels: () => reading(parcelNames),
    });
  };

  async function perform(described: AnyOperation, ask: Ask): Promise<Performed> {
    const now = clock();
    const begun = await store.readAll((all) => begin(all, described, ask, now));
    const { context, record, stage } = begun;
    const performed = async ({ body, input, remarks }: Answer, at: number, replayed: boolean): Promise<Performed> => {
      const saying: Saying = { now: at, zone: context.zone, lang, directory: context.directory, remarks };
      return { body, summary: await described.summary(body, saying, input), replayed };
    };
    if (stage.kind === 'replay') return performed(stage.answer, stage.answer.at, true);
    if (stage.kind === 'answered') return performed(stage.answer, now, false);

    const { understood } = stage;
    const written = await store.writeAll(async (all) => {
      const db = store.confine(all, context.company.id);
      const raced = await record?.earlier(db, now);
      if (raced) return { answer: raced, at: raced.at, replayed: true };
      const answer = await answerOf(all, context, described, understood);
      await record?.keep(db, answer, now);
      return { answer, at: now, replayed: false };
    });
    return performed(written.answer, written.at, written.replayed);
  }

  /** Everything up to the first write, in one snapshot: who asks, whether they may, what they ask; a read is answered. */
  async function begin(all: Kysely<Tables>, described: AnyOperation, ask: Ask, now: number): Promise<Begun> {
    const { caller, company } = await identify(all);
    authorize(caller, described);
    const db = store.confine(all, company.id);
    const open = { db: db as CompanyDb | null };
    try {
      const directory = directoryOf(company.id, open);
      const context = { caller, company, zone: company.timezone ?? DEFAULT_ZONE, directory, now };
      const record = ask.idempotencyKey === undefined ? null : recordFor(described, caller, ask, ask.idempotencyKey);
      const earlier = await record?.earlier(db, now);
      if (earlier) return { context, record, stage: { kind: 'replay', answer: earlier } };
      const understood = await ask.understand(context);
      if (isWrite(described)) return { context, record, stage: { kind: 'write', understood } };
      const answer = await answerOf(all, context, described, understood);
      return { context, record, stage: { kind: 'answered', answer } };
    } finally {
      open.db = null;
    }
  }

  async function answerOf(
    all: Kysely<Tables>,
    context: CallContext,
    described: AnyOperation,
    { input, remarks: read }: Understood,
  ): Promise<Answer> {
    const remarks = [...read];
    const call = callOf({ options, all, context, remarks, performing: described });
    return { body: await described.run(call, input), input, remarks };
  }

  return {
    perform,
    lang,
    directory: async () => directoryOf((await store.readAll(identify)).company.id, { db: null }),
    close: () => store.close(),
  };
}

/** Without a key the caller is the OWNER of the store's only company. */
async function ownerOfTheOnlyCompany(all: Kysely<Tables>): Promise<Identity> {
  const [company, another] = await firstCompanies(all);
  if (!company)
    throw notFound(
      'The store holds no farm yet.',
      'Run "acequia import farm.json", or "acequia demo" for a farm to try things on.',
    );
  if (another)
    throw new AcequiaError({
      code: 'unauthenticated',
      status: 401,
      message: 'The store holds several companies, and nothing says which one is meant.',
      hint: 'Use a store that holds one company (--db).',
    });
  const caller: Caller = {
    id: 'owner',
    companyId: company.id,
    userId: company.owner_id,
    role: 'OWNER',
    scopes: SCOPES,
  };
  return { caller, company };
}

interface Answer {
  readonly body: unknown;
  readonly input: Record<string, unknown>;
  readonly remarks: readonly string[];
}

type Recorded = ReturnType<typeof recordFor>;

interface Begun {
  readonly context: CallContext;
  readonly record: Recorded | null;
  readonly stage:
    | { readonly kind: 'replay'; readonly answer: Answer & { at: number } }
    | { readonly kind: 'answered'; readonly answer: Answer }
    | { readonly kind: 'write'; readonly understood: Understood };
}

/** The idempotency record of one call: what stands under its key, and how its answer is kept. */
function recordFor(described: AnyOperation, caller: Caller, ask: Ask, key: string) {
  const place = { caller: caller.id, operation: described.name, key };
  const fingerprint = fingerprintOf(ask.given);
  return {
    async earlier(db: CompanyDb, now: number): Promise<(Answer & { at: number }) | null> {
      const found = await recordedAnswer(db, place, now);
      if (found === null) return null;
      if (found.fingerprint !== fingerprint)
        throw new AcequiaError({
          code: 'IDEMPOTENCY_KEY_REUSED',
          status: 422,
          message: 'This idempotencyKey was used for the same operation with other arguments.',
          hint: 'Repeat the call with the very same arguments, or use a new idempotencyKey for a new entry.',
          field: 'idempotencyKey',
        });
      const { body, input } = JSON.parse(found.body) as Answer;
      return { body, input, remarks: found.remarks, at: found.createdAt };
    },
    keep: (db: CompanyDb, { body, input, remarks }: Answer, now: number) =>
      recordAnswer(db, place, { fingerprint, body: JSON.stringify({ body, input }), remarks, createdAt: now }),
  };
}

interface CallContext extends Identity {
  readonly zone: string;
  readonly directory: Directory;
  readonly now: number;
}

/** The call an operation runs in, on the transaction of `all`. */
function callOf(made: {
  options: LocalOptions;
  all: Kysely<Tables>;
  context: CallContext;
  remarks: string[];
  performing: AnyOperation;
}): Call {
  const { options, all, context, remarks, performing } = made;
  const { caller, company, zone, directory, now } = context;
  return {
    caller,
    company,
    now,
    zone,
    directory,
    remarks,
    db: options.store.confine(all, caller.companyId),
    lang: options.lang,
    source: options.source,
    remark: (text) => void remarks.push(text),
    standsAnywhere: (kind, id) => standsAnywhere(all, kind, id),
    async perform(name, input) {
      const other = options.operations.get(name);
      if (!other || other.scope !== performing.scope || isWrite(other))
        throw new Error(`${performing.name} may not perform ${name}`);
      return other.run(callOf({ ...made, remarks: [], performing: other }), readArguments(other, input));
    },
  };
}
