import type { Kysely } from 'kysely';
import { langOfCountry } from '../domain/country-lang.ts';
import type { Lang } from '../domain/lang.ts';
import { observedStore } from '../observe/observed-store.ts';
import type { Trail } from '../observe/trail.ts';
import { AcequiaError, notFound } from '../schema/error.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import type { WateringSource } from '../schema/watering.ts';
import { attentive, heed, refuseCancelled } from '../store/attentive.ts';
import { type Company, firstCompanies } from '../store/companies.ts';
import { standsAnywhere } from '../store/ownership.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';
import { type Answer, type AnswerRecord, recordFor } from './answer-record.ts';
import type { Call, OnStep, Saying } from './call.ts';
import { companyDirectory, tellable, withheldFrom } from './company-directory.ts';
import type { Directory } from './directory.ts';
import { type AnyOperation, inLang, isWrite } from './operation.ts';
import type { Ask, Performed, Performer } from './performer.ts';
import { readArguments } from './read-arguments.ts';
import { authorize, type Caller, mayCall, SCOPES } from './scope.ts';
import { summaryOf } from './summary-of.ts';
import type { Report } from './told.ts';
import type { Understood } from './tool-arguments.ts';

export interface LocalOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  /** What people hear, where one was chosen; else each company hears that of its country. */
  readonly lang?: Lang | undefined;
  /** Recorded as the source of rows that this surface writes. Left out: what stands with who asks. */
  readonly source?: WateringSource;
  /** Who asks, and for which company. Left out: the OWNER of the store's only company. */
  readonly identify?: Identify;
  /** Who asks, where that was found out a moment ago; a write of theirs then begins without another look. */
  readonly known?: Identity;
  /** Hears of a summary that failed though the write was done. */
  readonly report?: Report;
}

/** Tells who asks, by the rows of the transaction. */
export type Identify = (all: Kysely<Tables>) => Promise<Identity>;

export interface Identity {
  readonly caller: Caller;
  readonly company: Company;
  /** The source that rows written for this caller carry, where the surface itself says none. */
  readonly source?: WateringSource;
}

export interface LocalPerformer extends Performer {
  /** Who asks, before anything is asked. */
  identity(trail?: Trail): Promise<Identity>;
}

/** Performs operations on the store of this process, for one caller; to make one costs next to nothing. */
export function localPerformer(options: LocalOptions): LocalPerformer {
  const { clock, known } = options;
  const identify: Identify = known ? async () => known : (options.identify ?? ownerOfTheOnlyCompany);

  const langOf = (company: Company): Lang => options.lang ?? langOfCountry(company.country_code);

  const directoryOf = (
    { caller, company }: Identity,
    open: { readonly db: CompanyDb | null },
    store = options.store,
  ): Directory =>
    companyDirectory({
      store,
      lang: langOf(company),
      companyId: company.id,
      open,
      withheld: withheldFrom(caller, options.operations),
    });

  async function perform(described: AnyOperation, ask: Ask): Promise<Performed> {
    const now = clock();
    const { signal, trail } = ask;
    const store = observedStore(options.store, trail);
    const heeding = (all: Kysely<Tables>): Kysely<Tables> => (signal ? attentive(all, signal) : all);
    const begun =
      known && isWrite(described) && ask.idempotencyKey === undefined
        ? await understood(known, store, described, ask, now)
        : await store.readAll((all) => begin(heeding(all), store, described, ask, now));
    const { context, record, stage } = begun;
    const performed = async ({ body, input, remarks }: Answer, at: number, replayed: boolean): Promise<Performed> => {
      const { zone, isZoneDeclared, lang, directory } = context;
      const saying: Saying = { now: at, zone, isZoneDeclared, lang, directory, remarks };
      const picture = await described.render?.(body, { ...saying, directory: tellable(directory) });
      if (ask.isSaid === false) return { body, summary: '', picture, remarks, replayed };
      const summary = await summaryOf(described, { body, saying, input }, options.report, trail?.requestId);
      return { body, summary, picture, remarks, replayed };
    };
    if (stage.kind === 'replay') return performed(stage.answer, stage.answer.at, true);
    if (stage.kind === 'answered') return performed(stage.answer, now, false);

    // In the company's turn: of what is another's it is asked only whether it stands, and a company never changes hands.
    const written = await store.writeFor(context.company.id, async (transaction) => {
      const all = heeding(transaction);
      const db = store.confine(all, context.company.id);
      const raced = await record?.earlier(db, now);
      if (raced) return { answer: raced, at: raced.at, replayed: true };
      const answer = await answerOf(all, db, context, described, stage.understood, ask);
      await record?.keep(db, answer, now);
      refuseCancelled(signal);
      return { answer, at: now, replayed: false };
    });
    return performed(written.answer, written.at, written.replayed);
  }

  function contextOf(
    identity: Identity,
    open: { readonly db: CompanyDb | null },
    store: Store,
    now: number,
  ): CallContext {
    const { company } = identity;
    const zone = company.timezone ?? DEFAULT_ZONE;
    const isZoneDeclared = company.timezone !== null;
    const directory = directoryOf(identity, open, store);
    const { caller, source } = identity;
    // Field by field, for it is made at every call: a spread that more fields follow costs a hidden class each time.
    return { caller, company, source, zone, isZoneDeclared, lang: langOf(company), directory, now };
  }

  /** What a write of a known caller asks; names, where it gives any, are looked up in a snapshot of their own. */
  async function understood(
    identity: Identity,
    store: Store,
    described: AnyOperation,
    ask: Ask,
    now: number,
  ): Promise<Begun> {
    authorize(identity.caller, described);
    const context = contextOf(identity, { db: null }, store, now);
    return { context, record: null, stage: { kind: 'write', understood: await ask.understand(context) } };
  }

  /** Everything up to the first write, in one snapshot: who asks, whether they may, what they ask; a read is answered. */
  async function begin(
    all: Kysely<Tables>,
    store: Store,
    described: AnyOperation,
    ask: Ask,
    now: number,
  ): Promise<Begun> {
    const identity = await identify(all);
    const { caller } = identity;
    authorize(caller, described);
    const db = store.confine(all, caller.companyId);
    const open = { db: db as CompanyDb | null };
    try {
      const context = contextOf(identity, open, store, now);
      const record = ask.idempotencyKey === undefined ? null : recordFor(described, caller, ask, ask.idempotencyKey);
      const earlier = await record?.earlier(db, now);
      if (earlier) return { context, record, stage: { kind: 'replay', answer: earlier } };
      const understood = await ask.understand(context);
      if (isWrite(described)) return { context, record, stage: { kind: 'write', understood } };
      const answer = await answerOf(all, db, context, described, understood, ask);
      return { context, record, stage: { kind: 'answered', answer } };
    } finally {
      open.db = null;
    }
  }

  async function answerOf(
    all: Kysely<Tables>,
    db: CompanyDb,
    context: CallContext,
    described: AnyOperation,
    { input, remarks: read }: Understood,
    { onStep, signal }: Pick<Ask, 'onStep' | 'signal'>,
  ): Promise<Answer> {
    const remarks = [...read];
    const call = callOf({ options, all, db, context, remarks, performing: described, onStep, signal });
    return { body: await described.run(call, input), input, remarks };
  }

  const identity = async (trail?: Trail): Promise<Identity> =>
    known ?? observedStore(options.store, trail).readAll(identify);

  return {
    perform,
    identity,
    lang: async () => langOf((await identity()).company),
    directory: async (trail) =>
      tellable(directoryOf(await identity(trail), { db: null }, observedStore(options.store, trail))),
    async offered(all) {
      if (!options.identify && !known) return null;
      const { caller } = await identity();
      return new Set([...all].filter((each) => mayCall(caller, each)).map(({ name }) => name));
    },
    close: () => options.store.close(),
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

interface Begun {
  readonly context: CallContext;
  readonly record: AnswerRecord | null;
  readonly stage:
    | { readonly kind: 'replay'; readonly answer: Answer & { at: number } }
    | { readonly kind: 'answered'; readonly answer: Answer }
    | { readonly kind: 'write'; readonly understood: Understood };
}

interface CallContext extends Identity {
  readonly zone: string;
  readonly isZoneDeclared: boolean;
  readonly lang: Lang;
  readonly directory: Directory;
  readonly now: number;
}

/** The call an operation runs in, on the transaction of `all`. */
function callOf(made: {
  options: LocalOptions;
  all: Kysely<Tables>;
  db: CompanyDb;
  context: CallContext;
  remarks: string[];
  performing: AnyOperation;
  onStep?: OnStep | undefined;
  signal?: AbortSignal | undefined;
}): Call {
  const { options, all, db, context, remarks, performing, onStep, signal } = made;
  const { caller, company, zone, isZoneDeclared, lang, directory, now } = context;
  return {
    caller,
    company,
    now,
    zone,
    isZoneDeclared,
    directory,
    remarks,
    db,
    lang,
    source: options.source ?? context.source ?? 'api',
    remark: (text) => void remarks.push(text),
    onStep,
    heed: () => heed(signal),
    standsAnywhere: (kind, id) => standsAnywhere(all, kind, id),
    async perform(name, input) {
      const other = options.operations.get(name);
      if (!other || other.scope !== performing.scope || isWrite(other))
        throw new Error(`${performing.name} may not perform ${name}`);
      return other.run(
        callOf({ ...made, remarks: [], performing: other, onStep: undefined }),
        readArguments(other, inLang(other, input, lang)),
      );
    },
  };
}
