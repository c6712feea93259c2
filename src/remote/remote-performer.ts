import { randomUUID } from 'node:crypto';
import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import type { Directory } from '../operation/directory.ts';
import { type AnyOperation, inLang, isWrite } from '../operation/operation.ts';
import type { Ask, Performed, Performer } from '../operation/performer.ts';
import { sayingWords } from '../operation/say-time.ts';
import type { Understood } from '../operation/tool-arguments.ts';
import { withZoneTold } from '../operation/zone-told.ts';
import { AcequiaError } from '../schema/error.ts';
import { refuseCancelled } from '../store/attentive.ts';
import { addressOf } from './address.ts';
import { BOUNDS, type Bounds, ticking } from './bounds.ts';
import { companyOf } from './company.ts';
import { composingCall, composingFault } from './compose.ts';
import { openConnection } from './connection.ts';
import { isComposed, offeredBy, queryTaken } from './offered.ts';
import { onTrail } from './on-trail.ts';
import { mayHaveActedBefore } from './refusals.ts';
import { type Answered, openService } from './service.ts';
import { asTaken, hasQuery, refuseTooMany } from './taken.ts';
import { understandAsked } from './understanding.ts';
import { wordsKept } from './words.ts';

export interface RemoteOptions {
  /** Base URL of the service; by the specification it ends in /v1. */
  readonly url: string;
  /** Sent as x-api-key, to that origin alone. */
  readonly key: string | null;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  /** What people hear, where one was chosen; else that of the company's country. */
  readonly lang?: Lang | undefined;
  readonly bounds?: Bounds;
}

/** An answer that is there already waits no longer than this for the names that its summary says, in ms. */
const NAMES_MS = 3_000;

/** Performs operations by asking a remote service for them; words and names are read here, and summaries said. */
export function remotePerformer(options: RemoteOptions): Performer {
  const { key, operations, clock, bounds = BOUNDS } = options;
  const address = addressOf(options.url);
  const connection = openConnection({ address, key, bounds });
  const service = openService({ connection, address, key, bounds });
  const company = companyOf(service, options.lang, bounds.callMs);
  const words = wordsKept();

  const perform = (described: AnyOperation, ask: Ask): Promise<Performed> =>
    onTrail(ask.trail, () =>
      isWrite(described)
        ? write(described, ask, ticking() + bounds.callMs)
        : read(described, ask, ticking() + bounds.callMs),
    );

  async function read(described: AnyOperation, ask: Ask, deadline: number): Promise<Performed> {
    const now = clock();
    const understood = await understandAsked(described, ask, company, now, deadline);
    if (described.performs && isComposed(await service.named(), described))
      return composed(described, ask, understood, now, deadline);
    const answered = await asked(described, understood.wire, now, deadline);
    return performed(described, ask, understood, answered, now, deadline);
  }

  /** Asks for a read with what the service takes of its arguments. */
  async function asked(
    described: AnyOperation,
    given: Readonly<Record<string, unknown>>,
    now: number,
    deadline: number,
  ): Promise<Answered> {
    const taken = hasQuery(described, given) ? queryTaken(await service.named(), described.endpoint) : null;
    const sent = taken === null ? given : asTaken(described, given, taken, now);
    const answered = await service.ask(described, sent, {
      idempotencyKey: null,
      lang: await company.lang(deadline),
      deadline,
    });
    refuseTooMany(given, answered.body);
    return answered;
  }

  async function write(described: AnyOperation, ask: Ask, deadline: number): Promise<Performed> {
    const now = clock();
    const idempotencyKey = ask.idempotencyKey ?? randomUUID();
    const place = [described.name, idempotencyKey, ask.given] as const;
    const earlier = words.earlier(...place, now);
    const meant = earlier ?? {
      ...(await understandAsked(described, ask, company, now, deadline).catch(beforeWriting)),
      at: now,
    };
    words.keep(...place, meant);
    try {
      const lang = await company.lang(deadline);
      const answered = await service.ask(described, meant.wire, { idempotencyKey, lang, deadline });
      // Nobody but this call knows a key that was made for it.
      if (ask.idempotencyKey === undefined) words.forget(...place);
      return performed(described, ask, meant, answered, answered.replayed ? meant.at : now, deadline);
    } catch (error) {
      // Words that an earlier try has used may stand in the books, whatever is refused since.
      if (earlier === null && isForGood(error)) words.forget(...place);
      throw error;
    }
  }

  /** Runs here what the service has not, over what it has. */
  async function composed(
    described: AnyOperation,
    ask: Ask,
    { input, wire, remarks: said }: Understood,
    now: number,
    deadline: number,
  ): Promise<Performed> {
    const remarks = [...said];
    const strange: string[] = [];
    const saying = await sayingAt(now, remarks, deadline);
    const named = await service.named();
    const call = composingCall({
      performing: described,
      operations,
      saying,
      remarks,
      onStep: ask.onStep,
      signal: ask.signal,
      isAsked: (other) => !isComposed(named, other),
      async ask(other, wire) {
        refuseCancelled(ask.signal);
        const part = await asked(other, inLang(other, wire, saying.lang), now, deadline);
        strange.push(...part.strange.map((path) => `${other.name}: ${path}`));
        return part.body;
      },
    });
    try {
      const body = await described.run(call, input);
      const answered: Answered = { body, strange: [], replayed: false, remarks: [] };
      const told = await performed(described, ask, { input, wire, remarks }, answered, now, deadline);
      return { ...told, picture: await described.render?.(body, saying) };
    } catch (error) {
      throw composingFault(error, described, strange);
    }
  }

  async function performed(
    described: AnyOperation,
    ask: Ask,
    { input, remarks: read }: Understood,
    { body, strange, replayed, remarks: told }: Answered,
    at: number,
    deadline: number,
  ): Promise<Performed> {
    const remarks = [...read, ...told];
    if (ask.isSaid === false) return { body, summary: '', remarks, replayed };
    const inTime = Math.min(deadline, ticking() + NAMES_MS);
    const strangely = async (): Promise<string> => sayStrange(strange, remarks, await company.lang(inTime));
    if (strange.length > 0) return { body, summary: await strangely(), remarks, replayed };
    const summary = await summaryOf(described, body, await sayingAt(at, remarks, inTime), input);
    return { body, summary: summary ?? (await strangely()), remarks, replayed };
  }

  /** An answer is not lost because a name or the zone could not be had: ids and UTC say the same. */
  async function sayingAt(now: number, remarks: readonly string[], deadline: number): Promise<Saying> {
    const lang = await company.lang(deadline);
    const told = await company.zone(deadline).catch(() => null);
    const zone = typeof told === 'string' ? told : 'UTC';
    const isZoneDeclared = await company.isZoneDeclared(deadline);
    const { directory } = company.names(deadline);
    const ifHad: Directory = {
      modules: () => directory.modules().catch(() => []),
      parcels: () => directory.parcels().catch(() => []),
    };
    return { now, zone, isZoneDeclared, lang, directory: ifHad, remarks };
  }

  return {
    perform,
    lang: () => company.lang(ticking() + bounds.callMs),
    async directory(trail) {
      const { directory } = company.names(ticking() + bounds.callMs);
      return {
        modules: () => onTrail(trail, directory.modules),
        parcels: () => onTrail(trail, directory.parcels),
      };
    },
    offered: async (all) => offeredBy(await service.named(), all),
    close: () => connection.close(),
  };
}

/** What fails while the words are read has written nothing, which a person wants to know of a write. */
function beforeWriting(error: unknown): never {
  if (!(error instanceof AcequiaError) || error.status < 500) throw error;
  throw new AcequiaError({ ...error.toJSON(), hint: `${error.hint ?? ''} Nothing was written by this call.`.trim() });
}

/** Refused as it stands at every try: no later one under the same key is the same entry. */
const isForGood = (error: unknown): boolean =>
  error instanceof AcequiaError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  !mayHaveActedBefore(error);

/** What is said of an answer that no summary can be drawn from. */
const sayStrange = (strange: readonly string[], remarks: readonly string[], lang: Lang): string =>
  [sayingWords(lang).strange(strange.slice(0, 4), Math.max(0, strange.length - 4)), ...remarks].join(' ');

/** Null where an answer of the right shape holds what no sentence takes, such as a date that does not exist. */
async function summaryOf(
  described: AnyOperation,
  body: unknown,
  saying: Saying,
  input: Record<string, unknown>,
): Promise<string | null> {
  try {
    return withZoneTold(await described.summary(body, saying, input), saying);
  } catch {
    return null;
  }
}
