import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { isFormerMember } from '../../domain/company/former-member.ts';
import { comparedLocalPart, isSameAddress } from '../../domain/company/mail-address.ts';
import { foldText } from '../../domain/strings.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { Role } from '../../schema/scope.ts';
import { repeatedGlobalQuery } from '../queries/prepared-query.ts';
import { isRemovedInSteps } from '../scope/company-scope-rules.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb, CompanyTable, Tables } from '../tables.ts';
import { changeLocalDayZone } from './local-day-zone.ts';

export type CompanyRow = Selectable<CompanyTable>;

export const allCompanies = (db: Kysely<Tables>): Promise<CompanyRow[]> =>
  db.selectFrom('companies').selectAll().orderBy('id').execute();

export const companyById = (db: Kysely<Tables>, id: number): Promise<CompanyRow | undefined> =>
  db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();

export const companyByName = (db: Kysely<Tables>, name: string): Promise<CompanyRow | undefined> =>
  db.selectFrom('companies').selectAll().where('name', '=', name).executeTakeFirst();

export async function insertCompany(
  db: Kysely<Tables>,
  row: Insertable<CompanyTable>,
): Promise<number> {
  const { id, timezone } = await db
    .insertInto('companies')
    .values(row)
    .returning(['id', 'timezone'])
    .executeTakeFirstOrThrow();
  await changeLocalDayZone(db, id, timezone ?? DEFAULT_TIME_ZONE);
  return id;
}

export async function updateCompany(
  db: Kysely<Tables>,
  id: number,
  changes: Updateable<CompanyTable>,
): Promise<void> {
  adapterOf(db).changedCompanies.add(id);
  await db.updateTable('companies').set(changes).where('id', '=', id).execute();
  if (changes.timezone !== undefined)
    await changeLocalDayZone(db, id, changes.timezone ?? DEFAULT_TIME_ZONE);
}

/** False, without writing, if another company has the same name apart from case and accents. */
export async function tryUpdateCompany(
  db: Kysely<Tables>,
  id: number,
  changes: Updateable<CompanyTable>,
): Promise<boolean> {
  if (changes.name !== undefined && (await isNameTaken(db, id, changes.name))) return false;
  await updateCompany(db, id, changes);
  return true;
}

async function isNameTaken(db: Kysely<Tables>, id: number, name: string): Promise<boolean> {
  const others = (await allCompanies(db)).filter((company) => company.id !== id);
  return others.some((other) => foldText(other.name) === foldText(name));
}

/**
 * Also deletes the stored responses, what is counted of the company, and the zone of its local
 * days; it must have no other rows.
 */
export async function deleteCompany(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('idempotency').where('company_id', '=', id).execute();
  await db.deleteFrom('local_day_zones').where('company_id', '=', id).execute();
  await db.deleteFrom('reading_retention').where('company_id', '=', id).execute();
  await db.deleteFrom('change_counts').where('company_id', '=', id).execute();
  await db.deleteFrom('daily_rows').where('company_id', '=', id).execute();
  await db.deleteFrom('recent_deliveries').where('company_id', '=', id).execute();
  await db.deleteFrom('erasures').where('company_id', '=', id).execute();
  await db.deleteFrom('companies').where('id', '=', id).execute();
}

/** `owner_id` is the first OWNER, as whom calls without a key act. */
type CompanyWithOwner = CompanyRow & { readonly owner_id: number | null };

const oldestCompaniesQuery = repeatedGlobalQuery((db) =>
  db
    .selectFrom('companies')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('users')
        .select((users) => users.fn.min('users.id').as('id'))
        .whereRef('users.company_id', '=', 'companies.id')
        .where('users.role', '=', 'OWNER')
        .as('owner_id'),
    )
    .orderBy('companies.id')
    .limit(2),
);

/**
 * A caller without a key acts for the only company, if there is no second. Runs at every such call.
 */
export const oldestTwoCompanies = (db: Kysely<Tables>): Promise<readonly CompanyWithOwner[]> =>
  oldestCompaniesQuery(db);

/** Also former members, whom other rows name. */
export const allUsers = (db: CompanyDb) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'role']).orderBy('id').execute();

/** Without former members. */
export const allMembers = async (db: CompanyDb) =>
  (await allUsers(db)).filter((user) => !isFormerMember(user));

export const membersOfAllCompanies = (db: Kysely<Tables>) =>
  db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.id', 'users.email', 'companies.id as companyId', 'companies.name as company'])
    .orderBy('users.id')
    .execute();

export interface MembershipRow extends CompanyRow {
  readonly user_id: number;
  readonly user_email: string;
  readonly user_role: Role;
}

/** Without a collation, PostgreSQL lowers letters by the language of the database. */
const lowerAToZ = (db: Kysely<Tables>) =>
  adapterOf(db).dialect === 'postgres'
    ? sql`lower(users.email collate "C")`
    : sql`lower(users.email)`;

const membershipRows = repeatedGlobalQuery((db, localPartPattern: string) =>
  db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .selectAll('companies')
    .select(['users.id as user_id', 'users.email as user_email', 'users.role as user_role'])
    .where(sql<boolean>`${lowerAToZ(db)} like ${localPartPattern} escape '!'`)
    .orderBy('companies.id')
    .$castTo<MembershipRow>(),
);

/** The memberships in all companies. Runs at every call with an access token. */
export async function membershipsByAddress(
  db: Kysely<Tables>,
  address: string,
): Promise<MembershipRow[]> {
  // Databases know no IDNA, so domains are compared here.
  const localPartPattern = `${comparedLocalPart(address).replace(/[%_!]/g, '!$&')}%`;
  const rows = await membershipRows(db, localPartPattern);
  return rows.filter((row) => isSameAddress(row.user_email, address));
}

export type IdentifiedTable =
  | 'modules'
  | 'parcels'
  | 'installation_versions'
  | 'waterings'
  | 'schedules'
  | 'rain'
  | 'annotations'
  | 'alerts'
  | 'changes';

export async function existsInAnyCompany(
  db: Kysely<Tables>,
  table: IdentifiedTable,
  id: number | string,
): Promise<boolean> {
  let query = db.selectFrom(table).select('id').where('id', '=', id);
  if (isRemovedInSteps(table)) query = query.where('removed_at', 'is', null);

  return (await query.executeTakeFirst()) !== undefined;
}
