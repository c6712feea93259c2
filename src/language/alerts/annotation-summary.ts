import type { ChartType } from '../../domain/alerts/annotation.ts';
import { lineFillOf } from '../../domain/alerts/drawn-lines.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { annotationPhrases } from './annotation-phrases.ts';
import { describeDrawing, toDrawing } from './drawing.ts';

const annotatedModuleName = (
  { module_id: id }: AnnotationBody,
  { directory }: SummaryContext,
): Promise<string> => moduleName(directory, id);

export const summarizeCreatedAnnotation = async (
  body: AnnotationBody,
  context: SummaryContext,
): Promise<string> =>
  annotationPhrases.created(
    body.chart_type,
    await annotatedModuleName(body, context),
    describeDrawing(body, context),
  );

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
