import { type ChartType, heightOf, thresholdOf } from '../domain/annotation.ts';
import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant, saySpan } from '../operation/say-time.ts';
import type { AnnotationBody } from '../schema/annotation.ts';
import type { AnnotationWords, SaidUnit } from './annotation-words.ts';
import { englishAnnotations } from './annotation-words-en.ts';
import { frenchAnnotations } from './annotation-words-fr.ts';
import { sayFigure } from './say-figures.ts';

const WORDS: Record<Lang, AnnotationWords> = { en: englishAnnotations, fr: frenchAnnotations };

export const annotationWords = ({ lang }: Pick<Saying, 'lang'>): AnnotationWords => WORDS[lang];

const asDrawing = ({ chart_type, type, unit, p1, p2, content }: AnnotationBody) => ({
  chartType: chart_type,
  shape: type,
  unit,
  p1: [p1[0]!, p1[1]!] as const,
  p2: p2 && ([p2[0]!, p2[1]!] as const),
  content,
});

function unitOf({ unit, chart_type: chart }: AnnotationBody): SaidUnit {
  return unit ?? (chart === 'temperature' || chart === 'tensio' ? chart : null);
}

/** "the wilting point as a line at 14 % (vwc)", "a segment, today 06:00 to 07:00 (Europe/Paris)". */
function sayDrawing(body: AnnotationBody, call: Saying): string {
  const { now, zone, lang } = call;
  const drawing = asDrawing(body);
  const { shape, p1, p2 } = drawing;
  const when = p2
    ? saySpan(Math.min(p1[0], p2[0]), Math.max(p1[0], p2[0]), zone, now, lang)
    : sayInstant(p1[0], zone, now, lang);
  return annotationWords(call).drawing({
    shape,
    threshold: thresholdOf(drawing),
    counts: body.chart_type === 'humidity',
    height: sayFigure(heightOf(drawing), lang),
    unit: unitOf(body),
    when: `${when} (${zone})`,
  });
}

const nameOf = ({ module_id: id }: AnnotationBody, { directory }: Saying): Promise<string> => moduleName(directory, id);

export const sayCreated = async (body: AnnotationBody, call: Saying): Promise<string> =>
  [
    annotationWords(call).created(body.chart_type, await nameOf(body, call), sayDrawing(body, call)),
    ...call.remarks,
  ].join(' ');

export const sayUpdated = async (body: AnnotationBody, call: Saying): Promise<string> =>
  [
    annotationWords(call).updated(body.chart_type, await nameOf(body, call), sayDrawing(body, call)),
    ...call.remarks,
  ].join(' ');

export const sayDeleted = (_: unknown, call: Saying): string =>
  [annotationWords(call).deleted, ...call.remarks].join(' ');

/** How many there are, and the thresholds that count. */
export async function sayAnnotations(
  { data }: { data: AnnotationBody[] },
  call: Saying,
  { moduleId, chartType }: { moduleId: number; chartType: ChartType },
): Promise<string> {
  const words = annotationWords(call);
  const name = await moduleName(call.directory, moduleId);
  if (data.length === 0) return [words.none(chartType, name), ...call.remarks].join(' ');
  const counting = (['threshold1', 'threshold2'] as const).flatMap((fill) => {
    const line = data.findLast((each) => thresholdOf(asDrawing(each)) === fill);
    return line ? [sayDrawing(line, call)] : [];
  });
  return [words.list(chartType, name, data.length, counting), ...call.remarks].join(' ');
}
