import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../base-farm.ts';
import { importReadingsCsv } from '../imported-data.ts';
import { HOUR } from '../time.ts';
import { bodyOf, firstText, type Json } from '../tool-results.ts';
import { NOW, sharedTools } from './local-tools.ts';

/** Counts what a client shows the model: the structured result, or the content. */
function tokensOf(result: CallToolResult): number {
  const text = result.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');
  return Math.max(encode(JSON.stringify(result.structuredContent)).length, encode(text).length);
}

/**
 * Hours from 2026-05-01 to the clock at 10, 20 and 30 cm; each local day (Paris, UTC+2) has the
 * moisture of its date.
 */
function readingsByDate(): string {
  const rows = ['module,type,depth,time,value'];
  for (let at = Date.UTC(2026, 3, 30, 22); at < NOW; at += HOUR)
    for (const depth of [10, 20, 30])
      rows.push(
        `A1,humidity,${depth},${new Date(at).toISOString()},${new Date(at + 2 * HOUR).getUTCDate()}`,
      );
  return rows.join('\n');
}

/**
 * In May 2026 every 17 h from the 1st at 1:00 in Paris: 44 readings, two of them on the first day.
 */
function sparseReadings() {
  const rows = ['time,humidity_20'];
  for (let index = 0; index < 44; index++)
    rows.push(
      `${new Date(Date.UTC(2026, 3, 30, 23) + index * 17 * HOUR).toISOString()},${20.17 + (index % 5) * 0.1}`,
    );
  return { module: 'Rarely', rows: rows.join('\n') };
}

async function store(): Promise<string> {
  const db = await baseFarmForFile();
  await importReadingsCsv(db, readingsByDate());
  return db;
}

describe('answers for an assistant', () => {
  const call = sharedTools({ store });
  const log = (fields: Record<string, unknown>) =>
    call('log_watering', { module: 'North 1', inputMode: 'duration', durationMin: 40, ...fields });

  it('list ten waterings and their totals within 950 tokens, without setup, audit times and nulls', async () => {
    for (let day = 10; day < 22; day++) await log({ startedAt: `2026-06-${day}T06:00` });
    const listed = await call('list_waterings');
    const { data } = bodyOf(listed);
    expect(data).toHaveLength(10);
    expect(data[0]).toEqual({
      id: 12,
      moduleId: 1,
      startedAt: '2026-06-21T04:00:00.000Z',
      durationMin: 40,
      inputMode: 'duration',
      // 40 min at 3.2 mm/h; drip wets 35 % of the area.
      waterMm: 2.133,
      waterMmWetted: 6.095,
      status: 'done',
      source: 'mcp',
    });
    expect(tokensOf(listed)).toBeLessThanOrEqual(950);
    // Twelve times 40 min, not only those of the page.
    expect(bodyOf(listed).totals).toMatchObject({
      done: { waterings: 12, waterMm: 25.6, hours: 8 },
    });
    expect(encode(JSON.stringify(data[0])).length).toBeLessThanOrEqual(65);
    const full = bodyOf(await call('list_waterings', { detail: 'full' })).data[0];
    expect(full).toMatchObject({
      verifiedAt: expect.any(String),
      createdAt: expect.any(String),
      note: null,
    });
    expect(full.configSnapshot.flowMmPerH).toBe(3.2);
  });

  it('log and correct a watering with the row of the list, or in full', async () => {
    const logged = bodyOf(await log({ startedAt: '2026-06-09T06:00' }));
    const listed = bodyOf(
      await call('list_waterings', { from: '2026-06-09', to: '2026-06-09' }),
    ).data;
    expect([logged.event]).toEqual(listed);
    expect(logged.warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
    const { id: eventId, startedAt, inputMode } = logged.event;
    const corrected = await call('correct_watering', {
      eventId,
      startedAt,
      inputMode,
      durationMin: 60,
    });
    expect(bodyOf(corrected).event).toEqual({
      ...logged.event,
      durationMin: 60,
      waterMm: 3.2,
      waterMmWetted: 9.143,
    });
    const full = await call('correct_watering', {
      eventId,
      startedAt,
      inputMode,
      status: 'skipped',
      detail: 'full',
    });
    expect(bodyOf(full).event).toMatchObject({
      status: 'skipped',
      configSnapshot: { flowMmPerH: 3.2 },
      note: null,
    });
    expect(tokensOf(corrected)).toBeLessThan(tokensOf(full));
  });

  it('show a month of moisture within 800 tokens: a point for each local day, by its date', async () => {
    const month = await call('get_moisture_series', {
      module: 'North 1',
      start: '2026-05-01',
      end: '2026-05-31',
    });
    const { data, interval_seconds } = bodyOf(month);
    const days = Array.from({ length: 31 }, (_, day) => ({
      time: `2026-05-${String(day + 1).padStart(2, '0')}`,
      value_vwc: day + 1,
    }));
    expect({ interval_seconds, data }).toEqual({ interval_seconds: 86_400, data: days });
    expect(tokensOf(month)).toBeLessThanOrEqual(800);
    expect(firstText(month)).toContain(
      'Up 30 points from 1 % on 1 May; lowest day mean 1 % on 1 May, highest day mean 31 % on 31 May.',
    );
  });

  it('show a month of few readings by its days too, and a fortnight by reading', async () => {
    const { module, rows } = sparseReadings();
    bodyOf(
      await call('set_module', {
        name: module,
        category: 'SOIL_PROBE',
        sensors: ['humidity 20'],
        commissionedAt: '2026-04-01',
      }),
    );
    bodyOf(await call('import_readings', { csv: rows, module }));
    const month = await call('get_moisture_series', {
      module,
      start: '2026-05-01',
      end: '2026-05-31',
    });
    const { data, interval_seconds } = bodyOf(month);
    expect([interval_seconds, data.length, data[0]]).toEqual([
      86_400,
      31,
      { time: '2026-05-01', value_vwc: 20.2 },
    ]);
    expect(tokensOf(month)).toBeLessThanOrEqual(800);
    const fortnight = { module, start: '2026-05-01', end: '2026-05-14' };
    expect(bodyOf(await call('get_moisture_series', fortnight))).toMatchObject({
      interval_seconds: null,
    });
  });

  it('show two local days as two points, with their local midnights in full', async () => {
    const period = { module: 'North 1', start: '2026-06-10', end: '2026-06-11', interval: 86_400 };
    const { data } = bodyOf(await call('get_moisture_series', { ...period, detail: 'full' }));
    expect(data.map(({ time, value_vwc }: Json) => [time, value_vwc])).toEqual([
      ['2026-06-09T22:00:00.000Z', 10],
      ['2026-06-10T22:00:00.000Z', 11],
    ]);
    const quarters = bodyOf(
      await call('get_moisture_series', { ...period, interval: 21_600 }),
    ).data;
    expect(quarters.slice(0, 2).map(({ time }: Json) => time)).toEqual([
      '2026-06-09T22:00:00.000Z',
      '2026-06-10T04:00:00.000Z',
    ]);
    expect(quarters).toHaveLength(8);
    const days = bodyOf(await call('get_moisture_series', { ...period, align: 'utc' })).data;
    expect(days.map(({ time }: Json) => time.slice(0, 10))).toEqual([
      '2026-06-09',
      '2026-06-10',
      '2026-06-11',
    ]);
  });

  it('leave value_vwc_max out, and say what it is where it is asked for', async () => {
    const period = { module: 'North 1', start: '2026-06-30', end: '2026-07-01' };
    await call('set_soil_profile', {
      parcel: 'North block',
      layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
    });
    const concise = await call('get_moisture_series', period);
    expect(JSON.stringify(concise)).not.toContain('vwc_max');
    const full = await call('get_moisture_series', { ...period, detail: 'full' });
    expect(bodyOf(full).data[0].value_vwc_max).toBeGreaterThan(30);
    expect(bodyOf(full).next).toContain('value_vwc_max is that share, not a maximum');
  });

  it('count nothing that a quiet brief has none of', async () => {
    const brief = bodyOf(await call('morning_brief'));
    expect(brief.needsWater).toEqual([]);
    expect(brief).not.toHaveProperty('leftOut');
  });

  it('list what has begun, then how many are planned ahead and the next; with status the nearest first', async () => {
    await call('create_schedule', {
      module: 'North 1',
      freq: 'daily',
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      startsOn: '2026-07-01',
      endsOn: '2026-07-20',
      inputMode: 'duration',
      durationMin: 30,
    });
    const listed = bodyOf(await call('list_waterings', { limit: 3 }));
    const starts = ({ data }: Json): string[] =>
      data.map(({ startedAt }: Json) => startedAt.slice(0, 10));
    expect(starts(listed)).toEqual(['2026-06-21', '2026-06-20', '2026-06-19']);
    expect(listed.summary).toContain('19 planned ahead, the next tomorrow 06:00 on North 1.');
    const planned = bodyOf(await call('list_waterings', { status: 'planned', limit: 2 }));
    expect(starts(planned)).toEqual(['2026-07-02', '2026-07-03']);
    expect(planned.summary).toContain('2 waterings shown, nearest first: tomorrow 06:00');
    const next = bodyOf(
      await call('list_waterings', { status: 'planned', limit: 2, cursor: planned.next_cursor }),
    );
    expect(starts(next)).toEqual(['2026-07-04', '2026-07-05']);
    const around = bodyOf(await call('list_waterings', { from: '2026-06-20', to: '2026-07-03' }));
    expect(starts(around)).toEqual(['2026-06-21', '2026-06-20', '2026-07-02', '2026-07-03']);
  });
});
