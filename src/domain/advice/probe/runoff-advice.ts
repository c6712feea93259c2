import { roundTo } from '../../decimal.ts';
import type { SetupFacts } from '../../facts/probe-facts.ts';
import { type CycleAndSoak, cycleAndSoak } from '../../irrigation/runoff.ts';
import type { UsdaClass } from '../../soil/soil-catalog.ts';
import type { WateringAdvice } from '../advice.ts';
import { inOrder, reasonWith } from '../reason.ts';
import { type SoilOfDepth, textureAtTop } from '../wetted-fraction.ts';
import { MINUTE_DECIMALS, withFlowOfTurn } from './water-amounts.ts';

type RunoffSetup = Pick<SetupFacts, 'installation'> & Partial<Pick<SetupFacts, 'settings'>>;

/** The advice in parts, where the equipment applies more than the soil takes in. */
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
  const runoff = runoffWithin(minutes, setup, textureAtTop(recent.depths));
  return runoff === null
    ? advice
    : { ...advice, reasons: inOrder([...advice.reasons, reasonWith('RUNOFF', runoff)]) };
}

/** How to divide a run of this many minutes into parts with pauses; null if no water would run off. */
export function runoffWithin(
  minutes: number | null,
  { installation: equipment, settings }: RunoffSetup,
  usdaClass: UsdaClass | null,
): CycleAndSoak | null {
  const installation = withFlowOfTurn(equipment, settings?.waterTimes);
  if (installation === null || minutes === null || minutes === 0) return null;

  const cycles = cycleAndSoak(installation, usdaClass, minutes);
  if (cycles === null) return null;

  const round = (value: number): number => roundTo(value, MINUTE_DECIMALS);
  return {
    ...cycles,
    rateMmPerH: round(cycles.rateMmPerH),
    minutesPerPart: round(cycles.minutesPerPart),
    pauseMin: round(cycles.pauseMin),
  };
}
