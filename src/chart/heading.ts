import { ageOf } from '../domain/coverage.ts';
import { FRAME, type Plot, TEXT } from './frame.ts';
import type { Line } from './lines.ts';
import { type Layer, texts } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { cutTo, plain } from './text.ts';
import { COLOURS } from './theme.ts';
import { sayAge, sayLength, sayPeriod, sayValue, WORDS } from './words.ts';

const ROOM = FRAME.width - 2 * FRAME.margin;

/** The probe and its parcel; of long names each keeps a part. */
export function titleOf({ name, parcel }: MoistureChart): string {
  if (parcel === null) return cutTo(plain(name), TEXT.title, ROOM);
  const short = cutTo(plain(name), TEXT.title, ROOM * 0.62);
  return cutTo(`${short} · ${plain(parcel)}`, TEXT.title, ROOM);
}

/** The period, and the last value of it with its age where it is old. */
export function subtitleOf(chart: MoistureChart, lines: readonly Line[]): string {
  const words = WORDS[chart.lang];
  const period = sayPeriod(chart.start, chart.end, chart.zone, words);
  return cutTo([period, ...lastOf(chart, lines)].join('  ·  '), TEXT.subtitle, ROOM);
}

/** Title and subtitle, above the plot. */
export function headingLayers(chart: MoistureChart, lines: readonly Line[], plot: Plot): Layer[] {
  const colours = COLOURS[chart.theme];
  const x = FRAME.margin - plot.left;
  return [
    ...texts([{ text: titleOf(chart), x, y: 28 - plot.top }], { colour: colours.text, size: TEXT.title }),
    ...texts([{ text: subtitleOf(chart, lines), x, y: 58 - plot.top }], { colour: colours.muted, size: TEXT.subtitle }),
  ];
}

function lastOf(chart: MoistureChart, [line]: readonly Line[]): string[] {
  const words = WORDS[chart.lang];
  const last = chart.view === 'summary' ? line?.segments.at(-1)?.at(-1) : undefined;
  const { ageMs, isFresh } = ageOf(chart.newestAt ?? 0, chart.now);
  const old = isFresh ? [] : [words.old(sayAge(ageMs, words))];
  const isOfNow = chart.end >= chart.now || (chart.newestAt ?? 0) < chart.end;
  if (chart.newestAt === null) return [words.neverSent];
  if (last === undefined) return isOfNow && !isFresh ? [`${words.newestReading} ${old[0]}`] : [];
  const said = sayValue(last.value, chart.measure, words);
  const { intervalMs } = chart;
  const value = intervalMs === null ? said : `${said} (${words.meanOver(sayLength(intervalMs, words))})`;
  return isOfNow ? [[`${words.newest} ${value}`, ...old].join(', ')] : [`${words.last} ${value}`];
}
