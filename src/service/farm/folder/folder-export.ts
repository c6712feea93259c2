import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { hoursStandBefore } from '../../../domain/moisture/reading-retention.ts';
import { DEFAULT_TIME_ZONE } from '../../../schema/company/company.ts';
import { AcequiaError, plainError } from '../../../schema/error.ts';
import {
  FOLDER_FORMAT,
  FOLDER_VERSION,
  type FolderFile,
  type FolderManifest,
} from '../../../schema/farm/folder-manifest.ts';
import { FARM_FILE, MANIFEST_FILE, README_FILE } from '../../../schema/farm/folder-tables.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { type CompanyRow, companyById } from '../../../store/company/companies.ts';
import { hasLocalDays } from '../../../store/company/local-day-zone.ts';
import { decompressText } from '../../../store/compressed-text.ts';
import { rowBatchesOf, sequenceValues } from '../../../store/copy/copied-tables.ts';
import type { RowMonitor } from '../../../store/copy/table-checksums.ts';
import { readingRetention } from '../../../store/moisture/reading-retention.ts';
import { migrations } from '../../../store/schema/migrations.ts';
import { companyTables } from '../../../store/scope/company-scope-rules.ts';
import type { Store } from '../../../store/store.ts';
import type { CopiedRow } from '../../../store/store-adapter.ts';
import type { CompanyDb, Tables } from '../../../store/tables.ts';
import { airSensorIds } from '../../../store/weather/station-readings.ts';
import { exportFarm } from '../farm-export.ts';
import { formatCell } from './folder-cells.ts';
import { TABLE_FILES, type TableFile } from './folder-columns.ts';
import { FolderPlace } from './folder-place.ts';
import { formatReadme } from './folder-readme.ts';
import { writeHashedFile } from './hashed-file.ts';

interface FolderExport {
  readonly folder: string;
  readonly now: number;
  /** The version of Acequia. */
  readonly program: string;
  readonly monitor: RowMonitor;
}

/** Everything of the company, from one snapshot of the store. The folder is complete, or missing. */
export async function exportFolder(
  store: Store,
  company: Pick<CompanyRow, 'id'>,
  { folder, monitor, ...facts }: FolderExport,
): Promise<FolderManifest> {
  try {
    const place = await FolderPlace.create(folder);
    try {
      const manifest = await store.readAll((db) =>
        writeFiles(place.temporary, { store, db, companyId: company.id, monitor, ...facts }),
      );
      await place.publish();
      return manifest;
    } catch (error) {
      await place.discard();
      throw error;
    }
  } catch (error) {
    throw monitor.signal.aborted ? error : unwrittenFolder(folder, error);
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

const unwrittenFolder = (folder: string, error: unknown): unknown =>
  isSystemError(error) && !(error instanceof AcequiaError)
    ? plainError({
        code: 'not_written',
        status: 500,
        message: `${folder} cannot be written: ${error.message}.`,
        hint: 'Name a folder where you may write and that has enough space. Nothing was left behind.',
      })
    : error;

interface SnapshotOfStore extends Omit<FolderExport, 'folder'> {
  readonly store: Store;
  readonly db: Kysely<Tables>;
  readonly companyId: number;
}

interface Snapshot extends SnapshotOfStore {
  readonly retained: RetainedRows;
}

/** The manifest comes last. */
async function writeFiles(folder: string, ofStore: SnapshotOfStore): Promise<FolderManifest> {
  const { store, db, companyId, now, program } = ofStore;
  const company = await companyById(db, companyId);
  if (company === undefined) throw new RangeError('The company was deleted meanwhile');

  const context = { db: store.scopeToCompany(db, companyId), now };
  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const snapshot = { ...ofStore, retained: await retainedRows(context.db, zone) };
  const farm = `${JSON.stringify(await exportFarm(context, company), null, 2)}\n`;
  const files: FolderFile[] = [await writeText(folder, FARM_FILE, farm)];
  for (const tableFile of TABLE_FILES) files.push(await writeTable(folder, tableFile, snapshot));

  const exportedAt = toIso(now);
  await writeText(
    folder,
    README_FILE,
    formatReadme({ companyName: company.name, exportedAt, program, files }),
  );
  const manifest: FolderManifest = {
    format: FOLDER_FORMAT,
    version: FOLDER_VERSION,
    program,
    exportedAt,
    company: { id: company.id, name: company.name },
    migrations: Object.keys(migrations),
    lastIds: Object.fromEntries(await sequenceValues(db)),
    files,
  };
  await writeText(folder, MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function writeText(folder: string, name: string, text: string): Promise<FolderFile> {
  const digest = await writeHashedFile(join(folder, name), (write) => write(text));
  return { name, rows: null, ...digest };
}

async function writeTable(
  folder: string,
  tableFile: TableFile,
  snapshot: Snapshot,
): Promise<FolderFile> {
  const { file: name, columns } = tableFile;
  const { onRows, signal } = snapshot.monitor;
  let rowCount = 0;
  const digest = await writeHashedFile(join(folder, name), async (write) => {
    await write(`${columns.map(({ header }) => header).join(',')}\n`);
    for await (const rows of rowsOfTable(tableFile, snapshot)) {
      // SQLite reads block the event loop, so a signal arrives only in between.
      await nextTurn();
      signal.throwIfAborted();
      await write(await formatRows(rows, tableFile));
      rowCount += rows.length;
      onRows(rows.length);
    }
  });
  return { name, rows: rowCount, ...digest };
}

async function* rowsOfTable(
  { table }: TableFile,
  { db, companyId, retained }: Snapshot,
): AsyncGenerator<readonly CopiedRow[]> {
  const isOfCompany = companyTables.has(table.name);
  if (!isOfCompany) {
    for await (const { rows } of rowBatchesOf(db, table, null))
      yield rows.filter(({ id }) => id === companyId);
    return;
  }

  const isExported = retained.get(table.name);
  if (isExported === null) return;
  for await (const { rows } of rowBatchesOf(db, table, companyId))
    yield isExported === undefined ? rows : rows.filter(isExported);
}

/** Null for a table of which no row is exported; tables that are not in it are exported whole. */
type RetainedRows = ReadonlyMap<string, ((row: CopiedRow) => boolean) | null>;

/** Sums follow from readings, unless they stand in place of them. */
async function retainedRows(db: CompanyDb, zone: string): Promise<RetainedRows> {
  const retention = await readingRetention(db);
  if (retention === null)
    return new Map([
      ['reading_hours', null],
      ['reading_local_days', null],
    ]);

  const before = hoursStandBefore(retention);
  const hasDays = await hasLocalDays(db, zone);
  const ofAir = await airSensorIds(db);
  return new Map([
    // Those of stations in the air are kept as well.
    ['readings', ({ sensor_id, at }) => Number(at) >= before || ofAir.has(Number(sensor_id))],
    ['reading_hours', ({ bucket_at }) => Number(bucket_at) < before],
    [
      'reading_local_days',
      hasDays ? ({ bucket_at }) => Number(bucket_at) < retention.keptFrom : null,
    ],
  ]);
}

async function formatRows(rows: readonly CopiedRow[], { columns }: TableFile): Promise<string> {
  const lines: string[] = [];
  for (const row of rows) {
    const cells: string[] = [];
    for (const { column, properties, isCompressed } of columns) {
      const value = row[column] ?? null;
      const isText = isCompressed && typeof value === 'string';
      cells.push(formatCell(isText ? await decompressText(value) : value, properties.kind));
    }
    lines.push(`${cells.join(',')}\n`);
  }
  return lines.join('');
}
