import { DAY, HOUR, iso, MINUTE } from '../../../../time.ts';
import { type ParcelPlan, TYPICAL_RATE } from './parcel-plan.ts';
import type { Probe } from './probe-kinds.ts';
import type { Random } from './random.ts';
import { readingsFile, stationFile } from './readings-files.ts';
import type { Wetting } from './soil-moisture.ts';
import { reference, soilProbes, type WriteCall } from './write-calls.ts';

const UNDO: WriteCall = { tool: 'undo', args: {} };

export function readingsCalls(
  now: number,
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  rain: readonly Wetting[],
  random: Random,
): WriteCall[] {
  const late: WriteCall[] = [];
  const calls = probes.flatMap((probe): WriteCall[] => {
    const importOf = (csv: string): WriteCall => ({
      tool: 'import_readings',
      args: { module: reference(probe), csv },
    });
    if (probe.kind === 'never read' || probe.kind === 'uncommissioned') return [];
    if (probe.category === 'WEATHER_STATION') return [importOf(stationFile(now, random))];

    const { soil, waterings, rain: ownRain } = parcels[probe.parcel]!;
    const files = readingsFile(
      now,
      probe,
      { soil, wettings: [...waterings, ...rain, ...ownRain] },
      random,
    );
    late.push(...files.late.map(importOf));
    return [importOf(files.first)];
  });
  return [...calls, ...late];
}

export function rainCalls(
  now: number,
  rain: readonly Wetting[],
  parcels: readonly ParcelPlan[],
  random: Random,
): WriteCall[] {
  const ofParcels = parcels.flatMap(({ name, rain: own }) =>
    own.map((each) => ({ ...each, parcel: name })),
  );
  const ofFarm = rain.map((each) => ({
    ...each,
    parcel: random.happens(0.25) ? random.pick(parcels).name : undefined,
  }));
  return [...ofFarm, ...ofParcels]
    .filter(() => random.happens(0.85))
    .flatMap(({ at, mm, parcel }): WriteCall[] => {
      const isWholeDay = random.happens(0.4) && now - at > 2 * DAY;
      const record = {
        tool: 'log_rain',
        args: {
          mm,
          when: isWholeDay ? iso(at).slice(0, 10) : iso(at),
          ...(parcel ? { parcel } : {}),
        },
      };
      if (random.happens(0.15)) return [record, UNDO];
      if (random.happens(0.15))
        return [record, { tool: 'correct_rain', args: { mm: mm + 1.5 }, idOfLast: 'rainId' }];
      return [record];
    });
}

/** The calls that may follow: mostly none. */
const AFTER_A_PARCEL_WATERING: readonly (readonly WriteCall[])[] = [
  ...Array.from({ length: 16 }, () => []),
  [UNDO],
];
const AFTER_A_WATERING: readonly (readonly WriteCall[])[] = [
  ...AFTER_A_PARCEL_WATERING,
  [
    {
      tool: 'correct_watering',
      args: { inputMode: 'duration', durationMin: 77 },
      idOfLast: 'eventId',
    },
  ],
];

export function wateringCalls(
  now: number,
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  random: Random,
): WriteCall[] {
  const amountOf = (minutes: number): Record<string, unknown> =>
    random.pick([
      { inputMode: 'duration', durationMin: minutes },
      { inputMode: 'duration', durationMin: minutes },
      { inputMode: 'depth_mm', inputDepthMm: Math.round((minutes / 6) * TYPICAL_RATE) / 10 },
      { inputMode: 'volume_m3', inputVolumeM3: minutes / 2 },
    ]);
  const calls: WriteCall[] = [];
  const log = (target: object, at: number, minutes: number, more: object = {}) =>
    calls.push({
      tool: 'log_watering',
      args: { ...target, startedAt: iso(at), ...amountOf(minutes), ...more },
    });

  for (const [index, { name, waterings }] of parcels.entries()) {
    const watered = soilProbes(probes).filter(({ parcel }) => parcel === index);
    if (watered.length === 0) continue;
    const isByParcel = random.happens(0.4);
    const targets = isByParcel
      ? [{ parcel: name }]
      : watered.map((probe) => ({ module: reference(probe) }));

    for (const { at, minutes, fate } of waterings) {
      if (fate === 'unlogged') continue;
      for (const target of targets) {
        log(target, at, minutes, fate === 'skipped' ? { status: 'skipped' } : {});
        // Two that are reviewed as one.
        if (random.happens(0.1)) log(target, at + (minutes + 40) * MINUTE, 15);
        calls.push(...random.pick(isByParcel ? AFTER_A_PARCEL_WATERING : AFTER_A_WATERING));
      }
    }

    const target = { module: reference(watered[0]!) };
    if (random.happens(0.2)) log(target, now - 20 * HOUR, 45, { status: 'planned' });
    if (random.happens(0.5)) log(target, now + 15 * HOUR, 90, { status: 'planned' });
    if (random.happens(0.3)) calls.push(UNDO, { ...UNDO, idOfLast: 'changeId' });
  }
  return calls;
}
