import type { ChartType } from '../../domain/alerts/annotation.ts';
import { SHAPES_WITHOUT_TIME } from '../../domain/alerts/annotation-points.ts';
import { lineFillOf } from '../../domain/alerts/drawn-lines.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { annotationPhrases } from './annotation-phrases.ts';
import { describeDrawing, toDrawing } from './drawing.ts';

const annotatedModuleName = (
  { module_id: id }: AnnotationBody,
  { directory }: SummaryContext,
): Promise<string> => moduleName(directory, id);

function isAhead(body: AnnotationBody, { now }: SummaryContext): boolean {
  const { shape, p1, p2 } = toDrawing(body);
  return !SHAPES_WITHOUT_TIME.includes(shape) && Math.min(p1[0], p2 === null ? p1[0] : p2[0]) > now;
}

export const summarizeCreatedAnnotation = async (
  body: AnnotationBody,
  context: SummaryContext,
): Promise<string> =>
  joinSentences([
    annotationPhrases.created(
      body.chart_type,
      await annotatedModuleName(body, context),
      describeDrawing(body, context),
    ),
    isAhead(body, context) ? annotationPhrases.ahead : null,
  ]);

export const summarizeUpdatedAnnotation = async (
  body: AnnotationBody,
  context: SummaryContext,
): Promise<string> =>
  annotationPhrases.updated(
    body.chart_type,
    await annotatedModuleName(body, context),
    describeDrawing(body, context),
  );

export const summarizeDeletedAnnotation = (): string => annotationPhrases.deleted;

export async function summarizeAnnotations(
  { data }: { data: AnnotationBody[] },
  context: SummaryContext,
  { moduleId, chartType }: { moduleId: number; chartType: ChartType },
): Promise<string> {
  const name = await moduleName(context.directory, moduleId);
  if (data.length === 0) return annotationPhrases.nothingDrawn(chartType, name);
  const linesInForce = (['threshold1', 'threshold2', 'wet', 'dry'] as const).flatMap((fill) => {
    const line = data.findLast((annotation) => lineFillOf(toDrawing(annotation)) === fill);
    return line ? [describeDrawing(line, context)] : [];
  });
  return annotationPhrases.list(chartType, name, data.length, linesInForce);
}
