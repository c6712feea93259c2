import { mmDownTo } from '../../src/domain/balance/root-zone-soil.ts';
import { groupBy } from '../../src/domain/groups.ts';
import { DAY_MS } from '../../src/domain/periods.ts';
import { errorStatistics } from './statistics.ts';
import type { Treatment, TrialProfile } from './trials.ts';

/** The balance of a plot, set right at one measured profile and compared with a later one. */
export interface BalanceCase extends ProfilePair {
  readonly balanceMm: number;
}

export interface ProfilePair {
  readonly plot: string;
  /** How many of the weekly profiles lie between, and one more. */
  readonly weeks: number;
  readonly from: TrialProfile;
  readonly to: TrialProfile;
  readonly measuredMm: number;
  /** What was measured at the beginning. */
  readonly persistedMm: number;
}

export const BALANCE_WEEKS = [1, 2, 3] as const;
/** The profiles of a week lie at most this much further apart. */
const MAX_DAYS_MORE = 3;

/** The pairs of profiles that lie one, two and three weeks apart. */
export const profilePairs = (plot: Treatment): ProfilePair[] =>
  plot.profiles.flatMap((from, index) =>
    BALANCE_WEEKS.flatMap((weeks) => {
      const to = plot.profiles[index + weeks];
      const days = to === undefined ? 0 : (to.day - from.day) / DAY_MS;
      if (to === undefined || days > 7 * weeks + MAX_DAYS_MORE) return [];
      const [persistedMm, measuredMm] = [lackOf(plot, from), lackOf(plot, to)];
      return [{ plot: plot.name, weeks, from, to, measuredMm, persistedMm }];
    }),
  );

/** What each layer lacks on its own: a wet one makes up for no dry one, as in advice. */
export function lackOf({ soil, rootDepthCm }: Treatment, { layers }: TrialProfile): number {
  const lacking = layers.map(({ bottomCm, water }, index) => ({
    topCm: layers[index - 1]?.bottomCm ?? 0,
    bottomCm,
    fieldCapacity: soil[index]!.fieldCapacity,
    wiltingPoint: water,
  }));
  return mmDownTo(lacking, rootDepthCm, ({ fieldCapacity, wiltingPoint: water }) =>
    Math.max(0, fieldCapacity - water),
  );
}

export interface BalanceFigures {
  readonly weeks: number;
  readonly cases: number;
  readonly rmse: number;
  readonly bias: number;
  readonly persistedRmse: number;
  /** Plots in which the balance has the smaller RMSE, and all of them. */
  readonly betterPlots: number;
  readonly plots: number;
}

export const balanceFigures = (cases: readonly BalanceCase[]): BalanceFigures[] =>
  BALANCE_WEEKS.map((weeks) => {
    const ofLead = cases.filter((each) => each.weeks === weeks);
    const statisticsOf = (of: readonly BalanceCase[], estimate: 'balanceMm' | 'persistedMm') =>
      errorStatistics(of.map((each) => each[estimate] - each.measuredMm));
    const plots = [...groupBy(ofLead, ({ plot }) => plot).values()];
    const { rmse, bias } = statisticsOf(ofLead, 'balanceMm');
    return {
      weeks,
      cases: ofLead.length,
      rmse,
      bias,
      persistedRmse: statisticsOf(ofLead, 'persistedMm').rmse,
      betterPlots: plots.filter(
        (of) => statisticsOf(of, 'balanceMm').rmse < statisticsOf(of, 'persistedMm').rmse,
      ).length,
      plots: plots.length,
    };
  });
