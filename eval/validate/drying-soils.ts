import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { RainContribution } from '../../src/domain/weather/rain.ts';
import type { FarmFields, Reading } from './farm.ts';
import { type Hour, openAgriFarm, PROBE, rainBetween, readingsOf } from './openagri.ts';
import { dayOf, readSheepProbes, readSheepWeather, SHEEP_DEPTHS_CM } from './sheepweather.ts';

/** A probe whose moisture and rain are known. */
export interface DryingSoil {
  readonly name: string;
  readonly module: string;
  readonly farm: FarmFields;
  readonly readings: readonly Reading[];
  /** When all depths have values. */
  readonly hours: readonly Hour[];
  /** Beside the probe, or that of a station. */
  readonly gauge: string;
  /** Oldest first, with dry hours or days between them. */
  readonly rainEvents: readonly (readonly RainContribution[])[];
  rainBetween(after: number, until: number): number;
  /** The forecasts of this morning are compared. */
  isJudged(morning: number): boolean;
}

export const openAgriSoil = (hours: readonly Hour[]): DryingSoil => ({
  name: 'OpenAgri',
  module: PROBE,
  farm: openAgriFarm,
  readings: readingsOf(hours),
  hours,
  gauge: 'beside the probe',
  rainEvents: hourlyEvents(hours),
  rainBetween: (after, until) => rainBetween(hours, after, until),
  isJudged: () => true,
});

/** No mineral soil holds more, and none less than nothing: then the port or the sensor is broken. */
const isSound = ({ value }: Reading): boolean => value >= 0 && value <= 60;
/** After a broken value none is used for so long. */
const BROKEN_MS = 14 * DAY_MS;

/**
 * The probes of the loggers that have both depths, while both are sound. Mornings from May to
 * September count: in winter the soil is frozen or under snow.
 */
export async function sheepSoils(folder: string): Promise<DryingSoil[]> {
  const weather = await readSheepWeather(folder);
  const rainOnDay = new Map(weather.map(({ day, rainMm }) => [day, rainMm]));
  const probes = await readSheepProbes(folder);
  return probes.flatMap((probe): DryingSoil[] => {
    const readings = probe.readings.filter(isSound);
    const hours = completeHours(readings);
    if (hours.length === 0) return [];
    const brokenAt = probe.readings.filter((each) => !isSound(each)).map(({ at }) => at);
    return [
      {
        name: probe.name,
        module: probe.name,
        farm: farmOf(probe.name),
        readings,
        hours,
        gauge: 'daily, at the station',
        rainEvents: dailyEvents(rainOnDay),
        rainBetween: (after, until) => {
          let mm = 0;
          // A day's total may have been read on the next morning.
          for (let day = dayOf(after); day <= dayOf(until); day += DAY_MS)
            mm += rainOnDay.get(day) ?? 0;
          return mm;
        },
        isJudged: (morning) =>
          isSummer(morning) &&
          !brokenAt.some((at) => at > morning - BROKEN_MS && at <= morning + DAY_MS),
      },
    ];
  });
}

/** Without layers, whose texture nobody measured there. */
const farmOf = (name: string): FarmFields => ({
  modules: [
    {
      uid: name,
      name,
      category: 'SOIL_PROBE',
      sensors: SHEEP_DEPTHS_CM.map((depth) => ({ type: 'humidity', depth })),
      settings: { rootDepthCm: 40 },
    },
  ],
});

const isSummer = (at: number): boolean => {
  const month = new Date(at).getUTCMonth();
  return month >= 4 && month <= 8;
};

function completeHours(readings: readonly Reading[]): Hour[] {
  const byDepth = SHEEP_DEPTHS_CM.map(
    (depthCm) =>
      new Map(
        readings.flatMap((each) => (each.depthCm === depthCm ? [[each.at, each.value]] : [])),
      ),
  );
  return [...byDepth[0]!.keys()].flatMap((at) => {
    const moisture = byDepth.flatMap((values) => values.get(at) ?? []);
    return moisture.length === byDepth.length ? [{ at, moisture, rainMm: 0 }] : [];
  });
}

const DRY_HOURS = 6;

function hourlyEvents(hours: readonly Hour[]): RainContribution[][] {
  const wet = hours.filter(({ rainMm }) => rainMm > 0);
  const events: Hour[][] = [];
  for (const hour of wet) {
    const event = events.at(-1);
    if (event && hour.at - event.at(-1)!.at <= DRY_HOURS * HOUR_MS) event.push(hour);
    else events.push([hour]);
  }
  return events.map((event) => [
    contribution(
      event.reduce((sum, { rainMm }) => sum + rainMm, 0),
      // The rain of the hour before.
      { startedAt: event[0]!.at - HOUR_MS, endedAt: event.at(-1)!.at, isWholeDay: false },
    ),
  ]);
}

function dailyEvents(rainOnDay: ReadonlyMap<number, number>): RainContribution[][] {
  const events: RainContribution[][] = [];
  for (const [day, mm] of rainOnDay) {
    if (!(mm > 0)) continue;
    const record = contribution(mm, { startedAt: day, endedAt: day + DAY_MS, isWholeDay: true });
    const event = events.at(-1);
    if (event?.at(-1)?.record.endedAt === day) event.push(record);
    else events.push([record]);
  }
  return events;
}

const contribution = (
  mm: number,
  time: { startedAt: number; endedAt: number; isWholeDay: boolean },
): RainContribution => ({
  mm,
  record: { id: 1, parcelId: null, moduleId: null, localDay: '', mm, ...time },
});
