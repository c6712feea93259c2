import { type ChartType, heightOf, type Shape, type ThresholdFill, thresholdOf } from '../domain/annotation.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant, saySpan } from '../operation/say-time.ts';
import type { AnnotationBody } from '../schema/annotation.ts';
import { sayFigure } from './say-watering.ts';

const CURVES: Record<ChartType, string> = {
  humidity: 'moisture curve',
  'humidity-detail': 'moisture curves by depth',
  'humidity-heatmap': 'moisture heatmap',
  temperature: 'temperature curve',
  tensio: 'tension curve',
};

const UNITS: Record<string, string> = {
  vwc: ' % (vwc)',
  vwc_max: ' % of saturation',
  mm: ' mm',
  temperature: ' deg C',
  tensio: ' kPa',
};

const SHAPE_WORDS: Record<Shape, string> = {
  'h-line': 'a horizontal line',
  'v-line': 'a vertical line',
  segment: 'a segment',
  ray: 'a ray',
  infinite: 'an infinite line',
  arrow: 'an arrow',
  'h-free': 'a free horizontal line',
  rect: 'a rectangle',
  text: 'a text',
  line: 'a line',
};

const THRESHOLDS: Record<ThresholdFill, string> = {
  threshold1: 'the field capacity',
  threshold2: 'the wilting point',
};

const asDrawing = ({ chart_type, type, unit, p1, p2, content }: AnnotationBody) => ({
  chartType: chart_type,
  shape: type,
  unit,
  p1: [p1[0]!, p1[1]!] as const,
  p2: p2 && ([p2[0]!, p2[1]!] as const),
  content,
});

/** "the wilting point as a line at 14 % (vwc)", "a segment today 06:00 to 07:00". */
function sayDrawing(body: AnnotationBody, { now, zone }: Saying): string {
  const drawing = asDrawing(body);
  const { shape, p1, p2 } = drawing;
  const height = `at ${sayFigure(heightOf(drawing))}${UNITS[body.unit ?? body.chart_type] ?? ''}`;
  const threshold = thresholdOf(drawing);
  if (threshold)
    return `${THRESHOLDS[threshold]} as a line ${height}${body.chart_type === 'humidity' ? '' : ' (which counts on the humidity curve only)'}`;
  if (shape === 'h-line' || shape === 'h-free') return `${SHAPE_WORDS[shape]} ${height}`;
  const when = p2 ? saySpan(Math.min(p1[0], p2[0]), Math.max(p1[0], p2[0]), zone, now) : sayInstant(p1[0], zone, now);
  return `${SHAPE_WORDS[shape]}, ${when} (${zone})`;
}

const sayCurve = async (body: Pick<AnnotationBody, 'chart_type' | 'module_id'>, call: Saying): Promise<string> =>
  `the ${CURVES[body.chart_type]} of ${await moduleName(call.directory, body.module_id)}`;

export const sayCreated = async (body: AnnotationBody, call: Saying): Promise<string> =>
  [`Drawn on ${await sayCurve(body, call)}: ${sayDrawing(body, call)}.`, ...call.remarks].join(' ');

export const sayUpdated = async (body: AnnotationBody, call: Saying): Promise<string> =>
  [`On ${await sayCurve(body, call)} this drawing is now ${sayDrawing(body, call)}.`, ...call.remarks].join(' ');

export const sayDeleted = (_: unknown, call: Saying): string => ['The drawing is deleted.', ...call.remarks].join(' ');

/** How many there are, and the thresholds that count. */
export async function sayAnnotations(
  { data }: { data: AnnotationBody[] },
  call: Saying,
  { moduleId, chartType }: { moduleId: number; chartType: ChartType },
): Promise<string> {
  const curve = await sayCurve({ chart_type: chartType, module_id: moduleId }, call);
  if (data.length === 0) return [`Nothing is drawn on ${curve}.`, ...call.remarks].join(' ');
  const counting = (['threshold1', 'threshold2'] as const).flatMap((fill) => {
    const line = data.findLast((each) => thresholdOf(asDrawing(each)) === fill);
    return line ? [`${sayDrawing(line, call)}`] : [];
  });
  const drawings = data.length === 1 ? '1 drawing' : `${data.length} drawings`;
  const thresholds = counting.length === 0 ? '' : `, among them ${counting.join(' and ')}`;
  return [`${drawings} on ${curve}${thresholds}.`, ...call.remarks].join(' ');
}
