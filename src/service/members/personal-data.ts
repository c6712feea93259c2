import type { Kysely } from 'kysely';
import type { Column } from '../../schema/tables/column.ts';
import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import { toIso } from '../../schema/wire-format.ts';
import { rowsOfParts } from '../../store/changes/change-parts.ts';
import { decodeRows } from '../../store/changes/changed-rows-text.ts';
import { textsWithUsers } from '../../store/changes/recorded-users.ts';
import { changedRowsWithNotes, sharedNote } from '../../store/irrigation/irrigation-notes.ts';
import { keysOfUser } from '../../store/keys/api-keys.ts';
import { sessionsOfUser } from '../../store/keys/sessions.ts';
import { messagesOfUser } from '../../store/mail/outbox.ts';
import { toCamel } from '../../store/queries/camel-row.ts';
import { bodyOfValue, valueOfCell } from '../../store/queries/cells.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { answersWith, findPerson } from './erasure.ts';
import type { RecordedMembership } from './person.ts';
import { MEMBER_TABLES, memberRows } from './rows-of-member.ts';

/** Hashes let nobody in, but say nothing to people either; the keys of a device are secret. */
const SECRET_COLUMNS = ['hash', 'push_subscription'];
/** They order rows, or are the same for all. */
const INTERNAL_COLUMNS = ['seq', 'interval_node', 'company_id'];

type Row = Readonly<Record<string, unknown>>;

/** With the names, instants and values of answers. */
function readable(table: string, row: Row): Row {
  const columns = TABLES_BY_NAME.get(table)?.columns ?? {};
  const body: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(row)) {
    if (SECRET_COLUMNS.includes(name) || INTERNAL_COLUMNS.includes(name)) continue;
    body[toCamel(name)] = readableValue(columns[name], cell);
  }
  return body;
}

function readableValue(column: Column | undefined, cell: unknown): unknown {
  if (column === undefined) return cell;
  const { properties } = column;
  const value = valueOfCell(properties, cell);
  return properties.kind === 'instant' ? bodyOfValue(properties, value) : value;
}

const endpointOf = (subscription: string): unknown => JSON.parse(subscription).endpoint;

/** A list of the file, and its rows, which may be many. */
export type PersonalList = readonly [name: string, rows: Iterable<object> | AsyncIterable<object>];

/** All that the store has about a member, but for secrets. */
export async function personalLists(
  store: Store,
  all: Kysely<Tables>,
  membership: RecordedMembership,
): Promise<readonly PersonalList[]> {
  const { company, user } = membership;
  const db = store.scopeToCompany(all, company.id);
  const sessions = await sessionsOfUser(db, user.id);
  const keys = await keysOfUser(db, user.id);
  const answers = await answersWith(db, membership);
  return [
    [
      'sessions',
      sessions.map((row) => ({
        ...readable('sessions', row),
        pushEndpoint: row.push_subscription === null ? null : endpointOf(row.push_subscription),
      })),
    ],
    ['keys', keys.map((row) => readable('api_keys', row))],
    ['messages', (await messagesOfUser(db, user.id)).map((row) => readable('outbox', row))],
    [
      'storedAnswers',
      answers.map(({ operation, createdAt, body }) => ({
        operation,
        createdAt: toIso(createdAt),
        body: JSON.parse(body),
      })),
    ],
    ...MEMBER_TABLES.map(
      (table): PersonalList => [
        toCamel(table.name),
        table.name === 'changes'
          ? changesOf(db, memberRows(db, table, user.id))
          : readableRows(db, table.name, memberRows(db, table, user.id)),
      ],
    ),
    ['membershipChanges', membershipChanges(db, user.id)],
    ['mentions', (await findPerson(db, all, membership)).mentions],
  ];
}

async function* readableRows(
  db: CompanyDb,
  table: string,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  // Thousands of waterings of a parcel may share a note.
  const notes = new Map<number, string | null>();
  for await (const row of rows) {
    const { note_id: id } = row;
    if (typeof id !== 'number') {
      yield readable(table, row);
      continue;
    }
    const note = notes.get(id) ?? (await sharedNote(db, id));
    notes.set(id, note);
    yield readable(table, { ...row, note });
  }
}

/** The membership before and after each change of it, by the member or by others. */
async function* membershipChanges(db: CompanyDb, userId: number): AsyncGenerator<Row, void> {
  for await (const { changeId, json } of textsWithUsers(db))
    for (const { table, key, before, after } of JSON.parse(json) as ChangedRow[])
      if (table === 'users' && Number(key) === userId) yield { change: changeId, before, after };
}

/** With the rows before and after. */
async function* changesOf(db: CompanyDb, rows: AsyncIterable<Row>): AsyncGenerator<Row, void> {
  for await (const { changed_rows: text, ...row } of rows) {
    const own = text === null ? null : await decodeRows(String(text));
    const stored = [...(own ?? []), ...(await rowsOfParts(db, Number(row.id)))];
    const changed = await changedRowsWithNotes(db, stored);
    yield {
      ...readable('changes', row),
      rows: changed.map(({ table, key, before, after }) => ({
        table,
        key,
        before: before && readable(table, before),
        after: after && readable(table, after),
      })),
    };
  }
}
