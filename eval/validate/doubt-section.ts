import type { Bar } from './bars.ts';
import type { FalseDoubts } from './false-doubts.ts';
import { table } from './tables.ts';

const MAX_DOUBTED_SHARE = 0.01;

export function doubtBars(all: readonly FalseDoubts[]): Bar[] {
  const weeks = all.reduce((sum, { weeks: each }) => sum + each, 0);
  const doubted = all.reduce((sum, { doubted: each }) => sum + each.length, 0);
  return [
    {
      what: 'all rules together doubt at most one healthy probe-week in a hundred',
      figure: `${doubted} of ${weeks}`,
      isMet: doubted <= MAX_DOUBTED_SHARE * weeks,
    },
  ];
}

export function doubtSection(all: readonly FalseDoubts[]): string {
  const rows = all.map(({ data, weeks, doubted, leftOut }) => [
    data,
    weeks,
    doubted.length,
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
texture classes: they test which values are possible, not how they change. Simulated sensors are those below, in sandy loam, with
steps of 0.1 and 1 %, dry and watered.

${table(['data', 'healthy probe-weeks', 'in doubt', 'left out: frozen', 'broken', 'gap'], rows)}

In doubt:

${cases.length === 0 ? '- none' : cases.join('\n')}`;
}
