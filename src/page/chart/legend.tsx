import type { ThemeColours } from '../../chart/theme.ts';
import type { ChartWords } from './words.ts';

interface LegendProps {
  readonly words: ChartWords;
  readonly colours: ThemeColours;
  readonly measure: string;
  readonly wateringPeriod: keyof ChartWords['labels']['watering'] | null;
  readonly hasPlanned: boolean;
  readonly rainPeriod: keyof ChartWords['labels']['rain'] | null;
  readonly hasComfort: boolean;
  readonly hasEpisodes: boolean;
}

export function Legend({ words, colours, measure, wateringPeriod, rainPeriod, ...has }: LegendProps) {
  const { labels, page, zone } = words;
  const hollow = `inset 0 0 0 2px ${colours.water}`;
  const entries = [
    wateringPeriod !== null && { text: labels.watering[wateringPeriod], style: { background: colours.water } },
    has.hasPlanned && { text: labels.planned, style: { boxShadow: hollow } },
    rainPeriod !== null && { text: labels.rain[rainPeriod], style: { background: colours.rain } },
    has.hasComfort && {
      text: labels.comfort,
      style: { background: colours.comfort, boxShadow: `inset 0 0 0 1px ${colours.fieldCapacity}` },
    },
    has.hasEpisodes && { text: page.episodes, style: { background: colours.alert } },
  ].filter((entry) => entry !== false);
  return (
    <p class="chart-legend">
      <span>{measure}</span>
      {entries.map(({ text, style }) => (
        <span key={text}>
          <i style={style} /> {text}
        </span>
      ))}
      <span>{`${labels.localTime}, ${zone.replaceAll('_', ' ')}`}</span>
    </p>
  );
}
