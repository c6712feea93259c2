import { groupBy } from '../../groups.ts';
import type { ProbeAdvice } from '../advice.ts';
import { meanwhileOf } from '../meanwhile.ts';
import { adviceConfidence } from '../probe/moisture-reasons.ts';
import { inOrder, reasonWith } from '../reason.ts';
import { withholdsAmount } from '../reason-kinds.ts';
import { differingProbes, MAX_COMPARED, parcelWithSetup } from './differing-probes.ts';
import type { FarmProbe } from './farm-probe.ts';

/** Adds what the other probes on the same valve show to the advice for each. */
export const compareProbes = (probes: readonly FarmProbe[], now: number): FarmProbe[] =>
  probes.map(probeComparison(probes, now));

/** Compares one of these probes at a time. */
export function probeComparison(
  probes: readonly FarmProbe[],
  now: number,
): (probe: FarmProbe) => FarmProbe {
  const ofParcel = groupBy(probes, parcelWithSetup);
  return (probe) => {
    const parcelId = parcelWithSetup(probe);
    const sameValve = parcelId === null ? [] : (ofParcel.get(parcelId) ?? []);
    // One more, because the probe may be among them.
    const others = sameValve.slice(0, MAX_COMPARED + 1).filter((other) => other !== probe);
    return compareProbe(probe, others.slice(0, MAX_COMPARED), now);
  };
}

function compareProbe(probe: FarmProbe, sameValve: readonly FarmProbe[], now: number): FarmProbe {
  const { advice, waterings } = probe;
  if (advice === null) return probe;

  const advices = sameValve.flatMap((other) => other.advice ?? []);
  return {
    ...probe,
    advice: {
      ...withDiffering(
        advice,
        differingProbes(probe, sameValve.filter(isReliable), now).map(({ module }) => module.id),
      ),
      meanwhile: meanwhileOf(advice, {
        sameValve: advices,
        balance: advice.meanwhile,
        waterings,
        now,
      }),
    },
  };
}

/** One whose readings are in doubt themselves casts no doubt on another. */
const isReliable = ({ advice }: FarmProbe): boolean =>
  advice === null || !advice.reasons.some(withholdsAmount);

/** The amount of one of them suits only a part of what the valve waters. */
export function withDiffering(advice: ProbeAdvice, moduleIds: readonly number[]): ProbeAdvice {
  // A probe in doubt is looked at anyway.
  if (moduleIds.length === 0 || advice.reasons.some(withholdsAmount)) return advice;
  const reasons = inOrder([reasonWith('PROBES_DIFFER', { moduleIds }), ...advice.reasons]);
  return { ...advice, reasons, confidence: adviceConfidence(reasons, advice) };
}
