import type { Bar } from './bars.ts';
import type { FalseDoubts } from './false-doubts.ts';
import { table } from './tables.ts';

const MAX_DOUBTED_SHARE = 0.01;

export const doubtBars = (all: readonly FalseDoubts[]): Bar[] => [
  barOf('all rules together doubt at most one healthy probe-week in a hundred', all),
  barOf(
    'the same of probes in the field whose readings are continuous',
    all.filter(({ kind }) => kind === 'field'),
  ),
];

function barOf(what: string, all: readonly FalseDoubts[]): Bar {
  const weeks = all.reduce((sum, { weeks: each }) => sum + each, 0);
  const doubted = all.reduce((sum, { doubted: each }) => sum + each.length, 0);
  const percent = ((100 * doubted) / weeks).toFixed(1);
  return {
    what,
    figure: `${doubted} of ${weeks} (${percent} %)`,
    isMet: doubted <= MAX_DOUBTED_SHARE * weeks,
  };
}

export function doubtSection(all: readonly FalseDoubts[]): string {
  const rows = all.map(({ data, weeks, able, doubted, differing, leftOut }) => [
    data,
    weeks,
    able.time,
    able.balance,
    doubted.length,
    differing,
    leftOut.frozen,
    leftOut.broken,
    leftOut.gap,
  ]);
  const cases = all.flatMap(({ doubted }) =>
    doubted.map(
      ({ probe, at, reasons }) =>
        `- ${probe}, ${new Date(at).toISOString().slice(0, 10)}: ${reasons.join(', ')}`,
    ),
  );
  return `## False doubts

\`advise_watering\` is asked on one morning of each week. A week is in doubt if an answer names a reason to check the probe first, or one
that takes the amount away, whatever rule raises it. A week counts as healthy if the probe has sent in the last day and, in the two
weeks before, no sensor read less than 0 or more than 60 % (a broken port or wire) and the soil was not frozen: no own thermometer at
or below 1 degree C, and no five days of air at or below 0 on average. OpenAgri is declared as sand and Dubois as loam; no season and
no weather is recorded, so that nothing is asked about rest. The profiles of cotton and maize are single measurements, in the nearest
texture classes: they test which values are possible, not how they change. Simulated sensors are those above, in sandy loam, with
steps of 0.1 and 1 %: soil that dries, that is watered once, and that is irrigated every three days without water for the deepest sensor.

No data here have continuous readings beside weather and a crop, which the rules of the balance need. They run on a simulated farm
(\`eval/validate/simulated-crop.ts\`): the weather of the cotton trial, and 16 fields of sandy loam that lose what FAO-56 says times 0.6 to
1.2, since tables are wrong by as much, with noise of 0.05 to 0.2 points. It shows how the rules take such errors, not how far a real field is from
FAO-56. In how many weeks a rule could have fired at all stands beside: no rule about time can fire on single profiles.

${table(['data', 'healthy probe-weeks', 'able to fire: rules about time', 'by the balance', 'in doubt', 'BALANCE_DIFFERS, which asks for nothing', 'left out: frozen', 'broken', 'gap'], rows)}

In doubt:

${cases.length === 0 ? '- none' : cases.join('\n')}`;
}
