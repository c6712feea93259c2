import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFarmFile } from '../../imported-data.ts';
import { newFolder } from '../../temporary-places.ts';
import { connectServer, firstText, type McpSession } from '../mcp-session.ts';

const humidity = (depths: readonly number[]) =>
  depths.map((depth) => ({ type: 'humidity', depth }));
const probe = (uid: string, name: string, depths: readonly number[], more: object = {}) => ({
  ...{ uid, name, category: 'SOIL_PROBE', parcel: 'Block A', sensors: humidity(depths) },
  ...more,
});

/** Peach on loam with drip of 1.6 L/h every 0.5 x 1 m, probes, a tensiometer and a rain gauge. */
const FARM = {
  company: { name: 'Mas Clair', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    {
      name: 'Block A',
      type: 'peach',
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }],
    },
    { name: 'Block B', type: 'vineyard' },
  ],
  modules: [
    probe('O1', 'Oak 1', [10, 20, 30], { location: { lat: 43.6, lon: 3.9 } }),
    probe('O2', 'Oak 2', [20], { location: { lat: 43.6, lon: 3.9 } }),
    probe('PA', 'A+', [20]),
    probe('P9', '9', [20]),
    probe('E3', 'Elm 3', [20]),
    {
      ...{ uid: 'VT', name: 'Vine T', category: 'TENSIOMETER', parcel: 'Block B' },
      sensors: [20, 40].map((depth) => ({ type: 'tensio', depth })),
    },
    { uid: 'Y', name: 'Yard', category: 'WEATHER_STATION', parcel: 'Block B', sensors: [] },
  ],
};

interface Row {
  readonly what: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** What the answer says. */
  readonly says: RegExp;
}

const file = (module: string, ...lines: string[]) => ({ module, csv: lines.join('\n') });
const daily = { freq: 'daily', durationMin: 60, startsOn: '2026-06-21' };
const halfHour = { startedAt: 'today 6:00', durationMin: 30 };

const ROWS: readonly Row[] = [
  {
    what: 'a thousands dot beside decimal commas',
    tool: 'import_readings',
    args: file(
      'Vine T',
      'Zeit;Saugspannung 20 cm (hPa)',
      '13.06.2026 06:00;980,5',
      '13.06.2026 07:00;1.250',
    ),
    says: /Stored: 1 new .* 1 row was rejected.*decimals or thousands/,
  },
  {
    what: 'a second cm, which is a column of water',
    tool: 'import_readings',
    args: file('Vine T', 'Time,Matric potential 20 cm (cm)', '2026-06-01 06:00,-980.5'),
    says: /Stored: 1 new reading.*tensio_20/,
  },
  {
    what: 'a line break in a quoted cell',
    tool: 'import_readings',
    args: file(
      'Oak 1',
      'Time,Soil moisture 10 cm (%),Notes',
      '2026-06-01 06:00,23.4,"pump on',
      'valve 2"',
      '2026-06-01 07:00,23.3,',
    ),
    says: /Stored: 2 new readings/,
  },
  {
    what: 'a reading that is said aloud with its unit',
    tool: 'import_readings',
    args: file('Oak 1', 'humidity_20 (%)', '21'),
    says: /Stored: 1 new .*today 12:00/,
  },
  {
    what: 'dashes for minus and asterisks for no value',
    tool: 'import_readings',
    args: file(
      'Vine T',
      'Time,Tension 40 cm (kPa)',
      '2026-06-11 04:15:00 UTC,−21',
      '"Jun 11, 2026 6:15 AM",* * *',
    ),
    says: /Stored: 1 new .*tensio_40.*06:15/,
  },
  {
    what: 'the abbreviation of a zone',
    tool: 'set_company',
    args: { timezone: 'EST' },
    says: /zone of a place.*America\/New_York/,
  },
  {
    what: 'two lengths in one text',
    tool: 'set_parcel',
    args: { name: 'Block A', rootDepthCm: '30 cm, 60 cm' },
    says: /could be two lengths: ask/,
  },
  {
    what: 'a spacing that no equipment has',
    tool: 'set_parcel_installation',
    args: {
      parcel: 'Block B',
      system: 'drip',
      emitterFlowLph: 2,
      emitterSpacingM: 50,
      lineSpacingM: 2,
    },
    says: /50 m, which gives 0[.]02 mm\/h; no equipment has that/,
  },
  {
    what: 'null for the other target',
    tool: 'log_watering',
    args: { module: 'Oak 1', parcel: null, ...halfHour },
    says: /Logged 30 min of drip on Oak 1/,
  },
  {
    what: 'a bare number that ends another name',
    tool: 'log_watering',
    args: { module: '3', ...halfHour },
    says: /"3" can mean several probes: "A[+]", "Elm 3"/,
  },
  {
    what: 'a noun before a name that is a number',
    tool: 'get_module',
    args: { module: 'probe 9' },
    says: /^9 is a soil probe/,
  },
  {
    what: 'names that differ by punctuation alone',
    tool: 'set_module',
    args: { name: 'A-', sensors: ['humidity 40 cm'] },
    says: /^Added: A- .* nearly that of A[+]/,
  },
  {
    what: 'no position',
    tool: 'set_module',
    args: { name: 'Oak 2', latitude: 0, longitude: 0 },
    says: /km from the nearest other module/,
  },
  {
    what: 'a position far from the others',
    tool: 'set_module',
    args: { name: 'Oak 2', latitude: 3.9, longitude: 43.6 },
    says: /km from the nearest other module/,
  },
  {
    what: 'a category that readings need',
    tool: 'set_module',
    args: { name: 'Oak 1', category: 'WEATHER_STATION' },
    says: /stays a SOIL_PROBE, because of readings/,
  },
  {
    what: 'a schedule',
    tool: 'create_schedule',
    args: { module: 'Oak 1', startTimes: ['06:00'], ...daily },
    says: /^Planned on Oak 1/,
  },
  {
    what: 'a schedule that overlaps another',
    tool: 'create_schedule',
    args: { module: 'Oak 1', startTimes: ['06:30'], ...daily },
    says: /overlaps that which another schedule plans/,
  },
  {
    what: 'an hour that no clock has',
    tool: 'create_schedule',
    args: { module: 'Oak 1', ...daily, startTimes: ['24:00'] },
    says: /The start time 1 "24:00" is not valid/,
  },
  {
    what: 'an alert',
    tool: 'create_alert',
    args: { module: 'Oak 2', threshold: 20, hysteresis: 2 },
    says: /fires below 20 % until 22 %/,
  },
  {
    what: 'an alert like one that exists',
    tool: 'create_alert',
    args: { module: 'Oak 2', threshold: 20, hysteresis: 2 },
    says: /already another alert below 20 %/,
  },
  {
    what: 'an alert that cannot recover',
    tool: 'create_alert',
    args: { module: 'Oak 1', threshold: 25, hysteresis: 45 },
    says: /never resolves.*holds at most 46 %/,
  },
  {
    what: 'an alert without hysteresis',
    tool: 'create_alert',
    args: { module: 'Oak 1', threshold: 22, hysteresis: 0 },
    says: /fire and recover again and again/,
  },
  {
    what: 'equipment',
    tool: 'set_module_installation',
    args: { module: 'Oak 1', system: 'drip', emitterFlowLph: 2, emittersPerM2: 1 },
    says: /watered by drip/,
  },
  {
    what: 'the same equipment again',
    tool: 'set_module_installation',
    args: { module: 'Oak 1', system: 'drip', emitterFlowLph: 2, emittersPerM2: 1 },
    says: /the same as the version before/,
  },
  {
    what: 'the health of a probe without a gateway',
    tool: 'get_module_health',
    args: { module: 'Oak 1' },
    says: /has no gateway[.] Its newest reading is from/,
  },
];

it('misreads nothing of what others misread, in one session on the built program', async () => {
  const db = join(await newFolder(), 'farm.db');
  await importFarmFile(db, FARM);
  const clock = '2026-06-20T10:00:00Z';
  const session: McpSession = await connectServer(['--db', db, '--clock', clock]);
  const wrong: string[] = [];
  try {
    for (const { what, tool, args, says } of ROWS) {
      const text = firstText(await session.call(tool, args));
      if (!says.test(text)) wrong.push(`${what}: ${text}`);
    }
  } finally {
    await session.client.close();
  }
  expect(wrong).toEqual([]);
});
