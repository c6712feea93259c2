import { CSV_PROFILES } from '../../../domain/ingest/import-options.ts';
import { entryOf } from '../../../domain/items.ts';
import { moduleDisplayName } from '../../../language/default-names.ts';
import {
  describeColumnMeaning,
  describeSkip,
  reasonText,
} from '../../../language/ingest/import-report.ts';
import type { LastStage, StagedCall } from '../../../operation/call.ts';
import type { FieldsOf } from '../../../schema/field.ts';
import type { CsvImportResult, csvImportBody } from '../../../schema/ingest/csv-import.ts';
import {
  MAX_REPORTED_COLUMNS,
  MAX_REPORTED_NAME_LENGTH,
} from '../../../schema/ingest/ingest-batch.ts';
import { toIso } from '../../../schema/wire-format.ts';
import type { BatchSteps } from '../../../store/store-adapter.ts';
import { foreignModuleError } from '../../ownership.ts';
import { sensorColumnName } from '../csv/column-names.ts';
import type { CsvUnderstanding } from '../csv/csv-understanding.ts';
import { FirstReadings } from '../first-readings.ts';
import type { ReasonCount } from '../reason-counter.ts';
import { type SensorIndex, sensorsOfModule } from '../sensor-index.ts';
import { loadSensorIndex } from '../sensor-index-cache.ts';
import { batchPace, batchZone } from './batch-context.ts';
import { parseCsv } from './batch-csv.ts';
import { writeInStages } from './batch-writes.ts';
import { addCounts, type BatchCounts } from './item-kind.ts';
import { ItemRejections } from './item-rejections.ts';
import { compareReadings, ReadingBuffer } from './reading-buffer.ts';
import { insertReadings } from './reading-items.ts';
import { withTimeOfSpokenReadings } from './spoken-readings.ts';

const MAX_SHOWN_REJECTIONS = 10;

/**
 * Like ingestBatch, stores the valid rows even if others are invalid. Importing the same text again
 * changes nothing.
 */
export async function importCsv(
  call: StagedCall,
  { csv, module: moduleId, dryRun = false, ...options }: FieldsOf<typeof csvImportBody>,
): Promise<LastStage<CsvImportResult>> {
  const module = moduleId === undefined ? undefined : `#${moduleId}`;
  const { index, pace } = await call.read(async (db) => ({
    index: await loadSensorIndex(db),
    pace: batchPace(db),
  }));
  if (moduleId !== undefined && !index.byId.has(moduleId))
    throw await foreignModuleError(call, moduleId);

  const zone = batchZone(options.timezone, call.zone);
  const context = { index, zone, now: call.now, ...pace };
  const readings = new ReadingBuffer();
  const rejections = new ItemRejections();
  const firstReadings = new FirstReadings(index);

  const { rowCount, understanding, clockStop } = await parseCsv(
    module === undefined ? csv : withTimeOfSpokenReadings(csv, call.now),
    { ...options, module },
    context,
    { rows: readings, rejections },
    (sensor, at, value, line) => firstReadings.add(sensor.id, at, value, line),
  );

  const countReadings = dryRun
    ? await compareInStages(call, readings, pace.steps)
    : await writeInStages(call, [insertReadings(readings, { ...pace, now: call.now })], pace);

  return async (db) => {
    const counts = await countReadings(db);
    const readingCounts: CsvImportResult['readings'] = {
      ...counts.readings,
      repeated: readings.repeatedCount,
      refused: rejections.count,
    };
    if (clockStop !== null) readingCounts.stopped = clockStop;

    return {
      dryRun,
      timezone: understanding.zone,
      dates: understanding.dates ?? 'iso',
      columns: reportedColumns(understanding),
      rows: rowCount,
      readings: readingCounts,
      modules: importedModules(index, readings),
      first: firstReadings.readings.map(({ line, module, sensor, at, value }) => ({
        line,
        module,
        sensor,
        time: toIso(at),
        value,
      })),
      reasons: rejections.reasons().map(reportedReason),
      refused: rejections.first.slice(0, MAX_SHOWN_REJECTIONS),
    };
  };
}

function reportedReason({ reason, count }: ReasonCount): CsvImportResult['reasons'][number] {
  const text = reasonText(reason, 'en');
  return typeof reason === 'string'
    ? { code: reason, reason: text, count }
    : { reason: text, count };
}

const displayName = (module: SensorIndex['modules'][number]): string =>
  moduleDisplayName(module, 'en') ?? module.uid;

async function compareInStages(
  { read }: StagedCall,
  readings: ReadingBuffer,
  steps: BatchSteps,
): Promise<LastStage<Pick<BatchCounts, 'readings'>>> {
  const total = { written: 0, changed: 0, unchanged: 0 };
  for (const part of readings.parts(steps.readings)) {
    const { counts } = await read((db) => compareReadings(db, part));
    addCounts(total, counts);
  }
  return async () => ({ readings: total });
}

type ReportedColumn = CsvImportResult['columns'][number];

function reportedColumns({ profile, columns, skippedColumns }: CsvUnderstanding): ReportedColumn[] {
  const read = columns.map(({ name, meaning, unit }) => {
    const column: ReportedColumn = { name, meaning: describeColumnMeaning(meaning, 'en') };
    if (unit !== null) column.unit = unit;
    if (unit !== null && profile !== null) column.export = CSV_PROFILES[profile];
    return column;
  });

  const skipped = skippedColumns.map(({ name, why, nearest }) => {
    const column: ReportedColumn = {
      name: name.slice(0, MAX_REPORTED_NAME_LENGTH),
      meaning: null,
      why: describeSkip(why, 'en'),
      code: why,
    };
    if (nearest !== null) column.nearest = nearest;
    return column;
  });

  return [...read, ...skipped].slice(0, MAX_REPORTED_COLUMNS);
}

/** The modules that have readings in the CSV, ordered by their ids. */
function importedModules(index: SensorIndex, readings: ReadingBuffer): CsvImportResult['modules'] {
  const periods = readings.periods();
  const moduleIds = new Set(
    [...periods.keys()].map((sensorId) => entryOf(index.sensorById, sensorId).moduleId),
  );

  return [...moduleIds]
    .sort((one, other) => one - other)
    .map((id) => {
      const imported = sensorsOfModule(index, id).flatMap((sensor) => {
        const period = periods.get(sensor.id);
        return period === undefined ? [] : [{ name: sensorColumnName(sensor), ...period }];
      });

      return {
        id,
        name: displayName(entryOf(index.byId, id)),
        sensors: imported.map(({ name }) => name),
        readings: imported.reduce((total, { count }) => total + count, 0),
        from: toIso(Math.min(...imported.map(({ from }) => from))),
        to: toIso(Math.max(...imported.map(({ to }) => to))),
      };
    });
}
