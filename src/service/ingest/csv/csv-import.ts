import { newTimeSlice } from '../../../domain/event-loop.ts';
import { CSV_PROFILES } from '../../../domain/ingest/import-options.ts';
import { moduleDisplayName } from '../../../language/default-names.ts';
import {
  describeColumnMeaning,
  describeReason,
  describeSkip,
} from '../../../language/ingest/import-report.ts';
import type { LastStage, StagedCall } from '../../../operation/call.ts';
import type { FieldsOf } from '../../../schema/field.ts';
import type { CsvImportResult, csvImportBody } from '../../../schema/ingest/csv-import.ts';
import { MAX_REPORTED_COLUMNS } from '../../../schema/ingest/ingest-batch.ts';
import { foreignModuleError } from '../../ownership.ts';
import { toIso } from '../../wire-format.ts';
import { batchZone, csvPlace, readCsv, rowSink } from '../batch-ingest.ts';
import {
  compareReadings,
  createReadingBuffer,
  READINGS_PER_STAGE,
  type ReadingBuffer,
  type ReadingCounts,
  writeInStages,
} from '../batch-writes.ts';
import { createBatchRejections, type RowSink } from '../rejected-rows.ts';
import { loadSensorIndex, type SensorIndex } from '../sensor-index.ts';
import { sensorColumnName } from './column-names.ts';
import type { CsvUnderstanding } from './csv-reader.ts';

const MAX_SHOWN_ROWS = 3;
const MAX_SHOWN_READINGS = 12;
const MAX_SHOWN_REFUSALS = 10;

/**
 * Like ingestBatch, stores the valid rows even if others are invalid; the same text again changes
 * nothing.
 */
export async function importCsv(
  call: StagedCall,
  { csv, module: moduleId, dryRun = false, ...options }: FieldsOf<typeof csvImportBody>,
): Promise<LastStage<CsvImportResult>> {
  const index = await call.read(loadSensorIndex);
  if (moduleId !== undefined && !index.byId.has(moduleId))
    throw await foreignModuleError(call, moduleId);

  const zone = batchZone(options.timezone, call.zone);
  const context = { index, zone, now: call.now, slice: newTimeSlice() };
  const buffer = createReadingBuffer();
  const rejections = createBatchRejections();
  const { sink, first } = recordFirstReadings(rowSink(buffer, rejections, csvPlace), index);
  const module = moduleId === undefined ? undefined : `#${moduleId}`;
  const { rows, understanding } = await readCsv(csv, { ...options, module }, context, sink, buffer);
  const countReadings = dryRun
    ? await compareInStages(call, buffer)
    : await writeInStages(
        call,
        { buffer, rain: [], weather: [], statuses: new Map() },
        context.slice,
      );

  return async (db) => {
    const { readings } = await countReadings(db);
    return {
      dryRun,
      timezone: understanding.zone,
      dates: understanding.dates ?? 'iso',
      columns: reportedColumns(understanding),
      rows,
      readings: { ...readings, repeated: buffer.repeatedCount, refused: rejections.count },
      modules: importedModules(index, buffer),
      first: [...first],
      reasons: rejections.reasons().map(({ reason, count }) => ({
        ...(typeof reason === 'string' && { code: reason }),
        reason: describeReason(reason, 'en'),
        count,
      })),
      refused: rejections.first.slice(0, MAX_SHOWN_REFUSALS),
    };
  };
}

function recordFirstReadings(sink: RowSink, { sensors, byId }: SensorIndex) {
  const bySensor = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  const lines = new Set<number>();
  const first: CsvImportResult['first'] = [];
  const recordingSink: RowSink = {
    add(sensor, at, value, line) {
      sink.add(sensor, at, value, line);
      if (first.length >= MAX_SHOWN_READINGS || (lines.size >= MAX_SHOWN_ROWS && !lines.has(line)))
        return;

      lines.add(line);
      const { moduleId, ...found } = bySensor.get(sensor.id)!;
      first.push({
        line,
        module: displayName(byId.get(moduleId)!),
        sensor: sensorColumnName(found),
        time: toIso(at),
        value,
      });
    },
    reject: sink.reject,
  };

  return { sink: recordingSink, first };
}

const displayName = (module: SensorIndex['modules'][number]): string =>
  moduleDisplayName(module, 'en') ?? module.uid;

async function compareInStages(
  { read }: StagedCall,
  buffer: ReadingBuffer,
): Promise<LastStage<{ readings: ReadingCounts }>> {
  const total = { written: 0, changed: 0, unchanged: 0 };
  for (const part of buffer.parts(READINGS_PER_STAGE)) {
    const { counts } = await read((db) => compareReadings(db, part));
    total.written += counts.written;
    total.changed += counts.changed;
    total.unchanged += counts.unchanged;
  }
  return async () => ({ readings: total });
}

const reportedColumns = ({
  profile,
  columns,
  skippedColumns,
}: CsvUnderstanding): CsvImportResult['columns'] =>
  [
    ...columns.map(({ name, meaning, unit }) => ({
      name,
      meaning: describeColumnMeaning(meaning, 'en'),
      ...(unit !== null && { unit, ...(profile !== null && { export: CSV_PROFILES[profile] }) }),
    })),
    ...skippedColumns.map(({ name, why, nearest }) => ({
      name: name.slice(0, 200),
      meaning: null,
      why: describeSkip(why, 'en'),
      ...(nearest !== null && { nearest }),
    })),
  ].slice(0, MAX_REPORTED_COLUMNS);

function importedModules(
  { modules, sensors }: SensorIndex,
  buffer: ReadingBuffer,
): CsvImportResult['modules'] {
  const periods = buffer.periods();
  return modules.flatMap((module) => {
    const imported = sensors.flatMap((sensor) => {
      const period = sensor.moduleId === module.id ? periods.get(sensor.id) : undefined;
      return period === undefined ? [] : [{ name: sensorColumnName(sensor), ...period }];
    });
    if (imported.length === 0) return [];

    return [
      {
        id: module.id,
        name: displayName(module),
        sensors: imported.map(({ name }) => name),
        readings: imported.reduce((total, { count }) => total + count, 0),
        from: toIso(Math.min(...imported.map(({ from }) => from))),
        to: toIso(Math.max(...imported.map(({ to }) => to))),
      },
    ];
  });
}
