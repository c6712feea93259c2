import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import type { CallTool } from '../../mcp/local-tools.ts';
import { rowsOf } from '../../stores/stores.ts';
import { iso, MINUTE } from '../../time.ts';
import { outboxRows } from '../mail/outbox-store.ts';
import { bodyOf, connectStdio, firstText, refusalOf, toolsForFile } from '../mcp-session.ts';
import { CLOCK, REPOSITORY } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';
import { withIngestKey } from './ingest-service.ts';

const NORTH = { module: 'North 1' };

const JSON_BODY = { 'content-type': 'application/json' };

/** The file that a spreadsheet in France exports. */
const SPREADSHEET =
  '\uFEFFDate;Heure;Humidité sol 10 cm (%);VWC 20cm (m³/m³);Temp sol 10 cm (°C);Pluie\r\n' +
  '29/06/2026;06:00;21,5;0,234;18,2;0\r\n' +
  '29/06/2026;6:15;21,4;0,235;18,4;0\r\n' +
  '29/06/2026;06:30;mouillé;0,236;18,6;0\r\n';

const exportOf = (provider: string): string =>
  join(REPOSITORY, 'test/cli/store-commands/exports', `${provider}.csv`);

let sharedStore: Promise<string> | undefined;
const store = (): Promise<string> => {
  sharedStore ??= baseFarmForFile();
  return sharedStore;
};

const storedReadings = async (db: string): Promise<number> =>
  (await rowsOf<{ count: number }>(db, 'select count(*) as count from readings'))[0]!.count;

describe('import_readings', () => {
  let call: CallTool;
  beforeAll(async () => {
    call = await toolsForFile(await store());
  });

  it('takes readings that a person says, as those of now', async () => {
    const said = await call('import_readings', { ...NORTH, csv: 'humidity_10,humidity_20\n23,27' });
    expect(bodyOf(said)).toMatchObject({ rows: 1, readings: { written: 2, refused: 0 } });
    expect(firstText(said)).toMatch(
      /North 1 \(humidity_10 and humidity_20\), (?:today|1 Jul) 12:\d\d/,
    );
    expect(bodyOf(said).first.map(({ value }: { value: number }) => value)).toEqual([23, 27]);

    const ofTwo = await call('import_readings', { ...NORTH, csv: 'humidity_10\n23\n24' });
    expect(refusalOf(ofTwo).message).toContain('no column "time"');
  });

  it('shows what it understood, stores it on the word of the person, and the same again changes nothing', async () => {
    const db = await store();
    const before = await storedReadings(db);
    const tried = await call('import_readings', { ...NORTH, csv: SPREADSHEET, dryRun: true });
    expect(firstText(tried)).toContain(
      'Nothing is stored yet; this is how the file was understood. To store: 8 new readings, 0 changed, 0 already there. ' +
        'North 1 (humidity_10, temperature_10 and humidity_20), 29 Jun 06:00 to 06:30 (Europe/Paris). ' +
        '1 row was rejected, at least in part: value is not a number. Columns not read: Pluie (names no sensor).',
    );
    expect(bodyOf(tried)).toMatchObject({
      dryRun: true,
      timezone: 'Europe/Paris',
      dates: 'dmy',
      rows: 3,
      columns: [
        { name: 'Date', meaning: 'date' },
        { name: 'Heure', meaning: 'time of day' },
        { name: 'Humidité sol 10 cm (%)', meaning: 'humidity_10', unit: '%' },
        { name: 'VWC 20cm (m³/m³)', meaning: 'humidity_20', unit: 'm3/m3' },
        { name: 'Temp sol 10 cm (°C)', meaning: 'temperature_10', unit: 'deg C' },
        { name: 'Pluie', meaning: null, why: 'names no sensor', nearest: expect.any(String) },
      ],
      modules: [{ id: 1, name: 'North 1', readings: 8 }],
      reasons: [{ code: 'not_a_number', reason: 'value is not a number', count: 1 }],
      refused: [{ location: 'line 4', reason: 'Humidité sol 10 cm (%): value is not a number' }],
    });
    expect(bodyOf(tried).first.slice(0, 2)).toEqual([
      {
        line: 2,
        module: 'North 1',
        sensor: 'humidity_10',
        time: '2026-06-29T04:00:00.000Z',
        value: 21.5,
      },
      {
        line: 2,
        module: 'North 1',
        sensor: 'humidity_20',
        time: '2026-06-29T04:00:00.000Z',
        value: 23.4,
      },
    ]);
    expect(await storedReadings(db)).toBe(before);

    const counts = async (args: object = {}) =>
      bodyOf(await call('import_readings', { ...NORTH, csv: SPREADSHEET, ...args })).readings;
    expect(await counts()).toEqual({
      written: 8,
      changed: 0,
      unchanged: 0,
      repeated: 0,
      refused: 1,
    });
    expect(await counts({ dryRun: true })).toMatchObject({ written: 0, unchanged: 8 });
    expect(await counts({ idempotencyKey: 'once' })).toMatchObject({ written: 0, unchanged: 8 });
    expect(await counts({ csv: SPREADSHEET.replace('21,5', '20,5') })).toMatchObject({
      changed: 1,
      unchanged: 7,
    });
    expect(await storedReadings(db)).toBe(before + 8);
  });

  it('stops where the clock of the file does not follow the zone, and says how to go on', async () => {
    const csv = 'time,humidity_10\n2026-03-29 01:00,21\n2026-03-29 02:00,22\n2026-03-29 03:00,23\n';
    const stopped = await call('import_readings', { ...NORTH, csv, dryRun: true });
    expect(bodyOf(stopped)).toMatchObject({ rows: 3, readings: { written: 1, refused: 2 } });
    expect(firstText(stopped)).toContain(
      'Stopped at line 3: Europe/Paris has no 2026-03-29 02:00 (clocks go forward)',
    );
    expect(firstText(stopped)).toContain('the lines from 3 on with timezone "+01:00"');

    const swapped = 'time,humidity_10\n2026-05-01 06:00,21\n01/13/2026 6:00 AM,22\n';
    expect(refusalOf(await call('import_readings', { ...NORTH, csv: swapped })).message).toContain(
      'a spreadsheet may have swapped day and month where both are up to 12 (2026-05-01 / 2026-01-05)',
    );
  });

  it('has alerts evaluated at once, not with the next background jobs', async () => {
    const db = await newBaseFarm();
    const { call } = await connectStdio(db);
    await call('create_alert', { ...NORTH, threshold: 20 });
    const columns = [10, 20, 30].map((depth) => `humidity_${depth}`).join();
    for (const [mails, moisture] of [12, 35].entries()) {
      const time = `2026-07-01 11:${45 + mails}`;
      await call('import_readings', {
        ...NORTH,
        csv: `time,${columns}\n${time},${moisture},${moisture},${moisture}\n`,
      });
      // Background jobs run after two seconds, then each minute.
      await expect
        .poll(async () => (await outboxRows(db)).length, { timeout: 30_000 })
        .toBe(mails + 1);
    }
  });

  it('takes a megabyte in one call, and no more', async () => {
    const remark = 'x'.repeat(300);
    const rows = Array.from(
      { length: 2_700 },
      (_, row) => `${iso(Date.UTC(2025, 5, 1) + row * MINUTE)},21,${remark}\n`,
    );
    const csv = `time,humidity_10,remark\n${rows.join('')}`;
    expect(csv.length).toBeGreaterThan(800_000);
    expect(bodyOf(await call('import_readings', { ...NORTH, csv })).readings).toMatchObject({
      written: 2_700,
    });
    const refusal = refusalOf(await call('import_readings', { ...NORTH, csv: csv + csv }));
    expect(refusal).toMatchObject({
      code: 'invalid_body',
      field: 'csv',
      hint: expect.stringContaining('acequia import'),
    });
  });

  it('says that a file is the export of a provider', async () => {
    const args = {
      ...NORTH,
      map: 'CH1=10 cm; CH2=20 cm',
      csv: await readFile(exportOf('ecowitt'), 'utf8'),
      dryRun: true,
    };
    const tried = await call('import_readings', args);
    expect(firstText(tried)).toContain('The file is an export of Ecowitt.');
    expect(bodyOf(tried)).toMatchObject({
      columns: expect.arrayContaining([
        expect.objectContaining({ meaning: 'humidity_10', export: 'Ecowitt' }),
      ]),
      readings: { written: 4, refused: 0 },
    });
  });
});

it('acequia import reads the export of a provider, recognized or named', async () => {
  const args = [
    'import',
    '--db',
    await newBaseFarm(),
    '--lang',
    'en',
    '--module',
    'North 1',
    '--clock',
    CLOCK,
  ];
  const named = await runInProcess([
    ...args,
    '--profile',
    'davis',
    '--map',
    '1=10 cm',
    exportOf('davis'),
  ]);
  // North 1 measures no tension.
  expect(named).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('read as an export of Davis WeatherLink'),
  });
  const guessed = await runInProcess([...args, exportOf('davis')]);
  expect(guessed).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not state the depth of "1", "2".'),
  });
  expect(guessed.stderr).toContain('--map "1=30 cm"');
});

const service = sharedRestService();
let served: Awaited<ReturnType<typeof withIngestKey>>;
beforeAll(async () => {
  served = await withIngestKey(service());
});

describe('POST /v1/ingest/csv', () => {
  it('refuses a file without its module by the name of the field that takes it', async () => {
    const post = (fields: object) =>
      served.post(
        JSON.stringify({ csv: 'time,humidity_10\n2026-06-27 06:00,5\n', ...fields }),
        JSON_BODY,
        '/ingest/csv',
      );
    const { status, body } = await post({});
    expect({ status, hint: body.hint }).toEqual({
      status: 400,
      hint: expect.stringContaining(`Add ${body.field}:`),
    });
    expect(await post({ [body.field]: 1 })).toMatchObject({
      status: 200,
      body: { readings: { written: 1 } },
    });
  });
});

describe('POST /v1/ingest', () => {
  it('reads the CSV of a spreadsheet by the same rules', async () => {
    const path = '/ingest?module=North%201';
    const { status, body } = await served.post(SPREADSHEET, { 'content-type': 'text/csv' }, path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      readings: { written: 8, refused: 1 },
      skippedColumns: [{ name: 'Pluie' }],
    });
    const ambiguous = 'time,A\n03/04/2026 06:00,0.2\n';
    expect(
      await served.post(ambiguous, { 'content-type': 'text/csv' }, `${path}&map=A%3Dhumidity_10`),
    ).toMatchObject({
      status: 400,
      body: { field: 'dates' },
    });
    const query = `${path}&dates=dmy&map=${encodeURIComponent('A=humidity_10 (m3/m3)')}`;
    expect(await served.post(ambiguous, { 'content-type': 'text/csv' }, query)).toMatchObject({
      status: 200,
      body: { readings: { written: 1 } },
    });
  });
});
