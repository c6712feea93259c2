import { lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import { lineFillOf } from '../../domain/alerts/drawn-lines.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { CURVES, MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { precise } from '../../domain/text/figures.ts';
import { type Sayable, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { period, timeOf, zone } from '../../domain/text/times.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { languageOf } from '../index.ts';

export const toDrawing = ({ chart_type, type, unit, p1, p2, content }: AnnotationBody) => ({
  chartType: chart_type,
  shape: type,
  unit,
  p1: [firstOf(p1), itemAt(p1, 1)] as const,
  p2: p2 && ([firstOf(p2), itemAt(p2, 1)] as const),
  content,
});

/** "31 % (vwc)", "14.5 kPa" */
function heightOf({ chart_type, unit }: AnnotationBody, value: number, lang: Lang): Sayable {
  if (unit === 'vwc' || unit === 'vwc_max')
    return languageOf(lang).questions.heights[unit](precise(value, '%'));
  // Curves other than those of moisture have one unit.
  const type = MEASUREMENT_TYPES.find((code) => code === chart_type && code !== 'humidity');
  return precise(value, type === undefined ? unit : CURVES[type].symbol);
}

/** "the field capacity as a line at 31 % (vwc)", "a rectangle, 12 Jul 06:00 to 08:00" */
export function describeDrawing(body: AnnotationBody, lang: Lang = DEFAULT_LANG): Text {
  const drawing = toDrawing(body);
  const { shape, p1, p2 } = drawing;
  const when = p2 === null ? timeOf(p1[0]) : period(Math.min(p1[0], p2[0]), Math.max(p1[0], p2[0]));

  return languageOf(lang).questions.drawing({
    shape,
    threshold: lineFillOf(drawing),
    hasEffect: body.chart_type === 'humidity' || body.chart_type === 'tensio',
    height: heightOf(body, lineHeightInUnit(drawing), lang),
    when: say`${when} (${zone})`,
  });
}
