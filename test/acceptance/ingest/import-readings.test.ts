import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { rowsOf } from '../../stores/stores.ts';
import { outboxRows } from '../mail/outbox-store.ts';
import { bodyOf, connectStdio, firstText, refusalOf } from '../mcp-session.ts';
import { startServing } from '../rest-service.ts';
import { withIngestKey } from './ingest-service.ts';

const NORTH = { module: 'North 1' };

const JSON_BODY = { 'content-type': 'application/json' };

/** As a spreadsheet in France exports it. */
const SPREADSHEET =
  '\uFEFFDate;Heure;Humidité sol 10 cm (%);VWC 20cm (m³/m³);Temp sol 10 cm (°C);Pluie\r\n' +
  '29/06/2026;06:00;21,5;0,234;18,2;0\r\n' +
  '29/06/2026;6:15;21,4;0,235;18,4;0\r\n' +
  '29/06/2026;06:30;mouillé;0,236;18,6;0\r\n';

const storedReadings = async (db: string): Promise<number> =>
  (await rowsOf<{ count: number }>(db, 'select count(*) as count from readings'))[0]!.count;

describe('import_readings', () => {
  it('shows what it understood, stores it on the word of the person, and the same again changes nothing', async () => {
    const db = await newBaseFarm();
    const { call } = await connectStdio(db);
    const before = await storedReadings(db);
    const tried = await call('import_readings', { ...NORTH, csv: SPREADSHEET, dryRun: true });
    expect(firstText(tried)).toContain(
      'Nothing is stored yet; this is how the file was understood. To store: 8 new readings, 0 changed, 0 already there. ' +
        'North 1 (humidity_10, temperature_10 and humidity_20), 29 Jun 06:00 to 06:30 (Europe/Paris). ' +
        '1 row was rejected, at least in part: value is not a number. Columns not read: Pluie.',
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
      refused: [{ place: 'line 4', reason: 'Humidité sol 10 cm (%): value is not a number' }],
    });
    expect(bodyOf(tried).first.slice(0, 2)).toEqual([
      { line: 2, module: 'North 1', sensor: 'humidity_10', time: '2026-06-29T04:00:00.000Z', value: 21.5 },
      { line: 2, module: 'North 1', sensor: 'humidity_20', time: '2026-06-29T04:00:00.000Z', value: 23.4 },
    ]);
    expect(await storedReadings(db)).toBe(before);

    const counts = async (args: object = {}) =>
      bodyOf(await call('import_readings', { ...NORTH, csv: SPREADSHEET, ...args })).readings;
    expect(await counts()).toEqual({ written: 8, changed: 0, unchanged: 0, repeated: 0, refused: 1 });
    expect(await counts({ dryRun: true })).toMatchObject({ written: 0, unchanged: 8 });
    expect(await counts({ idempotencyKey: 'once' })).toMatchObject({ written: 0, unchanged: 8 });
    expect(await counts({ csv: SPREADSHEET.replace('21,5', '20,5') })).toMatchObject({ changed: 1, unchanged: 7 });
    expect(await storedReadings(db)).toBe(before + 8);
  });

  it.each([
    ['fr', '2 lignes ont été refusées, au moins en partie : module inconnu ; la valeur n’est pas un nombre.'],
    ['es', '2 filas se han rechazado, al menos en parte: módulo desconocido; el valor no es un número.'],
  ] as const)('says in %s why rows were rejected', async (lang, rejected) => {
    const { call } = await connectStdio(await newBaseFarm(), { lang });
    const csv =
      'module,type,depth,time,value\nNowhere,humidity,10,2026-06-29 06:00,5\nNorth 1,humidity,10,2026-06-29 07:00,wet\n';
    expect(firstText(await call('import_readings', { csv, dryRun: true }))).toContain(rejected);
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
      await expect.poll(async () => (await outboxRows(db)).length, { timeout: 30_000 }).toBe(mails + 1);
    }
  });

  it('takes a megabyte in one call, and no more', async () => {
    const db = await newBaseFarm();
    const { call } = await connectStdio(db);
    const rows = Array.from(
      { length: 40_000 },
      (_, row) => `${new Date(Date.UTC(2025, 5, 1) + row * 60_000).toISOString().slice(0, 16)}Z,21\n`,
    );
    const csv = `time,humidity_10\n${rows.join('')}`;
    expect(csv.length).toBeGreaterThan(800_000);
    expect(bodyOf(await call('import_readings', { ...NORTH, csv })).readings).toMatchObject({ written: 40_000 });
    const refusal = refusalOf(await call('import_readings', { ...NORTH, csv: csv + csv }));
    expect(refusal).toMatchObject({
      code: 'invalid_body',
      field: 'csv',
      hint: expect.stringContaining('acequia import'),
    });
  });

  it.each([
    ['without the module', { csv: 'time,humidity_10\n2026-06-29 06:00,5\n' }, 'module'],
    ['with dates that can be read in two ways', { ...NORTH, csv: 'time,humidity_10\n03/04/2026 06:00,5\n' }, 'dates'],
    ['with a map of a column that is not there', { ...NORTH, csv: 'time,humidity_10\n', map: 'A=humidity_20' }, 'map'],
    ['with moisture that may be m3/m3', { ...NORTH, csv: 'time,VWC 10\n2026-06-29 06:00,0.2\n', dryRun: true }, 'map'],
    ['with a zone that is none', { ...NORTH, csv: 'time,humidity_10\n', timezone: 'Europe/Pari' }, 'timezone'],
  ])('is refused %s, naming the argument', async (_, args, field) => {
    const db = await newBaseFarm();
    const { call } = await connectStdio(db);
    expect(refusalOf(await call('import_readings', args))).toMatchObject({ field, hint: expect.any(String) });
    expect(await storedReadings(db)).toBe(await storedReadings(await newBaseFarm()));
  });
});

describe('POST /v1/ingest/csv', () => {
  it('refuses a file without its module by the name of the field that takes it', async () => {
    const served = await withIngestKey(await startServing(await newBaseFarm(), ['--rate-limit', '0']));
    const post = (fields: object) =>
      served.post(
        JSON.stringify({ csv: 'time,humidity_10\n2026-06-29 06:00,5\n', ...fields }),
        JSON_BODY,
        '/ingest/csv',
      );
    const { status, body } = await post({});
    expect({ status, hint: body.hint }).toEqual({ status: 400, hint: expect.stringContaining(`Add ${body.field}:`) });
    expect(await post({ [body.field]: 1 })).toMatchObject({ status: 200, body: { readings: { written: 1 } } });
  });
});

describe('POST /v1/ingest', () => {
  it('reads the CSV of a spreadsheet by the same rules', async () => {
    const served = await withIngestKey(await startServing(await newBaseFarm(), ['--rate-limit', '0']));
    const path = '/ingest?module=North%201';
    const { status, body } = await served.post(SPREADSHEET, { 'content-type': 'text/csv' }, path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ readings: { written: 8, refused: 1 }, skippedColumns: [{ name: 'Pluie' }] });
    const fractions = 'time,VWC 10\n2026-06-28 06:00,0.2\n';
    expect(await served.post(fractions, { 'content-type': 'text/csv' }, path)).toMatchObject({
      status: 400,
      body: { field: 'map', hint: expect.stringContaining('VWC 10=humidity_10 (m3/m3)') },
    });
    const ambiguous = 'time,A\n03/04/2026 06:00,0.2\n';
    expect(await served.post(ambiguous, { 'content-type': 'text/csv' }, `${path}&map=A%3Dhumidity_10`)).toMatchObject({
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
