export interface Losses {
  readonly efficiencyPercent: number;
  readonly leachingPercent: number;
}

/**
 * Ea (1 - LR): the share of the applied water that serves the roots, so that gross = net / share. Source: R. S. Ayers and
 * D. W. Westcot (1985), Water Quality for Agriculture, FAO Irrigation and Drainage Paper 29, chapter 2.4.
 */
export const netShare = ({ efficiencyPercent, leachingPercent }: Losses): number =>
  (efficiencyPercent / 100) * (1 - leachingPercent / 100);

/** Min; less is no reason for another day. */
const MIN_EXCESS = 1;

/** On as few days as possible, equally long. */
export function splitByDay(durationMin: number, hoursPerDay: number): { days: number; minutesPerDay: number } {
  const days = Math.max(1, Math.ceil((durationMin - MIN_EXCESS) / (60 * hoursPerDay)));
  return { days, minutesPerDay: durationMin / days };
}

/** The soil dries meanwhile, and no figure of today is right that long. */
export const FAR_DAYS = 14;

/** Whether waterings of several days end in sight and give more (net mm a day at the limit) than the soil loses. */
export const canCatchUp = (
  { days }: { readonly days: number },
  { givenMmPerDay, lostMmPerDay }: { readonly givenMmPerDay: number; readonly lostMmPerDay: number },
): boolean => days === 1 || (days <= FAR_DAYS && givenMmPerDay > lostMmPerDay);
