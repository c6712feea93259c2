import type { ChartType } from '../../domain/alerts/annotation.ts';
import { SHAPES_WITHOUT_TIME } from '../../domain/alerts/annotation-points.ts';
import { lineFillOf } from '../../domain/alerts/drawn-lines.ts';
import { counted, join, name, say, sentences, textOf } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { ENGLISH_CURVES } from '../en/questions.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { describeDrawing, toDrawing } from './drawing.ts';

/** "the moisture curve of North 1" */
const curveText = async (
  chart: ChartType,
  moduleId: number,
  { directory }: SummaryContext,
): Promise<Text> =>
  say`the ${name(ENGLISH_CURVES[chart])} of ${await moduleText(directory, moduleId)}`;

function isAhead(body: AnnotationBody, { now }: SummaryContext): boolean {
  const { shape, p1, p2 } = toDrawing(body);
  return !SHAPES_WITHOUT_TIME.includes(shape) && Math.min(p1[0], p2 === null ? p1[0] : p2[0]) > now;
}

/** People read it in their language too. */
const drawingText = (body: AnnotationBody, context: SummaryContext): Text =>
  textOf(describeDrawing(body, context));

export async function summarizeCreatedAnnotation(
  body: AnnotationBody,
  context: SummaryContext,
): Promise<Text> {
  const curve = await curveText(body.chart_type, body.module_id, context);
  return sentences([
    say`Drawn on ${curve}: ${drawingText(body, context)}.`,
    isAhead(body, context) ? say`Its time is still to come.` : null,
  ]);
}

export async function summarizeUpdatedAnnotation(
  body: AnnotationBody,
  context: SummaryContext,
): Promise<Text> {
  const curve = await curveText(body.chart_type, body.module_id, context);
  return say`On ${curve} this drawing is now ${drawingText(body, context)}.`;
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
    return line ? [drawingText(line, context)] : [];
  });
  const lines =
    linesInForce.length === 0 ? null : say`, among them ${join(linesInForce, say` and `)}`;
  return say`${counted(data.length, 'drawing')} on ${curve}${lines}.`;
}
