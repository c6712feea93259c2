import { roundTo } from '../../decimal.ts';
import type { SetupFacts } from '../../facts/probe-facts.ts';
import { type CycleAndSoak, cycleAndSoak } from '../../irrigation/runoff.ts';
import { type Runs, runsOf } from '../../irrigation/runs.ts';
import type { UsdaClass } from '../../soil/soil-catalog.ts';
import type { WateringAdvice } from '../advice.ts';
import { inOrder, reasonWith } from '../reason.ts';
import { type SoilOfDepth, textureAtTop } from '../wetted-fraction.ts';
import { MINUTE_DECIMALS, withFlowOfTurn } from './water-amounts.ts';

type RunoffSetup = Pick<SetupFacts, 'installation'> & Partial<Pick<SetupFacts, 'settings'>>;

/** The advice in parts, where the equipment applies more than the soil takes in or runs are short. */
export function withRunoff<Advice extends WateringAdvice>(
  advice: Advice,
  {
    setup,
    recent,
  }: {
    readonly setup: RunoffSetup;
    readonly recent: { readonly depths: readonly SoilOfDepth[] };
  },
): Advice {
  const minutes = advice.daily?.minutesPerDay ?? advice.durationMin;
  const runs = runsWithin(minutes, setup, textureAtTop(recent.depths));
  if (runs === null) return advice;

  const reason =
    'rateMmPerH' in runs ? reasonWith('RUNOFF', runs) : reasonWith('LONGEST_RUN', runs);
  return { ...advice, reasons: inOrder([...advice.reasons, reason]) };
}

/**
 * How to divide a run of this many minutes into parts with pauses; null if no water would run off
 * and it is no longer than the longest run.
 */
export function runsWithin(
  minutes: number | null,
  { installation: equipment, settings }: RunoffSetup,
  usdaClass: UsdaClass | null,
): CycleAndSoak | Runs | null {
  const times = settings?.waterTimes ?? undefined;
  const installation = withFlowOfTurn(equipment, times);
  if (installation === null || minutes === null || minutes === 0) return null;

  const cycles = cycleAndSoak(installation, usdaClass, minutes, times);
  const runs = cycles ?? runsOf(minutes, times);
  if (runs === null) return null;

  const round = (value: number): number => roundTo(value, MINUTE_DECIMALS);
  return {
    ...runs,
    ...(cycles === null ? {} : { rateMmPerH: round(cycles.rateMmPerH) }),
    minutesPerPart: round(runs.minutesPerPart),
    pauseMin: round(runs.pauseMin),
  };
}
