import { LANGS, type Lang } from '../../../../../src/domain/lang.ts';
import { DAY, HOUR, iso } from '../../../../time.ts';
import { farmFile } from './farm-file.ts';
import { FARM_PLACES, type FarmPlace, NAMES } from './farm-places.ts';
import { equipmentCalls, scheduleCalls, settingsCalls, soilCalls } from './farm-setup-calls.ts';
import { parcelPlan, randomRain } from './parcel-plan.ts';
import { dealProbes, type Probe } from './probe-kinds.ts';
import { Random } from './random.ts';
import { weatherFile } from './readings-files.ts';
import { rainCalls, readingsCalls, wateringCalls } from './record-calls.ts';
import { alertCalls, lineCalls } from './threshold-calls.ts';
import type { WriteCall } from './write-calls.ts';

export interface RandomFarm extends FarmPlace {
  readonly name: string;
  readonly probes: readonly Probe[];
  /** Other languages in which it is asked, for the names of probes without a name. */
  readonly otherLangs: readonly Lang[];
  readonly file: object;
  /** Some days before the farm is asked: what happens meanwhile is planned. */
  readonly earlier: { readonly at: string; readonly calls: readonly WriteCall[] };
  readonly calls: readonly WriteCall[];
  /** A file with the weather of past days. */
  readonly weather: string | null;
  /** Rain forecast by days ahead, with its probability. */
  readonly forecast: Readonly<Record<number, readonly [mm: number, percent: number]>> | null;
}

function randomFarm(place: FarmPlace, index: number): RandomFarm {
  const random = new Random(1_000 + index);
  const now = Date.parse(place.now);
  const names = NAMES[place.lang];
  const rain = randomRain(now, random);
  const parcels = names.parcels
    .slice(0, random.wholeBetween(1, 3))
    .map((name) => parcelPlan(name, now, random));
  const probes = dealProbes(index, parcels.length, random);

  const earlierAt = now - random.wholeBetween(4, 8) * DAY - random.wholeBetween(0, 20) * HOUR;
  return {
    ...place,
    name: `${index} ${place.zone} ${place.now.slice(0, 10)}`,
    probes,
    otherLangs: index % 3 === 1 ? LANGS.filter((lang) => lang !== place.lang) : [],
    file: farmFile(place, parcels, probes, random),
    earlier: {
      at: iso(earlierAt),
      calls: [
        ...settingsCalls(now, probes, random),
        ...equipmentCalls(now, parcels, probes, random),
        ...scheduleCalls(place, earlierAt, parcels, probes, random),
      ],
    },
    calls: [
      ...readingsCalls(now, parcels, probes, rain, random),
      ...rainCalls(now, rain, parcels, random),
      ...wateringCalls(now, parcels, probes, random),
      ...lineCalls(now, parcels, probes, random),
      ...alertCalls(parcels, probes, random),
      ...soilCalls(parcels, random),
    ],
    weather: random.happens(0.5) ? weatherFile(now, random) : null,
    forecast: random.happens(0.4)
      ? { 1: [random.wholeBetween(2, 15), 70], 3: [random.wholeBetween(1, 4), 35] }
      : null,
  };
}

export const RANDOM_FARMS: readonly RandomFarm[] = FARM_PLACES.map(randomFarm);
