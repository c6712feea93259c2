import { importFarmFile, importReadingsCsv } from '../../../imported-data.ts';
import { DAY, HOUR, iso } from '../../../time.ts';
import { bodyOf, type McpSession } from '../../mcp-session.ts';
import { CLOCK } from '../../program.ts';

const NOW = Date.parse(CLOCK);

const PARCELS = 25;
const PROBES = 300;
const GATEWAYS = 60;
const DEPTHS = [10, 20, 30, 45, 60];

/** The others have readings of two days only. */
const PROBES_WITH_HISTORY = 4;

/** The first parcel holds 60 probes, each other one 10. */
const parcelOf = (probe: number): number => (probe < 60 ? 0 : 1 + Math.floor((probe - 60) / 10));
const parcelName = (index: number): string => `Olivette ${index + 1} bas`;
const probeName = (index: number): string => `Olivette ${1 + parcelOf(index)} rang ${index}`;
const imei = (index: number): string => String(356_938_035_000_000 + index);

export const LARGE_FARM_PROBE = probeName(0);
export const LARGE_FARM_PARCEL = parcelName(0);

const outline = (index: number) => {
  const [west, south] = [3.85 + index / 100, 43.6];
  const corner = (step: number) => [
    west + 0.004 * Math.cos(step / 3),
    south + 0.004 * Math.sin(step / 3),
  ];
  return {
    type: 'Polygon',
    coordinates: [[...Array.from({ length: 18 }, (_, step) => corner(step)), corner(0)]],
  };
};

const FARM = {
  company: {
    name: 'Mas des Oliviers',
    countryCode: 'FR',
    currency: 'EUR',
    timezone: 'Europe/Paris',
  },
  users: Array.from({ length: 12 }, (_, index) => ({
    email: `member.${index}@mas-des-oliviers.example`,
    name: `Member ${index}`,
    role: index === 0 ? 'OWNER' : 'MANAGER',
  })),
  parcels: Array.from({ length: PARCELS }, (_, index) => ({
    name: parcelName(index),
    type: 'olive, Picholine',
    geometry: outline(index),
    soilProfile: [
      { usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 30 },
      { usdaClass: 'Clay loam', depthTopCm: 30, depthBottomCm: 60 },
      { usdaClass: 'Silty clay loam', depthTopCm: 60, depthBottomCm: 120 },
    ],
    installation: {
      system: 'drip',
      emitterFlowLph: 1.6,
      emittersPerM2: 0.8,
      irrigatedAreaM2: 18_250,
    },
  })),
  gateways: Array.from({ length: GATEWAYS }, (_, index) => ({
    imei: imei(index),
    serialHex: index.toString(16).padStart(24, '0'),
    firmware: '2.4.1',
    assignedAt: '2025-01-10T00:00:00Z',
    status: { lastSeen: iso(NOW - (index % 7 === 3 ? 3 * DAY : HOUR)), batteryMv: 3920, level: 3 },
  })),
  modules: Array.from({ length: PROBES }, (_, index) => ({
    uid: `A1B2${String(index).padStart(6, '0')}`,
    name: probeName(index),
    number: index,
    serialHex: index.toString(16).padStart(16, '0'),
    category: 'SOIL_PROBE',
    parcel: parcelName(parcelOf(index)),
    // The first two gateways serve half of the large parcel each, and a few more.
    gateway: imei(index % (index < 60 ? 2 : GATEWAYS)),
    commissionedAt: '2025-01-11T09:00:00Z',
    location: { lat: 43.6 + index / 10_000, lon: 3.87, source: 'manual' },
    sensors: DEPTHS.flatMap((depth) => [
      { type: 'humidity', depth },
      { type: 'temperature', depth },
    ]),
    settings: { rootDepthCm: 60 },
  })),
};

/** Hourly at five depths; every fifteenth probe is silent. */
function readings(): string {
  const rows = ['module,type,depth,time,value'];
  for (let index = 0; index < PROBES; index++) {
    const hours = index < PROBES_WITH_HISTORY ? 16 * 24 : 48;
    const ends = NOW - (index % 15 === 7 ? 30 * HOUR : 0);
    for (let hour = 0; hour < hours; hour++)
      for (const [deep, depth] of DEPTHS.entries()) {
        const value = 14 + (index % 12) + deep + moistureAfterWatering(hour, deep);
        rows.push(
          `${FARM.modules[index]!.uid},humidity,${depth},${iso(ends - hour * HOUR)},${value.toFixed(2)}`,
        );
      }
  }
  return `${rows.join('\n')}\n`;
}

/** Points above the dry state. Water reaches deeper sensors later. */
const moistureAfterWatering = (hoursAgo: number, deep: number): number =>
  4 - (((29 + deep - (hoursAgo % 24)) % 24) * 4) / 24;

export async function importLargeFarm(db: string): Promise<void> {
  await importFarmFile(db, FARM, { clock: CLOCK });
  await importReadingsCsv(db, readings(), { clock: CLOCK });
}

export async function addLargeFarmRecords(call: McpSession['call']): Promise<void> {
  const write = async (name: string, args: Record<string, unknown>) =>
    bodyOf(await call(name, args));
  const remark = 'As the installer measured it with the cups, see the report of that week';
  for (const year of [2022, 2023, 2024, 2025])
    await write('set_module_installation', {
      module: LARGE_FARM_PROBE,
      system: 'drip',
      emitterFlowLph: 1.6,
      emittersPerM2: 1 + (year - 2022) / 10,
      irrigatedAreaM2: 1500,
      notes: remark,
      effectiveFrom: `${year}-03-01T08:00`,
    });
  for (let index = 0; index < 40; index++)
    for (let day = 1; day <= (index < PROBES_WITH_HISTORY ? 18 : 4); day++)
      await write('log_watering', {
        module: probeName(index),
        startedAt: iso(NOW - day * DAY - 5 * HOUR),
        inputMode: 'duration',
        durationMin: 95,
        note: 'Filter cleaned before, pressure 1.8 bar at the head',
      });
  for (let index = 1; index <= 10; index++)
    await write('create_schedule', {
      parcel: parcelName(index),
      label: `Summer nights, valve ${index}`,
      freq: 'weekly',
      weekdays: [1, 3, 5],
      startTimes: ['05:00', '21:30'],
      timezone: 'Europe/Paris',
      startsOn: '2026-07-01',
      inputMode: 'duration',
      durationMin: 90,
      confirmationPolicy: 'manual',
    });
  for (let index = 0; index < 200; index++)
    await write('create_alert', { module: probeName(index), threshold: 17.5, hysteresis: 3.5 });
  for (const [fill, height] of Object.entries({ threshold1: 28, threshold2: 15 }))
    await write('create_annotation', {
      module: LARGE_FARM_PROBE,
      type: 'h-line',
      p1: [NOW, height],
      style: { fill },
    });
  for (let index = 0; index < 40; index++)
    await write('create_annotation', {
      module: LARGE_FARM_PROBE,
      type: 'text',
      p1: [NOW - index * DAY, 20],
      style: { fill: '#c0392b' },
      text: 'Looked at the soil by hand, moist at 30 cm, dry on top',
    });
}
