import type { ChartType } from '../../domain/alerts/annotation.ts';
import { SHAPES_WITHOUT_TIME } from '../../domain/alerts/annotation-points.ts';
import { lineFillOf } from '../../domain/alerts/drawn-lines.ts';
import { counted, join, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { englishCurve } from '../en/questions.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { describeDrawing, toDrawing } from './drawing.ts';

const curveText = async (
  chart: ChartType,
  moduleId: number,
  { directory }: SummaryContext,
): Promise<Text> => englishCurve(chart, await moduleText(directory, moduleId));

function isAhead(body: AnnotationBody, { now }: SummaryContext): boolean {
  const { shape, p1, p2 } = toDrawing(body);
  return !SHAPES_WITHOUT_TIME.includes(shape) && Math.min(p1[0], p2 === null ? p1[0] : p2[0]) > now;
}

export async function summarizeCreatedAnnotation(
  body: AnnotationBody,
  context: SummaryContext,
): Promise<Text> {
  const curve = await curveText(body.chart_type, body.module_id, context);
  return sentences([
    say`Drawn on ${curve}: ${describeDrawing(body)}.`,
    isAhead(body, context) ? say`Its time is still to come.` : null,
  ]);
}

export async function summarizeUpdatedAnnotation(
  body: AnnotationBody,
  context: SummaryContext,
): Promise<Text> {
  const curve = await curveText(body.chart_type, body.module_id, context);
  return say`On ${curve} this drawing is now ${describeDrawing(body)}.`;
}

export const summarizeDeletedAnnotation = (): Text => say`The drawing was deleted.`;

export async function summarizeAnnotations(
  { data }: { data: AnnotationBody[] },
  context: SummaryContext,
  { moduleId, chartType }: { moduleId: number; chartType: ChartType },
): Promise<Text> {
  const curve = await curveText(chartType, moduleId, context);
  if (data.length === 0) return say`Nothing is drawn on ${curve}.`;

  const linesInForce = (['threshold1', 'threshold2', 'wet', 'dry'] as const).flatMap((fill) => {
    const line = data.findLast((annotation) => lineFillOf(toDrawing(annotation)) === fill);
    return line ? [describeDrawing(line)] : [];
  });
  const lines =
    linesInForce.length === 0 ? null : say`, among them ${join(linesInForce, say` and `)}`;
  return say`${counted(data.length, 'drawing')} on ${curve}${lines}.`;
}
