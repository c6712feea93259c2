import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { firstOf, lastOf } from '../../domain/items.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { changeLocalDayZone } from '../company/local-day-zone.ts';
import { type ReadingContext, recordReadings } from '../ingest/reading-writes.ts';
import { changedSums } from '../moisture/changed-sums.ts';
import { readingRetention } from '../moisture/reading-retention.ts';
import { refreshSums } from '../moisture/sum-writes.ts';
import { companyTables } from '../scope/company-scope-rules.ts';
import { openStore, viewStore } from '../store.ts';
import type { CopiedRow } from '../store-adapter.ts';
import type { Store } from '../store-interface.ts';
import { isMissingFile, redactedLocation } from '../store-location.ts';
import type { Tables } from '../tables.ts';
import {
  type CopiedTable,
  companyIds,
  copiedTables,
  deleteRange,
  insertRows,
  restoreSequences,
  rowsInRange,
  type SequenceValues,
} from './copied-tables.ts';
import {
  assertClaim,
  type CopyRun,
  copyError,
  findClaim,
  hasRows,
  insertClaim,
  releaseTarget,
  takeOver,
} from './copy-claim.ts';

/** What the claim of an import names as its source begins so. */
const IMPORT_SOURCE = 'export of ';

/** Secrets of the service are of no company: a new store may have some. */
const tablesOfCompanies = copiedTables.filter(({ name }) => name !== 'secrets');

const storeInUseError = (location: string) =>
  copyError(
    say`${verbatim(location)} already holds a farm.`,
    say`Name a store without one with --db: a file that does not exist, or an empty database. Nothing was written.`,
  );

/** Throws if rows cannot be imported into it. Creates and changes nothing. */
export async function assertImportTarget(location: string): Promise<void> {
  if (isMissingFile(location)) return;

  const view = await viewStore(location);
  try {
    const isInUse =
      view.state === 'needsMigration' ||
      (view.state === 'current' && (await view.read((db) => hasRows(db, tablesOfCompanies))));
    if (isInUse) throw storeInUseError(redactedLocation(location));
  } finally {
    await view.close();
  }
}

/** No alert is evaluated again: the states of alerts are imported. */
const withZone = (zone: string): ReadingContext => ({
  zone,
  keptFrom: null,
  watchers: [],
  periods: new Map(),
});

/**
 * Writes the rows of one company into an empty store, from which nothing is served until all are
 * written.
 */
export class CompanyImport {
  readonly #store: Store;
  readonly #run: CopyRun;
  readonly #companyId: number;
  #zone = DEFAULT_TIME_ZONE;

  private constructor(store: Store, run: CopyRun, companyId: number) {
    this.#store = store;
    this.#run = run;
    this.#companyId = companyId;
  }

  /** Also takes over an import that did not end, and deletes its rows. */
  static async open(
    location: string,
    { companyId, name }: { readonly companyId: number; readonly name: string },
  ): Promise<CompanyImport> {
    await assertImportTarget(location);
    const store = await openStore({ db: location, isCopyTarget: true });
    try {
      const target = redactedLocation(location);
      const run = { source: `${IMPORT_SOURCE}${name}`, target, id: randomUUID() };
      const started = new CompanyImport(store, run, companyId);
      if ((await store.writeAll((db) => claimForImport(db, run))) === 'started')
        await started.#clear();
      return started;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Tables come in the order of `copiedTables`. */
  async insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#write(async (db) => {
      if (table.name === 'readings') await this.#insertReadings(db, rows);
      else if (table.name === 'reading_hours') await this.#insertHours(db, table, rows);
      else if (table.name === 'reading_local_days') await this.#replaceSums(db, table, rows);
      else if (companyTables.has(table.name)) await this.#insertOfCompany(db, table, rows);
      else await this.#insertCompany(db, table, rows);
    });
  }

  async finish(sequences: SequenceValues): Promise<void> {
    await this.#write(async (db) => {
      await restoreSequences(db, sequences);
      await releaseTarget(db);
    });
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #insertCompany(
    db: Kysely<Tables>,
    table: CopiedTable,
    rows: readonly CopiedRow[],
  ): Promise<void> {
    await insertRows(db, table, { companyId: null, rows });
    const company = await db
      .selectFrom('companies')
      .select('timezone')
      .where('id', '=', this.#companyId)
      .executeTakeFirstOrThrow();
    this.#zone = company.timezone ?? DEFAULT_TIME_ZONE;
    await changeLocalDayZone(db, this.#companyId, this.#zone);
  }

  #insertOfCompany(
    db: Kysely<Tables>,
    table: CopiedTable,
    rows: readonly CopiedRow[],
  ): Promise<void> {
    const companyId = this.#companyId;
    const rowsOfCompany = rows.map((row) => ({ ...row, company_id: companyId }));
    return insertRows(db, table, { companyId, rows: rowsOfCompany });
  }

  async #insertReadings(db: Kysely<Tables>, rows: readonly CopiedRow[]): Promise<void> {
    const column = (name: string): number[] => rows.map((row) => Number(row[name]));
    const batch = {
      sensorIds: column('sensor_id'),
      at: column('at'),
      values: column('value'),
      length: rows.length,
    };
    const ofCompany = this.#store.scopeToCompany(db, this.#companyId);
    await recordReadings(ofCompany, batch, withZone(this.#zone));
  }

  /** Hours in place of readings; their days follow from them. */
  async #insertHours(
    db: Kysely<Tables>,
    table: CopiedTable,
    rows: readonly CopiedRow[],
  ): Promise<void> {
    await this.#replaceSums(db, table, rows);
    const ofCompany = this.#store.scopeToCompany(db, this.#companyId);
    const keptFrom = (await readingRetention(ofCompany))?.keptFrom ?? null;
    const bySensor = groupBy(rows, ({ sensor_id }) => Number(sensor_id));
    const hours = [...bySensor].map(([sensorId, ofSensor]) => ({
      sensorId,
      from: Number(firstOf(ofSensor).bucket_at),
      to: Number(lastOf(ofSensor).bucket_at) + HOUR_MS,
    }));
    const sums = changedSums(hours, { zone: this.#zone, keptFrom });
    await refreshSums(
      ofCompany,
      sums.filter((changed) => changed.table !== 'reading_hours'),
    );
  }

  /**
   * In place of those that follow from readings or hours, which differ where a day begins within an
   * hour.
   */
  async #replaceSums(
    db: Kysely<Tables>,
    table: CopiedTable,
    rows: readonly CopiedRow[],
  ): Promise<void> {
    const companyId = this.#companyId;
    for (const [sensorId, ofSensor] of groupBy(rows, ({ sensor_id }) => Number(sensor_id)))
      await db
        // All tables of sums have these columns.
        .deleteFrom(table.name as 'reading_hours')
        .where('company_id', '=', companyId)
        .where('sensor_id', '=', sensorId)
        .where('bucket_at', '>=', Number(firstOf(ofSensor).bucket_at))
        .where('bucket_at', '<=', Number(lastOf(ofSensor).bucket_at))
        .execute();
    await this.#insertOfCompany(db, table, rows);
  }

  /** In steps, each of a batch. */
  async #clear(): Promise<void> {
    const companies = await this.#store.readAll(companyIds);
    // No copy has its rows, but they refer to the company.
    await this.#write(async (db) => void (await db.deleteFrom('change_counts').execute()));
    for (const table of tablesOfCompanies.toReversed()) {
      const isOfCompany = companyTables.has(table.name);
      for (const companyId of isOfCompany ? companies : [null])
        while (await this.#deleteBatch(table, companyId));
    }
  }

  /** False once there are no more rows. */
  async #deleteBatch(table: CopiedTable, companyId: number | null): Promise<boolean> {
    let isFull = false;
    await this.#write(async (db) => {
      const rows = await rowsInRange(db, table, { companyId, after: null, upTo: null });
      isFull = rows.length >= table.batchSize;
      const upTo = isFull ? lastOf(rows) : null;
      await deleteRange(db, table, { companyId, after: null, upTo });
    });
    return isFull;
  }

  #write(body: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
    return this.#store.writeAll(async (db) => {
      await assertClaim(db, this.#run);
      await body(db);
    });
  }
}

async function claimForImport(db: Kysely<Tables>, run: CopyRun): Promise<'empty' | 'started'> {
  const claim = await findClaim(db);
  if (claim === undefined) {
    if (await hasRows(db, tablesOfCompanies)) throw storeInUseError(run.target);
    await insertClaim(db, run);
    return 'empty';
  }

  if (!claim.source.startsWith(IMPORT_SOURCE))
    throw copyError(
      say`${verbatim(run.target)} is the unfinished copy of another store, ${verbatim(claim.source)}.`,
      say`Finish that copy with "acequia copy", or name another store with --db.`,
    );

  await takeOver(db, run.id);
  return 'started';
}
