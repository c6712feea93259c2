import { type ChartType, lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import { lineFillOf } from '../../domain/alerts/drawn-lines.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { CURVES, MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { languageOf } from '../index.ts';
import { formatPrecise } from '../number-format.ts';
import { formatInstant, formatTimeSpan, type TimeContext } from '../time.ts';

export const toDrawing = ({ chart_type, type, unit, p1, p2, content }: AnnotationBody) => ({
  chartType: chart_type,
  shape: type,
  unit,
  p1: [firstOf(p1), itemAt(p1, 1)] as const,
  p2: p2 && ([firstOf(p2), itemAt(p2, 1)] as const),
  content,
});

/** Curves other than those of moisture have one unit. */
function unitOfCurve(chart: ChartType): string {
  const type = MEASUREMENT_TYPES.find((code) => code === chart && code !== 'humidity');
  return type === undefined ? '' : ` ${CURVES[type].symbol}`;
}

/** "the field capacity as a line at 31 % (vwc)", "a rectangle, 12 Jul 06:00 to 08:00" */
export function describeDrawing(body: AnnotationBody, context: TimeContext): string {
  const { lang = DEFAULT_LANG, zone } = context;
  const drawing = toDrawing(body);
  const { shape, p1, p2 } = drawing;
  const when = p2
    ? formatTimeSpan(Math.min(p1[0], p2[0]), Math.max(p1[0], p2[0]), context)
    : formatInstant(p1[0], context);

  return languageOf(lang).questions.drawing({
    shape,
    threshold: lineFillOf(drawing),
    hasEffect: body.chart_type === 'humidity' || body.chart_type === 'tensio',
    height: `${formatPrecise(lineHeightInUnit(drawing), lang)}${unitOfCurve(body.chart_type)}`,
    unit: body.unit,
    when: `${when} (${zone})`,
  });
}
