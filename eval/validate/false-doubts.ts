import { attributesOf, type ReasonKind } from '../../src/domain/advice/reason-kinds.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { CottonTrial } from './cotton-trial.ts';
import { type FarmFields, type Reading, type ValidationFarm, withFarm } from './farm.ts';
import { type Hour, openAgriFarm, PROBE, readingsOf } from './openagri.ts';
import type { ProfileResult } from './profiles.ts';
import {
  dayOf,
  frozenDays,
  readSheepProbes,
  readSheepWeather,
  type SheepProbe,
  sheepFarm,
} from './sheepweather.ts';
import { withSimulatedCrop } from './simulated-crop.ts';
import { healthyProbes, SIMULATED_WEEKS, simulatedModule } from './simulated-sensors.ts';

/** How many of the weeks of healthy probes get a doubt, whatever rule raises it. */
export interface FalseDoubts {
  readonly data: string;
  /** Of continuous readings in the field, of single profiles, or of a simulation. */
  readonly kind: 'field' | 'profiles' | 'simulated';
  readonly weeks: number;
  /** Those in which rules about time, and the second opinion by the balance, had what they need. */
  readonly able: Readonly<Record<'time' | 'balance', number>>;
  /** Left out: a sensor that is known to be broken, a gap in the readings, or frozen soil. */
  readonly leftOut: Readonly<Record<'broken' | 'gap' | 'frozen', number>>;
  readonly doubted: readonly DoubtedWeek[];
  /** Weeks in which the balance differs from the probe, which takes no amount away. */
  readonly differing: number;
}

interface DoubtedWeek {
  readonly probe: string;
  readonly at: number;
  readonly reasons: readonly ReasonKind[];
}

const NONE_LEFT_OUT = { broken: 0, gap: 0, frozen: 0 };

const WEEK_MS = 7 * DAY_MS;
/** What rules look back at. */
const HISTORY_MS = 14 * DAY_MS;
const MORNING_MS = 6 * HOUR_MS;

export function isDoubt(reason: ReasonKind): boolean {
  const { check, withholds } = attributesOf(reason);
  return check !== undefined || withholds !== undefined;
}

interface Probe {
  readonly name: string;
  readonly readings: readonly Reading[];
}

type LeftOut = keyof FalseDoubts['leftOut'];

async function countDoubts(
  farm: ValidationFarm,
  data: string,
  probes: readonly Probe[],
  whyLeftOut: (probe: Probe, start: number, end: number) => LeftOut | null,
): Promise<FalseDoubts> {
  const leftOut = { ...NONE_LEFT_OUT };
  const doubted: DoubtedWeek[] = [];
  let weeks = 0;
  let differing = 0;
  for (const probe of probes) {
    const first = Math.min(...probe.readings.map(({ at }) => at));
    const last = Math.max(...probe.readings.map(({ at }) => at));
    const start = dayOf(first) + HISTORY_MS + MORNING_MS;
    for (let at = start; at <= last; at += WEEK_MS) {
      const reason = whyLeftOut(probe, at - HISTORY_MS, at);
      if (reason !== null) {
        leftOut[reason]++;
        continue;
      }
      weeks++;
      const reasons = await reasonsAt(farm, probe.name, at);
      doubted.push(...doubtsAmong(reasons, probe.name, at));
      if (reasons.includes('BALANCE_DIFFERS')) differing++;
    }
  }
  return {
    data,
    kind: 'field',
    weeks,
    able: { time: weeks, balance: 0 },
    leftOut,
    doubted,
    differing,
  };
}

async function reasonsAt(
  farm: ValidationFarm,
  probe: string,
  at: number,
): Promise<readonly ReasonKind[]> {
  farm.now = at;
  return (await farm.ask<AdviceBody>('advise_watering', { module: probe })).reasons;
}

function doubtsAmong(reasons: readonly ReasonKind[], probe: string, at: number): DoubtedWeek[] {
  const doubts = reasons.filter(isDoubt);
  return doubts.length === 0 ? [] : [{ probe, at, reasons: doubts }];
}

const MAX_GAP_MS = DAY_MS;

/** The last reading before the end is fresh. */
const hasGap = ({ readings }: Probe, end: number): boolean =>
  !readings.some(({ at }) => at <= end && at > end - MAX_GAP_MS);

const SAND = [{ usdaClass: 'Sand' as const, depthTopCm: 0, depthBottomCm: 100 }];

async function openAgriDoubts(hours: readonly Hour[]): Promise<FalseDoubts> {
  const fields: FarmFields = {
    parcels: [{ name: 'Field', soilProfile: SAND }],
    modules: openAgriFarm.modules.map((module) => ({ ...module, parcel: 'Field' })),
  };
  return withFarm(fields, hours[0]!.at, async (farm) => {
    const readings = readingsOf(hours);
    await farm.record(readings);
    return countDoubts(farm, 'OpenAgri', [{ name: PROBE, readings }], (probe, _, end) =>
      hasGap(probe, end) ? 'gap' : null,
    );
  });
}

/** No mineral soil holds more, so that the port or the sensor is broken. */
const MAX_MOISTURE = 60;

async function sheepDoubts(folder: string): Promise<FalseDoubts> {
  const probes = await readSheepProbes(folder);
  const frozen = frozenDays(await readSheepWeather(folder));
  return withFarm(sheepFarm(probes), probes[0]!.readings[0]!.at, async (farm) => {
    for (const { readings, temperatures } of probes) {
      await farm.record(readings.filter(({ value }) => value >= 0 && value <= 100));
      await farm.record(temperatures, 'temperature');
    }
    return countDoubts(farm, 'Dubois', probes, (probe, start, end) => {
      if (hasGap(probe, end)) return 'gap';
      if (isBroken(probe, start, end)) return 'broken';
      return daysBetween(start, end).some((day) => frozen.has(day)) ||
        hasFrost(probes.find(({ name }) => name === probe.name)!, start, end)
        ? 'frozen'
        : null;
    });
  });
}

const within = (start: number, end: number) => (reading: Reading) =>
  reading.at > start && reading.at <= end;

const isBroken = ({ readings }: Probe, start: number, end: number): boolean =>
  readings.filter(within(start, end)).some(({ value }) => value < 0 || value > MAX_MOISTURE);

const hasFrost = ({ temperatures }: SheepProbe, start: number, end: number): boolean =>
  temperatures.filter(within(start, end)).some(({ value }) => value <= 1);

const daysBetween = (start: number, end: number): number[] =>
  Array.from(
    { length: Math.ceil((end - start) / DAY_MS) },
    (_, day) => dayOf(start) + day * DAY_MS,
  );

async function simulatedDoubts(): Promise<FalseDoubts> {
  const probes = healthyProbes();
  const fields: FarmFields = {
    parcels: [
      {
        name: 'Field',
        soilProfile: [{ usdaClass: 'Sandy loam', depthTopCm: 0, depthBottomCm: 100 }],
      },
    ],
    modules: probes.map(({ name }) => ({ ...simulatedModule(name), parcel: 'Field' })),
  };
  return withFarm(fields, probes[0]!.readings[0]!.at, async (farm) => {
    for (const { readings } of probes) await farm.record(readings);
    const doubted: DoubtedWeek[] = [];
    for (const { name: probe } of probes)
      for (const at of SIMULATED_WEEKS)
        doubted.push(...doubtsAmong(await reasonsAt(farm, probe, at), probe, at));
    return {
      data: 'Simulated',
      kind: 'simulated',
      weeks: probes.length * SIMULATED_WEEKS.length,
      able: { time: probes.length * SIMULATED_WEEKS.length, balance: 0 },
      leftOut: NONE_LEFT_OUT,
      doubted,
      differing: 0,
    };
  });
}

/** The weekly profiles of the plots, by neutron probe: each is a probe of its own. */
const profileDoubts = (results: readonly ProfileResult[]): FalseDoubts => ({
  data: 'Cotton and maize',
  kind: 'profiles',
  weeks: results.length,
  able: { time: 0, balance: 0 },
  leftOut: NONE_LEFT_OUT,
  doubted: results.flatMap(({ plot, at, reasons }) => doubtsAmong(reasons, plot, at)),
  differing: 0,
});

/** All rules, those of the balance among them, over soil that FAO-56 and noise describe. */
async function cropDoubts(cotton: CottonTrial): Promise<FalseDoubts> {
  return withSimulatedCrop(cotton, async (farm, probes) => {
    const doubts = await countDoubts(farm, 'Simulated crop', probes, () => null);
    const balance = doubts.weeks;
    return { ...doubts, kind: 'simulated', able: { time: doubts.weeks, balance } };
  });
}

export async function countFalseDoubts(
  folder: string,
  hours: readonly Hour[],
  profiles: readonly ProfileResult[],
  cotton: CottonTrial,
): Promise<FalseDoubts[]> {
  return [
    await openAgriDoubts(hours),
    await sheepDoubts(folder),
    profileDoubts(profiles),
    await simulatedDoubts(),
    await cropDoubts(cotton),
  ];
}
