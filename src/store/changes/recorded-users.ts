import type { Kysely } from 'kysely';
import { formerMember } from '../../domain/company/former-member.ts';
import { lastOf } from '../../domain/items.ts';
import type { Role } from '../../schema/scope.ts';
import { decompressText } from '../compressed-text.ts';
import type { ChangedRow, RowImage } from '../scope/recorded-rows.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import { encodeRows } from './changed-rows-text.ts';

// The record of changes is only ever added to, but for members who are erased.

/** The rows of a change, or of one of its parts. */
export interface RecordedText {
  readonly changeId: number;
  /** Null for the rows that stand in the change itself. */
  readonly part: number | null;
  /** JSON of an array of `ChangedRow`. */
  readonly json: string;
}

const TEXTS_PER_QUERY = 50;

/** Of all changes of the company after this one, then of their parts. */
export async function* recordedTexts(
  db: CompanyDb,
  afterChange = 0,
): AsyncGenerator<RecordedText, void> {
  for (let after = afterChange; ; ) {
    const stored = await db
      .selectFrom('changes')
      .select(['id', 'changed_rows'])
      .where('id', '>', after)
      .where('changed_rows', 'is not', null)
      .orderBy('id')
      .limit(TEXTS_PER_QUERY)
      .$narrowType<{ changed_rows: string }>()
      .execute();
    for (const { id, changed_rows } of stored)
      yield { changeId: id, part: null, json: await decompressText(changed_rows) };
    if (stored.length < TEXTS_PER_QUERY) break;
    after = lastOf(stored).id;
  }
  yield* textsOfParts(db, afterChange);
}

async function* textsOfParts(
  db: CompanyDb,
  afterChange: number,
): AsyncGenerator<RecordedText, void> {
  for (let after = { change: afterChange, part: Number.MAX_SAFE_INTEGER }; ; ) {
    const { change, part } = after;
    const stored = await db
      .selectFrom('change_parts')
      .select(['change_id', 'part', 'changed_rows'])
      .where((eb) =>
        eb.or([
          eb('change_id', '>', change),
          eb.and([eb('change_id', '=', change), eb('part', '>', part)]),
        ]),
      )
      .orderBy('change_id')
      .orderBy('part')
      .limit(TEXTS_PER_QUERY)
      .execute();
    for (const row of stored)
      yield {
        changeId: row.change_id,
        part: row.part,
        json: await decompressText(row.changed_rows),
      };
    if (stored.length < TEXTS_PER_QUERY) return;
    const last = lastOf(stored);
    after = { change: last.change_id, part: last.part };
  }
}

/** Those of `recordedTexts` that may have a row of a member. Others need not be parsed. */
export async function* textsWithUsers(
  db: CompanyDb,
  afterChange?: number,
): AsyncGenerator<RecordedText, void> {
  for await (const text of recordedTexts(db, afterChange)) if (mayHaveUsers(text)) yield text;
}

export const mayHaveUsers = ({ json }: RecordedText): boolean => json.includes('"table":"users"');

export interface RecordedUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** Each member as a change found or left it, in the order of the changes. */
export async function* recordedUsers(db: CompanyDb): AsyncGenerator<RecordedUser, void> {
  for await (const { json } of textsWithUsers(db))
    for (const { table, before, after } of JSON.parse(json) as ChangedRow[])
      if (table === 'users')
        // Their columns are those of the table.
        for (const image of [before, after])
          if (image !== null) yield image as unknown as RecordedUser;
}

/** The rows of the change with a former member in place of these; null if it has none of them. */
export function withoutUsers(
  json: string,
  userIds: ReadonlySet<number>,
): readonly ChangedRow[] | null {
  let isChanged = false;
  const erased = (image: RowImage | null, id: number): RowImage | null => {
    if (image === null) return null;
    const former = { ...image, ...formerMember(id) };
    isChanged ||= image.email !== former.email || image.name !== former.name;
    return former;
  };
  const rows = (JSON.parse(json) as ChangedRow[]).map((row) => {
    const id = Number(row.key);
    if (row.table !== 'users' || !userIds.has(id)) return row;
    return { ...row, before: erased(row.before, id), after: erased(row.after, id) };
  });
  return isChanged ? rows : null;
}

export async function replaceRecordedText(
  all: Kysely<Tables>,
  companyId: number,
  { changeId, part }: Pick<RecordedText, 'changeId' | 'part'>,
  rows: readonly ChangedRow[],
): Promise<void> {
  const text = await encodeRows(rows);
  if (part === null)
    await all
      .updateTable('changes')
      .set({ changed_rows: text })
      .where('company_id', '=', companyId)
      .where('id', '=', changeId)
      .execute();
  else
    await all
      .updateTable('change_parts')
      .set({ changed_rows: text })
      .where('company_id', '=', companyId)
      .where('change_id', '=', changeId)
      .where('part', '=', part)
      .execute();
}
