import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { languageOf } from '../../../src/language/index.ts';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { englishWordIn } from '../../english-word-pattern.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { callEveryTool } from '../every-tool-call.ts';
import { bodyOf, connectStdio, firstText } from '../mcp-session.ts';
import { CLOCK, type Json, REPOSITORY } from '../program.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;

/** Moisture falls to 15.2 %; the deepest sensor is silent in the last hours. */
const READINGS = Array.from({ length: 96 }, (_, index) => index).flatMap((index) => {
  const time = new Date(NOW - (95 - index) * HOUR - 5 * 60_000).toISOString();
  const value = (24.7 - index * 0.1).toFixed(1);
  const north1 = [10, 20, 30].filter((depth) => depth < 30 || index < 90);
  return [
    ...north1.map((depth) => `North 1,humidity,${depth},${time},${value}`),
    `North 1,temperature,10,${time},${(18 + index / 40).toFixed(2)}`,
  ];
});

type NamedSummary = readonly [call: string, summary: string];

const catalog = JSON.parse(await readFile(join(REPOSITORY, 'dist', 'catalog.json'), 'utf8'));
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const outputChecks = new Map<string, ReturnType<Ajv['compile']>>(
  catalog.tools.flatMap(({ name, outputSchema }: Json) => (outputSchema ? [[name, ajv.compile(outputSchema)]] : [])),
);

function expectCompleteAnswer(name: string, result: CallToolResult): void {
  const check = outputChecks.get(name);
  if (check === undefined) {
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    return;
  }
  const body = bodyOf(result);
  const [summary, json] = result.content as { text: string }[];
  expect(result.content).toHaveLength(2);
  expect(JSON.parse(json!.text)).toEqual(body);
  expect(Object.keys(body)[0]).toBe('summary');
  expect(summary!.text).toBe(body.summary);
  expect(body.summary.trim().length).toBeGreaterThan(10);
  expect([name, check(body), check.errors ?? []]).toEqual([name, true, []]);
}

async function summariesIn(lang: Lang | null): Promise<NamedSummary[]> {
  const db = await newBaseFarm();
  await importReadingsCsv(db, ['module,type,depth,time,value', ...READINGS].join('\n'), { clock: CLOCK });
  const { call, client } = await connectStdio(db, { lang });
  const summaries: NamedSummary[] = [];
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<Json> => {
    const result = await call(name, args);
    expectCompleteAnswer(name, result);
    summaries.push([`${name} ${JSON.stringify(args)}`, firstText(result)]);
    return bodyOf(result);
  };
  await callEveryTool(ask, WATERING);
  await callTheRest(ask);
  await client.close();
  return summaries;
}

async function callTheRest(ask: (name: string, args?: Record<string, unknown>) => Promise<Json>): Promise<void> {
  await ask('get_moisture_series', { module: 'North 1', start: '2026-06-28', maxPoints: 12 });
  await ask('get_moisture_series', { module: 'North 1', type: 'temperature' });
  await ask('get_moisture_series', { module: 'North 1', start: '2026-05-01', end: '2026-06-01' });
  await ask('backtest_alert', { module: 'North 1', threshold: 20.5, hysteresis: 2, start: '2026-06-01' });
  const alert = await ask('create_alert', { module: 'North 1', threshold: 22.5, hysteresis: 80 });
  await ask('list_alerts', { module: 'North 1' });
  await ask('backtest_alert', { module: 'North 1', threshold: 22 });
  await ask('get_agronomic_state', { module: 'North 1' });
  const line = (value: number, fill: string) => ({ type: 'h-line', p1: [NOW, value], style: { fill } });
  await ask('create_annotation', { module: 'North 1', ...line(12.5, 'threshold2') });
  await ask('create_annotation', { module: 'North 1', ...line(11, 'threshold1') });
  await ask('get_agronomic_state', { module: 'North 1' });
  const newer = await ask('create_annotation', { module: 'North 1', ...line(13.5, 'threshold2') });
  await ask('list_annotations', { module: 'North 1' });
  await ask('delete_annotation', { annotationId: newer.id });
  await ask('create_annotation', {
    module: 'North 1',
    type: 'rect',
    p1: [NOW - 30 * HOUR, 20.25],
    p2: [NOW - 2 * HOUR, 18],
  });
  await ask('create_alert', { parcel: 'South block', threshold: 15 });
  await ask('update_alert', { alertId: alert.id, isActive: false });
  await ask('list_alerts');
  await ask('log_watering', {
    ...WATERING,
    module: 'South block',
    startedAt: 'yesterday 23:30',
    durationMin: 75,
  });
  await ask('log_watering', {
    module: 'North 1',
    startedAt: '2026-03-29 02:30',
    inputMode: 'depth_mm',
    inputDepthMm: 7.5,
  });
  await ask('log_watering', {
    module: 'North 1',
    startedAt: '2025-10-26 02:30',
    inputMode: 'duration',
    durationMin: 90,
  });
  const plan = {
    freq: 'daily',
    timezone: 'Europe/Paris',
    startsOn: '2026-07-01',
    inputMode: 'depth_mm',
    inputDepthMm: 4.5,
  };
  const daily = {
    ...plan,
    parcel: 'North block',
    startTimes: ['05:00', '18:00'],
    intervalDays: 2,
    endsOn: '2026-12-24',
  };
  const schedule = await ask('create_schedule', daily);
  await ask('create_schedule', daily);
  const { data } = await ask('list_waterings', { parcel: 'North block', status: 'planned', limit: 1 });
  const { id: eventId, startedAt, inputMode } = data[0];
  await ask('correct_watering', { eventId, startedAt, inputMode, inputDepthMm: 5.25 });
  await ask('update_schedule', {
    scheduleId: schedule.id,
    startTimes: ['04:30', '19:00'],
    confirmationPolicy: 'manual',
  });
  await ask('list_schedules', { limit: 1 });
  await ask('set_soil_profile', {
    parcel: 'North block',
    layers: [
      { soilHorizonId: 3, depthTopCm: 0, depthBottomCm: 30 },
      { soilHorizonId: 7, depthTopCm: 30, depthBottomCm: 90 },
    ],
  });
  await ask('set_soil_profile', {
    parcel: 'North block',
    layers: [{ soilHorizonId: 4, depthTopCm: 20, depthBottomCm: 50 }],
  });
  await ask('get_soil_profile', { parcel: 'North block' });
  await ask('set_module_installation', {
    module: 'North 1',
    system: 'drip',
    flowMmPerH: 1.25,
    effectiveFrom: '2026-06-30 12:00',
  });
  await ask('set_module_installation', { module: 'North 1', system: 'pivot', effectiveFrom: '2026-05-02 12:00' });
  await ask('log_watering', {
    ...WATERING,
    startedAt: '2026-05-03 6:00',
    inputMode: 'volume_m3',
    inputVolumeM3: 12.5,
    durationMin: 30,
  });
  await ask('set_module_placement', { module: 'North 1', emitterDistanceCm: 12 });
  await ask('get_irrigation_setup', { module: 'North 1' });
  await ask('log_watering', { ...WATERING, startedAt: '2026-06-29 6:00', inputMode: 'depth_mm', inputDepthMm: 12.5 });
  await ask('create_alert', { module: 'North 1', threshold: 21.5 });
  for (const module of ['North 1', 'North 2']) {
    await ask('advise_watering', { module });
    await ask('advise_watering', { module, refillPercent: 62.5 });
    await ask('review_waterings', { module, limit: 1 });
    await ask('chart_moisture', { module, start: '2026-06-28', view: 'depths' });
  }
  await ask('morning_brief');
  await ask('update_schedule', { scheduleId: schedule.id, isActive: false });
  await ask('morning_brief');
}

const NEAR_DAYS: Record<Lang, string[]> = {
  en: ['yesterday', 'today', 'tomorrow'],
  fr: ['hier', 'aujourd’hui', 'demain'],
  es: ['ayer', 'hoy', 'mañana'],
};

function figures(summary: string, lang: Lang): string[] {
  const found: string[] = [];
  const take = (pattern: RegExp, figure: (...parts: string[]) => string): void => {
    left = left.replace(pattern, (_, ...parts) => {
      found.push(figure(...parts));
      return ' ';
    });
  };
  const months = languageOf(lang).format.months(lang === 'en' ? 'short' : 'long');
  let left = summary;
  take(/\b(\d{4})-(\d\d)-(\d\d)\b/g, (year, month, day) => `day ${Number(day)}.${Number(month)} ${year}`);
  take(
    new RegExp(`\\b(\\d+)(?:er| de)? (${months.join('|')})(?:(?: de)? (\\d{4}))?(?!\\p{L})`, 'gu'),
    (day, month, year) => `day ${day}.${months.indexOf(month!) + 1}${year ? ` ${year}` : ''}`,
  );
  take(
    new RegExp(`(?<!\\p{L})(${NEAR_DAYS[lang].join('|')})(?!\\p{L})`, 'giu'),
    (near) => `day ${NEAR_DAYS[lang].indexOf(near!.toLowerCase())}`,
  );
  take(lang === 'en' ? /(\d+(?:[:.]\d+)*)/g : /(\d+(?:[:,]\d+)*)/g, (number) => number!.replace(',', '.'));
  return [...new Set(found)].sort();
}

let english: NamedSummary[];
beforeAll(async () => {
  english = await summariesIn('en');
});

it('every tool of the catalog is called', () => {
  const called = new Set(english.map(([call]) => call.split(' ')[0]));
  expect([...called].sort()).toEqual(catalog.tools.map(({ name }: Json) => name).sort());
});

// The farm is in France, so French needs no setting.
describe.each([
  ['fr', null],
  ['es', 'es'],
] as const)('summaries in %s', (lang, choice) => {
  let translated: NamedSummary[];
  beforeAll(async () => {
    translated = await summariesIn(choice);
  });

  it('have no English word, whatever is asked', () => {
    const englishWord = englishWordIn(lang);
    expect(translated.filter(([, summary]) => englishWord.test(summary))).toEqual([]);
  });

  it('differ from the English ones of the same calls', () => {
    const tool = ([call]: NamedSummary): string => call.split(' ')[0]!;
    expect(translated.map(tool)).toEqual(english.map(tool));
    expect(translated.filter(([, summary], index) => summary === english[index]![1])).toEqual([]);
  });

  it('have the same days, times and figures, with a decimal comma', () => {
    for (const [index, [call, summary]] of translated.entries()) {
      expect([call, summary, figures(summary, lang)]).toEqual([call, summary, figures(english[index]![1], 'en')]);
      expect([call, summary, /\d\.\d/.test(summary)]).toEqual([call, summary, false]);
    }
  });
});

it.each([
  [null, 'Goutte-à-goutte'],
  ['es', 'Goteo'],
] as const)('labels follow the language %s too, and codes never vary', async (lang, label) => {
  const { call } = await connectStdio(await newBaseFarm(), { lang });
  const { irrigation_systems } = bodyOf(await call('get_enums'));
  expect(irrigation_systems[0]).toEqual({ code: 'drip', label });
});
