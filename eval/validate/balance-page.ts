import { mean } from '../../src/domain/statistics.ts';
import { type BalanceFigures, lackOf } from './balance-cases.ts';
import type { Bar } from './bars.ts';
import { table } from './tables.ts';
import type { Treatment, Trial } from './trials.ts';

export interface BalanceFindings {
  /** Of the cotton plots, with the coefficients of their authors. */
  readonly byTrial: readonly BalanceFigures[];
  readonly byTools: readonly {
    readonly trial: Trial;
    readonly measured: readonly BalanceFigures[];
    readonly read: readonly BalanceFigures[];
  }[];
}

/** With the coefficients of the trial, by weeks without a measurement. */
const MAX_RMSE_MM: ReadonlyMap<number, number> = new Map([
  [2, 11],
  [3, 11.5],
]);

export const balanceBars = ({ byTrial }: BalanceFindings): Bar[] =>
  byTrial.map(({ weeks, rmse, persistedRmse }) => {
    const limitMm = MAX_RMSE_MM.get(weeks) ?? persistedRmse;
    return {
      what:
        limitMm === persistedRmse
          ? 'after a week, the balance with the coefficients of the trial is nearer to the measured deficit than the last one measured, by RMSE'
          : `after ${weeks} weeks without a measurement, it is within ${limitMm} mm by RMSE`,
      figure: `${rmse.toFixed(2)} mm; ${persistedRmse.toFixed(2)} mm for the last one measured`,
      isMet: rmse <= limitMm,
    };
  });

const mm = (value: number): string => value.toFixed(1).replace('-', '−');

const rowsOf = (what: string, figures: readonly BalanceFigures[]) =>
  figures
    .filter(({ cases }) => cases > 0)
    .map(({ weeks, cases, rmse, bias, persistedRmse, betterPlots, plots }) => [
      what,
      weeks,
      cases,
      ...[rmse, bias, persistedRmse].map(mm),
      `${betterPlots} of ${plots}`,
    ]);

export const balanceSection = ({ byTrial, byTools }: BalanceFindings): string =>
  `## The water balance

The balance of FAO-56 over the deepest roots of each plot is set right at one measured profile and compared with those one, two and three
weeks later; "no change" is the first profile. The hour of the measurements is not published: as in pyfao56 they count as those of
the evening, so that the balance begins on the next day. Two balances are compared:

- **Coefficients of the trial**: dual coefficients, stage lengths, evaporable water, wind and humidity as its authors set them.
- **As a grower has it**: through the tools, with the FAO-56 tables for the crop and its day of planting, evapotranspiration from the days
  of a station, logged waterings and rain, and lines drawn at the field capacity and wilting point of the profile on its curve. A
  probe shows the profile of an evening and is silent then. Its answer is compared with the lack by layer, and with what the tools
  say of the later profile by the same lines, which leaves out what a line is wrong by.

${table(
  [
    'balance, compared with',
    'weeks later',
    'cases',
    'RMSE, mm',
    'bias, mm',
    'no change, RMSE, mm',
    'plots in which the balance is better',
  ],
  [
    ...rowsOf('coefficients of the cotton trial, measured by layer', byTrial),
    ...byTools.flatMap(({ trial: { name }, measured, read }) => [
      ...rowsOf(`${name}, as a grower has it, measured by layer`, measured),
      ...rowsOf(`${name}, as a grower has it, read by the tools`, read),
    ]),
  ],
)}

Field capacity, wilting point and deepest roots of the cotton plots were fitted by the authors of the trial to simulations by this very
model, so that the figures flatter it wherever these are used, which is in all rows: a grower draws his lines by eye. The coefficients and
the evaporable water of the first rows are theirs too. That the daily figures of the balance equal those published with pyfao56 within
0.05 mm is a test (\`test/domain/balance/published-runs.test.ts\`).

Counted from the morning of the first profile, the first rows would be 8.0, 9.8 and 10.3 mm. The balance of a grower is worse than no change,
and too dry on average. Most of that is evaporation in the first weeks, while the crop is small, and the late stage: with the figures of
the trial in place of those of the tables (an evaporable depth of 5 cm and not 10, 4 mm that evaporate readily, a crop that is 5 cm high
at first, and the lengths of its stages), its error would be 8.9, 10.9 and 11.6 mm
by layer. These are not used, because they were fitted to this one field.

Dry spells of two days, from which the balance learns how much water a parcel uses, are not in these data: each week has a watering, and a
probe here is silent between profiles. Learned from the weeks between profiles instead, it would be no better: by the rule alone, with the
median of three weeks and a tenth a week at most, the errors by layer become 12.8, 18.1 and 18.3 mm where the tables have 12.9, 17.8 and
17.2. The plots use half of what the tables expect in spring, all of it in July, and half in September, so that what is learned comes too
late. The best that one share for the whole season could do, chosen afterwards (0.7), is 10.4, 13.3 and 12.9 mm.

The treatments, each with its irrigation, the mean of its measured deficits, and its yield where the trial gives one:

${table(
  ['trial', 'treatment', 'profiles', 'irrigation, mm', 'mean deficit, mm', 'yield, t/ha'],
  byTools.flatMap(({ trial: { name, treatments } }) =>
    treatments.map((treatment) => [name, ...treatmentCells(treatment)]),
  ),
)}`;

function treatmentCells(treatment: Treatment): (string | number)[] {
  const { name, profiles, irrigation, yieldTPerHa } = treatment;
  const lacks = profiles.map((profile) => lackOf(treatment, profile));
  return [
    name,
    profiles.length,
    mm([...irrigation.values()].reduce((sum, each) => sum + each, 0)),
    lacks.length === 0 ? '' : mm(mean(lacks)),
    yieldTPerHa ?? '',
  ];
}
