import { finishInSlices } from '../../../../src/domain/event-loop.ts';
import { sliceOf } from '../../../../src/domain/shares/loop-turns.ts';
import { SERVICE_TAKER } from '../../../../src/domain/shares/takers.ts';
import { CsvReader } from '../../../../src/service/ingest/csv/csv-reader.ts';
import type { RowSink } from '../../../../src/service/ingest/csv/csv-rejects.ts';
import type { CsvOptions } from '../../../../src/service/ingest/csv/format-detection.ts';
import { csvLines } from '../../../../src/service/ingest/csv/text/csv-lines.ts';
import { buildSensorIndex } from '../../../../src/service/ingest/sensor-index.ts';
import { IMPORT_NOW } from '../import-farm.ts';
import { inChunks } from './written-csv.ts';

const SENSORS = [
  ['humidity', 10],
  ['humidity', 20],
  ['temperature', 10],
  ['tensio', 20],
] as const;

const INDEX = buildSensorIndex(
  [
    {
      id: 1,
      uid: 'A1B2C3',
      name: 'North 1',
      number: null,
      category: 'SOIL_PROBE',
      parcelId: null,
      movedAt: null,
    },
  ],
  SENSORS.map(([type, depth], index) => ({
    id: index + 1,
    moduleId: 1,
    type,
    depth,
    label: null,
    calibration: [],
  })),
);

export const newCsvReader = (sink: RowSink, options: CsvOptions = {}): CsvReader =>
  new CsvReader(
    options,
    { module: '--module', map: '--map', dates: '--dates', timezone: '--timezone' },
    { index: INDEX, zone: 'Etc/UTC', now: IMPORT_NOW },
    sink,
  );

/** Returns what a reader takes from the bytes of a file, in UTC, without a store. */
export async function readCsv(
  csv: string | Uint8Array,
  options: CsvOptions = { module: 'North 1' },
  chunkLength = 4096,
) {
  const readings: string[] = [];
  const rejections: string[] = [];
  const sink: RowSink = {
    add: ({ id }, at, value) =>
      readings.push(
        `${SENSORS[id - 1]!.join('_')} ${new Date(at).toISOString().slice(0, 16)} ${value}`,
      ),
    reject: (line, _, __, reasons) =>
      rejections.push(
        `${line} ${reasons.map(({ reason, either = [] }) => [reason, ...either].join(' ')).join(' ')}`,
      ),
  };
  const reader = newCsvReader(sink, options);
  const slice = sliceOf(SERVICE_TAKER);

  const bytes = typeof csv === 'string' ? Buffer.from(csv) : csv;
  for await (const lines of csvLines(inChunks(bytes, chunkLength)))
    await finishInSlices(reader.readLines(lines), slice);
  const understanding = await finishInSlices(reader.end(), slice);
  return { readings, rejections, rows: reader.rows, understanding };
}
