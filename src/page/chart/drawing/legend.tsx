import { waterUnitOf } from '../../../language/american-quantities.ts';
import type { ChartModel } from '../chart-model.ts';
import { COLOURS } from './colours.ts';

interface LegendEntry {
  readonly text: string;
  readonly style: Readonly<Record<string, string>>;
}

export function Legend(model: ChartModel) {
  const { labels, zone } = model.texts;
  return (
    <p class="chart-legend">
      <span>{labels.measure[model.measure]}</span>
      {legendEntries(model).map(({ text, style }) => (
        <span key={text}>
          <i style={style} /> {text}
        </span>
      ))}
      <span>{`${labels.localTime}, ${zone.replaceAll('_', ' ')}`}</span>
    </p>
  );
}

function legendEntries(model: ChartModel): LegendEntry[] {
  const { texts, wateringBarsPer, rainBarsPer, waterings, comfort, backtest } = model;
  const { labels, phrases } = texts;
  const unit = waterUnitOf(texts);
  const entries: LegendEntry[] = [];
  const add = (text: string, style: LegendEntry['style']) => entries.push({ text, style });

  if (wateringBarsPer !== null)
    add(labels.watering(unit, labels.per[wateringBarsPer]), { background: COLOURS.water });
  const hollow = { boxShadow: `inset 0 0 0 2px ${COLOURS.water}` };
  if (waterings.some(({ isPlanned }) => isPlanned)) add(labels.planned, hollow);
  if (waterings.some(({ isAssumed }) => isAssumed)) add(texts.page.seenBy.assumed, hollow);
  if (rainBarsPer !== null)
    add(labels.rain(unit, labels.per[rainBarsPer]), { background: COLOURS.rain });
  if (comfort !== null)
    add(labels.comfort, {
      background: COLOURS.comfort,
      boxShadow: `inset 0 0 0 1px ${COLOURS.fieldCapacity}`,
    });
  if (backtest !== null && backtest.episodes.length > 0)
    add(phrases.episodes, { background: COLOURS.alert });

  return entries;
}
