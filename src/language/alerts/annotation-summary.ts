import { type ChartType, lineFillOf, lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import { quote, singleLine } from '../../domain/text.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { HeightUnitCode } from '../en/alerts.ts';
import { languageOf } from '../index.ts';
import { formatPrecise } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatInstant, formatTimeSpan } from '../time.ts';

export const toDrawing = ({ chart_type, type, unit, p1, p2, content }: AnnotationBody) => ({
  chartType: chart_type,
  shape: type,
  unit,
  p1: [p1[0]!, p1[1]!] as const,
  p2: p2 && ([p2[0]!, p2[1]!] as const),
  content,
});

function drawingUnit({ unit, chart_type: chart }: AnnotationBody): HeightUnitCode {
  return unit ?? (chart === 'temperature' || chart === 'tensio' ? chart : null);
}

function describeDrawing(body: AnnotationBody, context: SummaryContext): string {
  const drawing = toDrawing(body);
  const { shape, p1, p2 } = drawing;
  const when = p2
    ? formatTimeSpan(Math.min(p1[0], p2[0]), Math.max(p1[0], p2[0]), context)
    : formatInstant(p1[0], context);

  return languageOf(context.lang).annotation.drawing({
    shape,
    threshold: lineFillOf(drawing),
    hasEffect: body.chart_type === 'humidity' || body.chart_type === 'tensio',
    height: formatPrecise(lineHeightInUnit(drawing), context.lang),
    unit: drawingUnit(body),
    when: `${when} (${context.zone})`,
  });
}

const annotatedModuleName = (
  { module_id: id }: AnnotationBody,
  { directory }: SummaryContext,
): Promise<string> => moduleName(directory, id);

export const summarizeCreatedAnnotation = async (
  body: AnnotationBody,
  context: SummaryContext,
): Promise<string> =>
  languageOf(context.lang).annotation.created(
    body.chart_type,
    await annotatedModuleName(body, context),
    describeDrawing(body, context),
  );

export const summarizeUpdatedAnnotation = async (
  body: AnnotationBody,
  context: SummaryContext,
): Promise<string> =>
  languageOf(context.lang).annotation.updated(
    body.chart_type,
    await annotatedModuleName(body, context),
    describeDrawing(body, context),
  );

export const summarizeDeletedAnnotation = (_: unknown, context: SummaryContext): string =>
  languageOf(context.lang).annotation.deleted;

export async function askDeletion(
  { annotation, stopsAlert }: { readonly annotation: AnnotationBody; readonly stopsAlert: boolean },
  context: SummaryContext,
): Promise<string> {
  const text = singleLine(annotation.content.text);
  return languageOf(context.lang).annotation.askDeletion({
    chart: annotation.chart_type,
    name: await annotatedModuleName(annotation, context),
    drawing: `${describeDrawing(annotation, context)}${text === '' ? '' : `, ${quote(text)}`}`,
    stopsAlert,
  });
}

export async function summarizeAnnotations(
  { data }: { data: AnnotationBody[] },
  context: SummaryContext,
  { moduleId, chartType }: { moduleId: number; chartType: ChartType },
): Promise<string> {
  const phrases = languageOf(context.lang).annotation;
  const name = await moduleName(context.directory, moduleId);
  if (data.length === 0) return phrases.nothingDrawn(chartType, name);
  const counting = (['threshold1', 'threshold2', 'wet', 'dry'] as const).flatMap((fill) => {
    const line = data.findLast((each) => lineFillOf(toDrawing(each)) === fill);
    return line ? [describeDrawing(line, context)] : [];
  });
  return phrases.list(chartType, name, data.length, counting);
}
