import { roundTo } from '../../decimal.ts';
import type { SetupFacts } from '../../facts/probe-facts.ts';
import { cycleAndSoak } from '../../irrigation/runoff.ts';
import type { WateringAdvice } from '../advice.ts';
import { inOrder, reasonWith } from '../reason.ts';
import { type SoilOfDepth, textureAtTop } from '../wetted-fraction.ts';
import { MINUTE_DECIMALS } from './water-amounts.ts';

/** The advice in parts, where the equipment applies more than the soil takes in. */
export function withRunoff<Advice extends WateringAdvice>(
  advice: Advice,
  {
    setup: { installation },
    recent,
  }: {
    readonly setup: Pick<SetupFacts, 'installation'>;
    readonly recent: { readonly depths: readonly SoilOfDepth[] };
  },
): Advice {
  const minutes = advice.daily?.minutesPerDay ?? advice.durationMin;
  if (installation === null || minutes === null || minutes === 0) return advice;

  const cycles = cycleAndSoak(installation, textureAtTop(recent.depths), minutes);
  if (cycles === null) return advice;

  const round = (value: number): number => roundTo(value, MINUTE_DECIMALS);
  const runoff = reasonWith('RUNOFF', {
    ...cycles,
    rateMmPerH: round(cycles.rateMmPerH),
    minutesPerPart: round(cycles.minutesPerPart),
    pauseMin: round(cycles.pauseMin),
  });
  return { ...advice, reasons: inOrder([...advice.reasons, runoff]) };
}
