import type { AnnotationShape, ChartType, ThresholdFill } from '../domain/annotation.ts';
import { englishCount } from '../domain/english.ts';
import type { AnnotationPhrases, HeightUnitCode } from './annotation-words.ts';

const CURVES: Record<ChartType, string> = {
  humidity: 'moisture curve',
  'humidity-detail': 'moisture curves by depth',
  'humidity-heatmap': 'moisture heatmap',
  temperature: 'temperature curve',
  tensio: 'tension curve',
};

const UNITS: Record<NonNullable<HeightUnitCode>, string> = {
  vwc: ' % (vwc)',
  vwc_max: ' % of saturation',
  mm: ' mm',
  temperature: ' deg C',
  tensio: ' kPa',
};

const SHAPES: Record<AnnotationShape, string> = {
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

const formatCurve = (chart: ChartType, name: string): string => `the ${CURVES[chart]} of ${name}`;

export const englishAnnotationPhrases: AnnotationPhrases = {
  drawing: ({ shape, threshold, counts, height, unit, when }) => {
    const at = `at ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]} as a line ${at}${counts ? '' : ' (which counts on the humidity curve only)'}`;
    return shape === 'h-line' || shape === 'h-free' ? `${SHAPES[shape]} ${at}` : `${SHAPES[shape]}, ${when}`;
  },
  created: (chart, name, drawing) => `Drawn on ${formatCurve(chart, name)}: ${drawing}.`,
  updated: (chart, name, drawing) => `On ${formatCurve(chart, name)} this drawing is now ${drawing}.`,
  deleted: 'The drawing is deleted.',
  nothingDrawn: (chart, name) => `Nothing is drawn on ${formatCurve(chart, name)}.`,
  list: (chart, name, count, counting) =>
    `${englishCount(count, 'drawing')} on ${formatCurve(chart, name)}${counting.length === 0 ? '' : `, among them ${counting.join(' and ')}`}.`,
  olderOmitted: (count) => `Older ones left out: ${count}; ask for more with limit.`,
  noSoilMoisture: 'This module measures no soil moisture, so the line says nothing of any soil: was another one meant?',
  contentPartRemoved: (part) =>
    `Its ${part} is gone, because content is written anew: send style and text together to keep both.`,
};
