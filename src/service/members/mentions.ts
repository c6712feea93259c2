import type { Kysely } from 'kysely';
import { hasAddress, isLetterOrDigit } from '../../domain/company/mail-address.ts';
import { keysOf } from '../../domain/records.ts';
import { foldText } from '../../domain/strings.ts';
import type { Column } from '../../schema/tables/column.ts';
import { COMPANY_TABLES, type CompanyTableName } from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';
import { companyById } from '../../store/company/companies.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import type { RecordedMembership } from './person.ts';

type FoundWords =
  | 'address'
  | 'name'
  | 'former address'
  | 'former name'
  | 'part of the name'
  | 'part of a former name';

const PARTS: readonly FoundWords[] = ['part of the name', 'part of a former name'];

/** Whether they say who is meant. */
export const areOfPerson = (found: FoundWords | null): boolean =>
  found !== null && !PARTS.includes(found);

/** A text of people in which the person may be meant. */
export interface Mention {
  readonly table: string;
  /** The id of the row, or the values of its key. */
  readonly key: string;
  readonly column: string;
  readonly found: FoundWords;
}

/** Shorter parts of a name, such as "de", are words of any text. */
const MIN_PART_LENGTH = 3;

/** Returns what of the person a text has, by whole words, whatever their case and accents. */
export function personFinder({
  user,
  formerly,
}: Pick<RecordedMembership, 'user' | 'formerly'>): (text: string) => FoundWords | null {
  const name = foldText(user.name);
  const formerNames = formerly.map((words) => foldText(words.name));
  const parts = partsOf([name]);
  const formerParts = partsOf(formerNames);
  return (text) => {
    if (hasAddress(text, user.email)) return 'address';
    const words = foldText(text);
    const hasSome = (searched: readonly string[]) => searched.some((each) => hasWords(words, each));
    if (hasSome([name])) return 'name';
    if (formerly.some(({ email }) => hasAddress(text, email))) return 'former address';
    if (hasSome(formerNames)) return 'former name';
    if (hasSome(parts)) return 'part of the name';
    return hasSome(formerParts) ? 'part of a former name' : null;
  };
}

const partsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => name.split(' ')).filter((part) => part.length >= MIN_PART_LENGTH);

function hasWords(text: string, words: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!isInWord(text[at - 1]) && !isInWord(text[at + words.length])) return true;
  return false;
}

const isInWord = (character: string | undefined): boolean =>
  character !== undefined && isLetterOrDigit(character);

/** Their rows are of the person alone, or are searched by other means. */
const NOT_SEARCHED: readonly CompanyTableName[] = [
  'users',
  'sessions',
  'api_keys',
  'erasures',
  'idempotency',
  'changes',
  'change_parts',
];

/** Texts that are neither ids nor words of the program. */
export const isFreeText = ({
  properties: { kind, values, reference, isUnique },
}: Column): boolean =>
  (kind === 'text' || kind === 'json') && values === null && reference === null && !isUnique;

interface SearchedTable {
  readonly name: CompanyTableName;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

const SEARCHED_TABLES: readonly SearchedTable[] = keysOf(COMPANY_TABLES).flatMap((name) => {
  const table: Table = COMPANY_TABLES[name];
  const columns = Object.keys(table.columns).filter((column) => {
    const described = table.columns[column];
    return described !== undefined && isFreeText(described);
  });
  return columns.length === 0 || NOT_SEARCHED.includes(name)
    ? []
    : [{ name, key: table.key, columns }];
});

/** The texts of a company that may mean the person; the record of changes is not among them. */
export async function* mentionsIn(
  db: CompanyDb,
  all: Kysely<Tables>,
  find: (text: string) => FoundWords | null,
  userId: number,
): AsyncGenerator<Mention, void> {
  const company = await companyById(all, companyIdOf(db));
  yield* mentionsInRow('companies', String(company?.id), { ...company }, find);

  for (const { name, key, columns } of SEARCHED_TABLES) {
    // Kysely cannot infer columns from a generic name: 'rain' and 'note' represent any of them.
    let query = db
      .selectFrom(name as 'rain')
      .select([...new Set([...key, ...columns])] as readonly 'note'[])
      .where((eb) => eb.or(columns.map((column) => eb(column as 'note', 'is not', null))));
    // Messages to the person go with the person.
    if (name === 'outbox') query = query.where('user_id' as 'created_by', '!=', userId);

    for await (const row of query.stream(ROWS_PER_READ)) {
      const cells: Readonly<Record<string, unknown>> = row;
      const id = key.map((column) => cells[column]).join(' ');
      const texts = columns.map((column) => [column, cells[column]]);
      yield* mentionsInRow(name, id, Object.fromEntries(texts), find);
    }
  }
}

const ROWS_PER_READ = 1_000;

export function* mentionsInRow(
  table: string,
  key: string,
  row: Readonly<Record<string, unknown>>,
  find: (text: string) => FoundWords | null,
): Generator<Mention, void> {
  for (const [column, value] of Object.entries(row)) {
    const found = typeof value === 'string' ? find(value) : null;
    if (found !== null) yield { table, key, column, found };
  }
}
