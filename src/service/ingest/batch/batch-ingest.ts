import { entryOf } from '../../../domain/items.ts';
import { argument } from '../../../domain/text/program-names.ts';
import { say } from '../../../domain/text/say.ts';
import { describeSkip, reasonText } from '../../../language/ingest/import-report.ts';
import type { LastStage } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import {
  type IngestResult,
  MAX_REPORTED_COLUMNS,
  MAX_REPORTED_NAME_LENGTH,
} from '../../../schema/ingest/ingest-batch.ts';
import type { ClockStop } from '../../../schema/ingest/rejection.ts';
import { toIso } from '../../../schema/wire-format.ts';
import type { CsvOptions } from '../csv/format-detection.ts';
import type { SkippedColumn } from '../csv/sensor-rows.ts';
import { rejectedDevices, type UpdatedDevices, updateDevices } from '../devices/device-updates.ts';
import { parseDevices, sentByDevices } from '../devices/sent-by-devices.ts';
import {
  isOfKnownFields,
  parseUnread,
  rejectedAsUnread,
  updateUnread,
} from '../devices/unread-messages.ts';
import type { SensorIndex } from '../sensor-index.ts';
import { type BatchContext, type IngestCall, loadBatch } from './batch-context.ts';
import { type CsvText, parseCsv } from './batch-csv.ts';
import type { BatchItems, BatchNames } from './batch-names.ts';
import { writeInStages } from './batch-writes.ts';
import { type BatchCounts, parseItems } from './item-kind.ts';
import { ItemRejections } from './item-rejections.ts';
import { ITEM_TABLE } from './item-table.ts';
import type { ParsedItems } from './parsed-items.ts';
import type { ReadingBuffer } from './reading-buffer.ts';
import type { ReadingRows } from './reading-items.ts';
import { storeUnassignedInStages } from './unassigned-stages.ts';

export interface IngestBatch extends BatchItems, CsvOptions {
  readonly csv?: CsvText | undefined;
  /** The preset or network that sent it; undefined if it is not known. */
  readonly source?: string | undefined;
  /** True if a change records the waiting readings of devices that the batch writes. */
  readonly isRecorded?: boolean | undefined;
}

/**
 * Validates all items, then writes the valid ones in stages: commits all but the last, which it
 * returns. Never creates modules, sensors or gateways. Sending the same batch again changes
 * nothing, so that is how a client completes an interrupted one. `knownNames` as in loadBatch.
 */
export async function ingestBatch(
  call: IngestCall,
  sentBatch: IngestBatch,
  knownNames?: BatchNames | null,
): Promise<LastStage<IngestResult>> {
  assertBatchComplete(sentBatch);
  const { batch, context } = await loadBatch(call, sentBatch, knownNames);
  const { source } = batch;

  const parsed = await parseBatch(context, batch);
  const { readings, rain, weather, gateways } = parsed;
  const ofDevices = [readings, rain, weather];
  const sent = sentByDevices(ofDevices, parsed.devices, rain.rows.counters);

  const unread = [
    ...parseUnread(batch.unread).filter(
      (item) =>
        !context.sources.readByOthers.has(item.sender) &&
        !isOfKnownFields(item, readings.rows.sendersOfFields),
    ),
    ...rejectedAsUnread(ofDevices),
    ...context.clocks.asUnread(context.index),
  ];

  const parts = [
    ITEM_TABLE.readings.insert(readings.rows, context),
    ITEM_TABLE.rain.insert(rain.rows, context),
    ITEM_TABLE.weather.insert(weather.rows, context),
    ITEM_TABLE.gateways.insert(gateways.rows, context),
  ];
  const writeLastStage = await writeInStages(call, parts, context);
  const deviceContext = { ...context, sender: call.sender, source };
  const unassigned = await storeUnassignedInStages(call, deviceContext, sent);

  return async (db) => {
    const counts = await writeLastStage(db);
    const devices = await updateDevices(db, deviceContext, sent, unassigned);
    await updateUnread(db, context.now, sent, unread);
    return toIngestResult(context.index, parsed, counts, devices);
  };
}

function assertBatchComplete({
  readings,
  rain,
  weather,
  gateways,
  unread,
  csv,
  module,
}: IngestBatch): void {
  if ([readings, rain, weather, gateways, unread, csv].every((part) => part === undefined))
    throw invalidInputError(
      'invalid_body',
      say`The batch has no readings, rain, weather or gateways.`,
      {
        hint: say`Send readings, rain, weather or gateways as JSON, or readings as CSV.`,
        field: 'readings',
      },
    );

  if (module !== undefined && csv === undefined)
    throw invalidInputError(
      'invalid_body',
      say`${argument('module')} names the module of a CSV, and the batch has no CSV.`,
      { hint: say`Name the module of each reading in the reading.`, field: 'module' },
    );
}

type ParsedBatch = Awaited<ReturnType<typeof parseBatch>>;

async function parseBatch(context: BatchContext, batch: IngestBatch) {
  // The first pass finds senders whose local times contradict the zone. If there are any, the second
  // rejects those of their times that may be an hour off.
  const first = await parseMeasured(context, batch);
  const measured = context.clocks.startSecondPass() ? await parseMeasured(context, batch) : first;
  const gateways = await parseItems('gateways', ITEM_TABLE.gateways, batch.gateways, context);
  const csv = await parseBatchCsv(context, batch, measured.readings);
  return { ...measured, gateways, ...csv, devices: parseDevices(batch.devices) };
}

async function parseMeasured(context: BatchContext, batch: IngestBatch) {
  return {
    readings: await parseItems('readings', ITEM_TABLE.readings, batch.readings, context),
    rain: await parseItems('rain', ITEM_TABLE.rain, batch.rain, context),
    weather: await parseItems('weather', ITEM_TABLE.weather, batch.weather, context),
  };
}

interface CsvFindings {
  readonly skippedColumns: readonly SkippedColumn[];
  readonly clockStop: ClockStop | null;
}

async function parseBatchCsv(
  context: BatchContext,
  { csv, ...options }: IngestBatch,
  { rows, rejections }: ParsedItems<ReadingRows>,
): Promise<CsvFindings> {
  if (csv === undefined) return { skippedColumns: [], clockStop: null };
  const { understanding, clockStop } = await parseCsv(
    csv,
    { ...options, isSentByProbes: true },
    context,
    { rows: rows.readings, rejections },
  );
  return { skippedColumns: understanding.skippedColumns, clockStop };
}

function toIngestResult(
  index: SensorIndex,
  parsed: ParsedBatch,
  counts: BatchCounts,
  devices: UpdatedDevices,
): IngestResult {
  const rejections = {
    readings: allRejections(parsed.readings, devices),
    rain: allRejections(parsed.rain, devices),
    weather: allRejections(parsed.weather, devices),
    gateways: parsed.gateways.rejections,
  };
  const allLists = ItemRejections.of(Object.values(rejections));

  const readings: IngestResult['readings'] = {
    ...counts.readings,
    unchanged: counts.readings.unchanged + devices.unchanged,
    repeated: parsed.readings.rows.readings.repeatedCount,
    refused: rejections.readings.count,
    storedUnassigned: devices.stored,
  };
  if (parsed.clockStop !== null) readings.stopped = parsed.clockStop;

  return {
    readings,
    rain: {
      ...counts.rain,
      staleTotals: counts.rain.staleTotals + parsed.rain.rows.lateTotals,
      refused: rejections.rain.count,
    },
    weather: { ...counts.weather, refused: rejections.weather.count },
    gateways: { ...counts.gateways, refused: rejections.gateways.count },
    modules: newestReadings(index, parsed.readings.rows.readings),
    reasons: allLists
      .reasons()
      .map(({ reason, count }) => ({ reason: reasonText(reason, 'en'), count })),
    refused: [...allLists.first],
    skippedColumns: parsed.skippedColumns
      .slice(0, MAX_REPORTED_COLUMNS)
      .map(({ name, why, nearest }) => ({
        name: name.slice(0, MAX_REPORTED_NAME_LENGTH),
        why: describeSkip(why, 'en'),
        nearest,
      })),
  };
}

/** Includes the items of devices that could not be added. */
const allRejections = (
  { rejections, unassigned }: ParsedItems<unknown>,
  devices: UpdatedDevices,
): ItemRejections => ItemRejections.of([rejections, rejectedDevices(unassigned, devices)]);

/** The instant of the newest reading of each module in the batch, ordered by its id. */
function newestReadings(
  { byId, sensorById }: SensorIndex,
  readings: ReadingBuffer,
): IngestResult['modules'] {
  const newest = new Map<number, number>();
  for (const [sensorId, { to }] of readings.periods()) {
    const { moduleId } = entryOf(sensorById, sensorId);
    newest.set(moduleId, Math.max(newest.get(moduleId) ?? to, to));
  }

  return [...newest]
    .sort(([one], [other]) => one - other)
    .map(([id, at]) => ({ id, uid: entryOf(byId, id).uid, newest: toIso(at) }));
}
