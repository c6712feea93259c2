import type { BalanceFigures } from './balance.ts';
import type { Bar } from './bars.ts';

/**
 * By weeks without a measurement. After one week it must be better than no balance; the goal is
 * `GOAL_MM`, in `GOAL_SHARE` of the plots.
 */
const MAX_RMSE_MM: ReadonlyMap<number, number> = new Map([
  [2, 10],
  [3, 11],
]);

const GOAL_MM = 7.5;
const GOAL_SHARE = 0.8;

const reachesGoal = ({ weeks, rmse, betterPlots, plots }: BalanceFigures): boolean =>
  weeks === 1 && rmse <= GOAL_MM && betterPlots >= GOAL_SHARE * plots;

export const balanceBars = (figures: readonly BalanceFigures[]): Bar[] =>
  figures.map(({ weeks, rmse, persistedRmse }) => {
    const limitMm = MAX_RMSE_MM.get(weeks) ?? persistedRmse;
    return {
      what:
        limitMm === persistedRmse
          ? 'after a week, the balance is nearer to the measured deficit than the last one measured, by RMSE'
          : `after ${weeks} weeks without a measurement, the deficit by the balance is within ${limitMm} mm by RMSE`,
      figure: `${rmse.toFixed(2)} mm; ${persistedRmse.toFixed(2)} mm for the last one measured`,
      isMet: rmse <= limitMm,
    };
  });

export const balanceSection = (figures: readonly BalanceFigures[]): string =>
  `## The water balance

The balance of FAO-56 (dual coefficients of the trial, its reference evapotranspiration, rain and irrigation) over
the deepest roots of each cotton plot, set right at one measured profile and compared with those one, two and three
weeks later. "Persistence" is the deficit of the first profile. That its daily figures equal those published with
pyfao56 within 0.05 mm is a test (\`test/domain/balance/published-runs.test.ts\`).

| weeks later | cases | RMSE, mm | bias, mm | persistence, RMSE, mm | plots in which the balance is better |
|---|---|---|---|---|---|
${figures
  .map(
    ({ weeks, cases, rmse, bias, persistedRmse, betterPlots, plots }) =>
      `| ${weeks} | ${cases} | ${rmse.toFixed(1)} | ${bias.toFixed(1).replace('-', '−')} | ${persistedRmse.toFixed(1)} | ${betterPlots} of ${plots} |`,
  )
  .join('\n')}

Within a week a profile changes little beside what its own measurement is uncertain by, so that a balance gains less
than over longer silence. The goal after one week, an RMSE of ${GOAL_MM} mm and a better figure in ${100 * GOAL_SHARE} % of the plots, is ${figures.some(reachesGoal) ? '' : 'not '}reached.`;
