import { type BalanceFindings, balanceSection } from './balance-page.ts';
import type { Bar } from './bars.ts';
import { doubtSection } from './doubt-section.ts';
import type { FalseDoubts } from './false-doubts.ts';
import { type Hindcast, type HindcastCase, LEADS_DAYS, LONGEST_DAYS } from './hindcast.ts';
import type { ProfileResult, SoilScenario } from './profiles.ts';
import { type RiseFigures, SOILS, STUCK_DAYS, type StuckFigures } from './simulated-sensors.ts';
import { errorStatistics } from './statistics.ts';
import { table } from './tables.ts';
import type { GaugeComparison, RiseComparison } from './wetting-events.ts';

export interface Findings {
  readonly bars: readonly Bar[];
  readonly profiles: ReadonlyMap<SoilScenario, readonly ProfileResult[]>;
  readonly rises: readonly RiseComparison[];
  readonly gauges: readonly GaugeComparison[];
  readonly hindcasts: readonly Hindcast[];
  readonly simulatedRises: readonly RiseFigures[];
  readonly stuck: readonly StuckFigures[];
  readonly falseDoubts: readonly FalseDoubts[];
  /** Null where it is not wanted. */
  readonly balance: BalanceFindings | null;
}

const fixed = (value: number, digits = 1): string => {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
};

const SCENARIO_TEXTS: Record<SoilScenario, string> = {
  line_by_thickness: 'measured, drawn as lines on a curve weighted by thickness',
  line: 'measured, drawn as lines on the usual curve, weighted by root uptake',
  line_and_layers: 'the same over declared layers, each of the class nearest in field capacity',
  layers: 'these classes alone',
  one_class: 'one class for the whole profile, the nearest',
  next_class: 'the class above it in field capacity',
};

const TRIALS = [
  { name: 'cotton', prefix: 'cotton' },
  { name: 'maize', prefix: 'E42' },
] as const;

/** One section alone: `npm run validate -- DATA --only SECTION`. */
export const SECTIONS = [
  'deficit',
  'stress',
  'rises',
  'days-to-stress',
  'balance',
  'simulation',
  'doubts',
] as const;
export type Section = (typeof SECTIONS)[number];

const SECTION_TEXTS: Readonly<Record<Section, (findings: Findings) => string>> = {
  deficit: ({ profiles }) => deficitSection(profiles),
  stress: ({ profiles }) => `${stressSection(profiles)}\n\n${plotSection(profiles)}`,
  rises: ({ rises, gauges }) => riseSection(rises, gauges),
  'days-to-stress': ({ hindcasts }) => hindcastSection(hindcasts),
  balance: ({ balance }) => (balance === null ? '' : balanceSection(balance)),
  simulation: ({ simulatedRises, stuck }) => simulationSection(simulatedRises, stuck),
  doubts: ({ falseDoubts }) => doubtSection(falseDoubts),
};

/** `only` leaves out the introduction and all other sections. */
export const validationPage = (findings: Findings, only: Section | null): string =>
  `${(
    only === null
      ? [
          INTRODUCTION,
          barSection(findings.bars),
          ...SECTIONS.map((section) => SECTION_TEXTS[section](findings)),
          LIMITS,
        ]
      : [barSection(findings.bars), SECTION_TEXTS[only](findings)]
  ).join('\n\n')}\n`;

const INTRODUCTION = `# Validation

What the tools answer, compared with measurements of others. This page is the output of

\`\`\`
npm run validate -- DATA --write
\`\`\`

where \`DATA\` is a folder with the data below, which are not part of the package; \`ACEQUIA_VALIDATION_DATA\` names it too. Each
comparison fills a temporary store with the measurements, sets the clock to their time, and calls the tools as an assistant does.

| folder | what | from | terms |
|---|---|---|---|
| \`pyfao56/\` | soil water measured by layer with a neutron probe, field capacity and wilting point of each layer: 31 of the 64 plots of the Maricopa cotton trial of 2018 (a 32nd has no published root depth), one plot of the LIRF maize trial of 2023 | [kthorp/pyfao56](https://github.com/kthorp/pyfao56), commit 1d242ee, \`tests/test09\` and \`tests/test07\` | United States Government work in the public domain, CC0 1.0 elsewhere |
| \`openagri/\` | a year of hourly moisture at six depths, with rain (\`OpenAgriIoTsensorsrecordings2024two.csv\`) | the OpenAgri project | EUPL 1.2 |
| \`sheepweather/\` | raw exports of two loggers in sagebrush steppe (Dubois, Idaho), moisture at 5 and 25 cm every two hours from April 2014 to November 2015, with the daily weather of the station | akleinhesselink/sheepweather | CC0 1.0 |`;

function barSection(bars: readonly Bar[]): string {
  const rows = bars.map(({ what, figure, isMet }) => [what, figure, isMet ? 'yes' : '**no**']);
  return `## What must hold

The command fails if one of these does not. Of the days to stress, the figures in brackets are those of the two other rules.

${table(['', 'found', 'holds'], rows)}`;
}

function deficitSection(profiles: Findings['profiles']): string {
  const rowOf = (
    text: string,
    estimates: (result: ProfileResult) => number,
    results: readonly ProfileResult[],
  ) =>
    TRIALS.flatMap(({ name, prefix }) => {
      const ofTrial = results.filter(({ plot }) => plot.startsWith(prefix));
      if (ofTrial.length === 0) return [];
      const { count, rmse, bias, medianAbsolute, largest } = errorStatistics(
        ofTrial.map((result) => estimates(result) - result.perLayerMm),
      );
      return [[text, name, count, fixed(rmse), fixed(bias), fixed(medianAbsolute), fixed(largest)]];
    });
  const [first] = profiles.values();
  const rows = [
    ...rowOf('measured, by layer: the rule alone', ({ ruleMm }) => ruleMm, first!),
    ...[...profiles].flatMap(([scenario, results]) =>
      rowOf(SCENARIO_TEXTS[scenario], ({ advisedMm }) => advisedMm, results),
    ),
    ...rowOf('published, wet layers offsetting dry ones', ({ publishedMm }) => publishedMm, first!),
  ];
  return `## Deficit

\`deficitMm\` of \`advise_watering\`, in mm, less the depletion of the root zone from the same profile: the sum over its layers of field
capacity less water content, where a layer above its field capacity counts 0. The root depth is the published one of the day, and
sensors are at depths whose slices are the measured layers.

${table(['field capacity', 'trial', 'profiles', 'RMSE, mm', 'bias, mm', 'median absolute, mm', 'largest, mm'], rows)}

With the field capacity of each layer the rule is the definition, which shows no more than that slices and sums are right; the last
two rows show how far the published depletion is from it. A line is one figure for all layers. The uptake of roots weighs the
upper layers more, so a line on the usual curve gives the lower ones too much where they hold less, most of all in the maize plot, where
the field capacity falls from 26 to 14 %; declared layers correct that. Without a line, the texture classes decide.`;
}

function stressSection(profiles: Findings['profiles']): string {
  const published: readonly [string, (result: ProfileResult) => boolean][] = [
    ['depletion above the published p', ({ isBelowAllowedDepletion }) => isBelowAllowedDepletion],
    [
      'Ks below 1: p adjusted to the demand of the day',
      ({ isStressPublished }) => isStressPublished,
    ],
  ];
  const rows = [...profiles].flatMap(([scenario, results]) =>
    published.map(([text, isStress]) => {
      const judged = results.filter((result) => result.isStress !== null);
      const count = (ours: boolean, theirs: boolean): number =>
        judged.filter((result) => result.isStress === ours && isStress(result) === theirs).length;
      const agreement = (100 * (count(true, true) + count(false, false))) / judged.length;
      return [
        SCENARIO_TEXTS[scenario],
        text,
        count(true, true),
        count(true, false),
        count(false, true),
        count(false, false),
        `${fixed(agreement, 0)} %`,
      ];
    }),
  );
  return `## Stress

Profiles that \`get_agronomic_state\` finds under stress, compared with those that are by the published figures. Its stress point
follows from field capacity, wilting point and the allowed depletion p: 0.65 for cotton, known from the crop of the parcel, and the
published 0.5 for maize, set with \`set_probe_settings\`.

${table(['field capacity and wilting point', 'published', 'both', 'ours alone', 'published alone', 'neither', 'agree'], rows)}`;
}

function plotSection(profiles: Findings['profiles']): string {
  const shown = (['line_by_thickness', 'line_and_layers', 'layers'] as const).flatMap(
    (scenario) => {
      const results = profiles.get(scenario);
      return results === undefined ? [] : [results];
    },
  );
  const plots = [...new Set(shown[0]!.map(({ plot }) => plot))];
  const rows = plots.map((plot) => {
    const results = shown.map((each) => each.filter((result) => result.plot === plot));
    const stressed = results[0]!.filter(({ isBelowAllowedDepletion }) => isBelowAllowedDepletion);
    const agreeing = results[0]!.filter(
      ({ isStress, isBelowAllowedDepletion }) => isStress === isBelowAllowedDepletion,
    );
    return [
      plot,
      results[0]!.length,
      ...results.flatMap((each) => {
        const { rmse, bias } = errorStatistics(
          each.map(({ advisedMm, perLayerMm }) => advisedMm - perLayerMm),
        );
        return [`${fixed(rmse)} (${fixed(bias)})`];
      }),
      `${agreeing.length} (${stressed.length})`,
    ];
  });
  return `### Plot by plot

RMSE and, in brackets, bias of the deficit in mm; then the profiles whose state agrees with the published p under the lines of the
first column, in brackets those under stress.

${table(['plot', 'profiles', 'lines, by thickness', 'lines over layers', 'classes alone', 'stress'], rows)}`;
}

function riseSection(rises: readonly RiseComparison[], gauges: readonly GaugeComparison[]): string {
  const rows = rises.map(
    ({ minRainMm, rainyDays, detectedDays, rises: found, explainedEvents }) => [
      `${minRainMm} mm`,
      `${detectedDays} of ${rainyDays}`,
      `${explainedEvents} of ${found}`,
    ],
  );
  const gaugeRows = gauges.map(({ soil, gauge, ...each }) => [
    soil,
    gauge,
    each.rises,
    each.withRain,
    each.asRain,
    each.withinTheDose,
    `${each.unshown} of ${each.heavyEvents}`,
  ]);
  return `## Rises

\`review_waterings\` over the OpenAgri year, without any logged watering: its rises, compared with the rain gauge beside the probe.

${table(['days with more rain than', 'with a rise that day or the next', 'rises after such rain within a day'], rows)}

With the rain recorded, a rise is put down to it up to 2.5 times its amount; a watering explains up to 1.3 times its dose, and that
limit would leave more rises unexplained. The last column counts events of 20 mm and more, ended by six dry hours, that no depth showed:
on these \`GAUGE_DOUBTFUL\` would doubt the gauge or the probe, even if the soil had room for all of the rain.

${table(['soil', 'gauge', 'rises', 'with rain of that time', 'put down to it', 'within 1.3 times', 'heavy rain not shown'], gaugeRows)}`;
}

function hindcastSection(hindcasts: readonly Hindcast[]): string {
  const rows = hindcasts.flatMap(({ soil, cases }) =>
    LEADS_DAYS.flatMap((leadDays) => {
      const ofLead = cases.filter((each) => each.leadDays === leadDays);
      if (ofLead.length === 0) return [];
      const row = (text: string, days: (each: HindcastCase) => number) => {
        const { count, meanAbsolute, medianAbsolute, rmse, bias } = errorStatistics(
          ofLead.map((each) => days(each) - leadDays),
        );
        return [
          soil,
          leadDays,
          text,
          count,
          ...[meanAbsolute, medianAbsolute, rmse, bias].map((value) => fixed(value, 2)),
        ];
      };
      return [
        row('`advise_watering`', ({ advisedDays }) => advisedDays),
        row('the earlier rule', ({ earlierDays }) => earlierDays),
        row('the last day goes on', ({ naiveDays }) => naiveDays),
        row('the moisture stays', () => LONGEST_DAYS),
      ];
    }),
  );
  const leftOut = hindcasts.map(({ soil, leftOut: { rain, no_fall, gap, no_answer } }) => [
    soil,
    ...[rain, no_fall, gap, no_answer],
  ]);
  return `## Days to stress

On each morning (06:00), the moisture that the soil reached 1, 3 or 7 days later was made the stress point, by drawn lines, and
\`advise_watering\` was asked how many days are left, without any rain until then. The data are the OpenAgri year and the summers (May to
September) of Dubois, a sagebrush steppe without irrigation, with the rain of its station. A probe of Dubois is left out if one of its
depths has no values. The answer is compared with the earlier rule (the mean of the newest and the median dry day, whether the soil fell
on it or not, in a straight line) and with two naive ones: the fall of the last 24 hours goes on, and the moisture stays as it is.
Errors are in days; an answer above ${LONGEST_DAYS} days, or that
the soil does not dry, counts as ${LONGEST_DAYS}.

${table(['soil', 'days ahead', 'rule', 'cases', 'mean absolute error', 'median', 'RMSE', 'bias'], rows)}

Cases that are left out:

${table(['soil', 'rain on the way', 'the soil did not dry', 'a gap in the data', 'no answer for lack of dry days'], leftOut)}`;
}

function simulationSection(rises: readonly RiseFigures[], stuck: readonly StuckFigures[]): string {
  const stepText = (points: number): string => `${points} %`;
  const riseRows = rises.map(({ stepPoints, falseRises, foundWaterings }) => [
    stepText(stepPoints),
    falseRises,
    `${foundWaterings} of ${SOILS}`,
  ]);
  const steps = [...new Set(stuck.map(({ stepPoints }) => stepPoints))];
  const stuckRows = steps.map((stepPoints) => {
    const ofStep = stuck.filter((each) => each.stepPoints === stepPoints);
    return [
      stepText(stepPoints),
      `${ofStep[0]!.falselyReported} of ${SOILS}`,
      ...ofStep.map(({ reported }) => `${reported} of ${SOILS}`),
    ];
  });
  return `## Coarse and stuck sensors

${SOILS} simulated soils (\`eval/validate/simulated-sensors.ts\`) dry for 14 days at three depths, with a daily swing and noise, read every
15 minutes by sensors that report in steps. \`review_waterings\` must find no rise in them, and the one of a watering of 4, 2 and 1
points at the three depths.

${table(['step', 'false rises', 'waterings found'], riseRows)}

\`SENSOR_STUCK\` of \`advise_watering\`, where the deepest sensor repeats one value for the last days:

${table(['step', 'no sensor stuck', ...STUCK_DAYS.map((days) => `stuck for ${days} ${days === 1 ? 'day' : 'days'}`)], stuckRows)}`;
}

const LIMITS = `## What this does not show

- The profiles are single measurements a week or so apart, of two crops, in the soils of two research stations. They test what a
  deficit is made of, not how well a sensor measures: here the sensors have the values of the neutron probe.
- Field capacity and wilting point are as published with the profiles. How well a line is drawn on a grower's own curve is not tested.
- The root depth is the published one of each day. In the field it is one more estimate.
- The OpenAgri year is one probe, without irrigation, in a soil that holds little water: rain takes the place of waterings. The file
  does not say what grows there, which soil it is, nor its time zone. Its clock is read as UTC.
- The days to stress end at the first rain. Whether plants suffer at a stress point is not measured.
- That only falls count and that a straight and an exponential fall are averaged was chosen after a look at these very data, and at
  a prairie and a vineyard. The residual moisture, a point below the lowest of the record, is the one figure without a source; two points
  below it change the errors by a few hundredths of a day.
- The station of Dubois lies apart from the plots, and its clock and theirs are not known to agree: some rain fell on one alone.
- Simulated sensors have only the faults that they were given. One that reports whole points and is stuck is found only if it moved by
  points before, as irrigated soil does: at such steps a slow soil rests on one value too.`;
