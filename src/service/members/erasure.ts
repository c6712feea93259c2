import type { Kysely } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { soleAlertCount } from '../../store/alerts/alerts.ts';
import { newestChangeId } from '../../store/changes/changes.ts';
import {
  mayHaveUsers,
  type RecordedText,
  recordedTexts,
  replaceRecordedText,
  textsWithUsers,
  withoutUsers,
} from '../../store/changes/recorded-users.ts';
import { allUsers } from '../../store/company/companies.ts';
import {
  allErasures,
  type Erasure,
  eraseUser,
  recordCleared,
} from '../../store/company/erasures.ts';
import { announceChange } from '../../store/company-changes.ts';
import {
  deleteIdempotencyRecord,
  type StoredAnswer,
  storedAnswers,
} from '../../store/idempotency.ts';
import { deleteKeysOfUser, keysOfUser } from '../../store/keys/api-keys.ts';
import { deleteSessionsOfUser, sessionsOfUser } from '../../store/keys/sessions.ts';
import { deleteMailOfUser, messagesToUser } from '../../store/mail/outbox.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { areOfPerson, type Mention, mentionsIn, mentionsInRow, personFinder } from './mentions.ts';
import type { RecordedMembership } from './person.ts';
import { memberRowCounts } from './rows-of-member.ts';

/** What erasing a membership removes, and what it leaves. */
export interface ErasurePlan extends RecordedMembership {
  readonly isLastOwner: boolean;
  readonly keys: readonly { readonly id: number; readonly lastUsedAt: number | null }[];
  readonly sessions: number;
  readonly messages: { readonly sent: number; readonly waiting: number };
  readonly storedAnswers: number;
  /** Texts of the record of changes that have the member's name and address. */
  readonly recordedChanges: number;
  /** Active alerts whose only recipient is the member. */
  readonly soleAlerts: number;
  /** They stay, under "former member". */
  readonly rows: readonly { readonly table: string; readonly rows: number }[];
  readonly mentions: readonly Mention[];
}

export async function planErasure(
  store: Store,
  all: Kysely<Tables>,
  membership: RecordedMembership,
): Promise<ErasurePlan> {
  const { company, user } = membership;
  const db = store.scopeToCompany(all, company.id);
  const owners = (await allUsers(db)).filter(({ role }) => role === 'OWNER');
  const keys = await keysOfUser(db, user.id);

  return {
    ...membership,
    isLastOwner: owners.length === 1 && owners[0]?.id === user.id,
    keys: keys.map(({ id, last_used_at }) => ({ id, lastUsedAt: last_used_at })),
    sessions: (await sessionsOfUser(db, user.id)).length,
    messages: await messagesToUser(db, user.id),
    storedAnswers: (await answersWith(db, membership)).length,
    soleAlerts: await soleAlertCount(db, user.id),
    rows: await memberRowCounts(db, user.id),
    ...(await findPerson(db, all, membership)),
  };
}

/**
 * Where texts of people name the person, also in the record of changes, and how many texts of that
 * record have the row of the member.
 */
export async function findPerson(
  db: CompanyDb,
  all: Kysely<Tables>,
  membership: RecordedMembership,
): Promise<Pick<ErasurePlan, 'recordedChanges' | 'mentions'>> {
  const { id } = membership.user;
  const find = personFinder(membership);
  const mentions: Mention[] = [];
  let recordedChanges = 0;
  for await (const mention of mentionsIn(db, all, find, id)) mentions.push(mention);
  for await (const text of recordedTexts(db)) {
    if (find(text.json) !== null) mentions.push(...mentionsInChange(text, id, find));
    if (mayHaveUsers(text) && withoutUsers(text.json, new Set([id])) !== null) recordedChanges++;
  }
  return { recordedChanges, mentions };
}

/** In texts of the rows before and after; once for each column. */
function mentionsInChange(
  { changeId, json }: RecordedText,
  userId: number,
  find: ReturnType<typeof personFinder>,
): Mention[] {
  const mentions = new Map<string, Mention>();
  for (const { table, key, before, after } of JSON.parse(json) as ChangedRow[]) {
    if (table === 'users' && Number(key) === userId) continue;
    for (const image of [before, after])
      for (const { column, found } of mentionsInRow(table, String(key), image ?? {}, find)) {
        const place = `${table} ${key}, ${column}`;
        mentions.set(place, { table: 'changes', key: String(changeId), column: place, found });
      }
  }
  return [...mentions.values()];
}

/** Answers to calls of the person, and others with the name or the address. */
export async function answersWith(
  db: CompanyDb,
  membership: RecordedMembership,
): Promise<readonly StoredAnswer[]> {
  const { user } = membership;
  const keys = await keysOfUser(db, user.id);
  const callers = new Set([`user:${user.id}`, ...keys.map(({ family }) => `key:${family}`)]);
  const find = personFinder(membership);
  const hasPerson = (text: string): boolean => areOfPerson(find(text));
  return (await storedAnswers(db)).filter(
    ({ caller, body, advisories }) =>
      callers.has(caller) || hasPerson(body) || hasPerson(advisories),
  );
}

type ErasedMember = Pick<Erasure, 'companyId' | 'userId'>;

interface Replacement {
  readonly companyId: number;
  readonly text: RecordedText;
  readonly rows: readonly ChangedRow[];
}

/** Texts of the record of changes that still have members who were erased, or are to be. */
async function textsToReplace(
  store: Store,
  all: Kysely<Tables>,
  erased: readonly ErasedMember[],
  after?: ReadonlyMap<number, number>,
): Promise<Replacement[]> {
  const found: Replacement[] = [];
  for (const [companyId, ofCompany] of groupBy(erased, (each) => each.companyId)) {
    const userIds = new Set(ofCompany.map(({ userId }) => userId));
    const db = store.scopeToCompany(all, companyId);
    for await (const text of textsWithUsers(db, after?.get(companyId))) {
      const rows = withoutUsers(text.json, userIds);
      if (rows !== null) found.push({ companyId, text, rows });
    }
  }
  return found;
}

async function replaceTexts(
  all: Kysely<Tables>,
  replacements: readonly Replacement[],
): Promise<void> {
  for (const { companyId, text, rows } of replacements)
    await replaceRecordedText(all, companyId, text, rows);
}

/**
 * Erases the members in one transaction, so that none is erased by half. `finishErasures` is to
 * follow.
 */
export async function eraseMembers(
  store: Store,
  memberships: readonly RecordedMembership[],
  at: number,
): Promise<void> {
  const erased = memberships.map(({ company, user }) => ({
    companyId: company.id,
    userId: user.id,
  }));
  // Reading the whole record takes long, so it is done before the lock is held.
  const recorded = await store.readAll(async (all) => ({
    newest: await newestChanges(store, all, erased),
    texts: await textsToReplace(store, all, erased),
  }));

  await store.writeAll(async (all) => {
    for (const membership of memberships) {
      const { company, user } = membership;
      const db = store.scopeToCompany(all, company.id);
      for (const answer of await answersWith(db, membership))
        await deleteIdempotencyRecord(db, answer);
      await deleteSessionsOfUser(db, user.id);
      await deleteKeysOfUser(db, user.id);
      await deleteMailOfUser(db, user.id);
      await eraseUser(db, user.id, at);
      // Open event streams then check whether their session is still valid.
      announceChange(db, []);
    }

    const added = await textsToReplace(store, all, erased, recorded.newest);
    await replaceTexts(all, [...recorded.texts, ...added]);
  });
}

async function newestChanges(
  store: Store,
  all: Kysely<Tables>,
  erased: readonly ErasedMember[],
): Promise<ReadonlyMap<number, number>> {
  const newest = new Map<number, number>();
  for (const { companyId } of erased) {
    const id = await newestChangeId(store.scopeToCompany(all, companyId));
    newest.set(companyId, id ?? 0);
  }
  return newest;
}

/**
 * Ends what was committed: nothing of the members is left in free space. May be repeated until it
 * succeeds. `note` keeps for copies who was erased. Returns the erasures that it ended.
 */
export async function finishErasures(
  store: Store,
  clock: () => number,
  note: (erasures: readonly Erasure[]) => Promise<void>,
): Promise<readonly Erasure[]> {
  const erasures = await store.readAll(allErasures);
  const pending = erasures.filter(({ clearedAt }) => clearedAt === null);
  if (pending.length === 0) return [];

  // An undo in steps may have recorded them meanwhile.
  const texts = await store.readAll((all) => textsToReplace(store, all, pending));
  if (texts.length > 0) await store.writeAll((all) => replaceTexts(all, texts));

  await store.clearFreeSpace();
  const clearedAt = clock();
  await note(erasures.map((each) => ({ ...each, clearedAt: each.clearedAt ?? clearedAt })));
  await store.writeUnlocked((all) => recordCleared(all, clearedAt));
  return pending;
}
