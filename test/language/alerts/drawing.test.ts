import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { describeDrawing } from '../../../src/language/alerts/drawing.ts';
import type { AnnotationBody } from '../../../src/schema/alerts/annotation.ts';
import { FARM_NOW, HOUR } from '../../farm.ts';
import { renderText, renderTextIn } from '../render-text.ts';

const LINE = {
  module_id: 1,
  chart_type: 'humidity',
  type: 'h-line',
  unit: 'vwc',
  p1: [FARM_NOW, 31.5],
  p2: null,
  content: { style: { fill: 'threshold1' } },
} as Partial<AnnotationBody> as AnnotationBody;

const plain = { style: {} };

describe('a drawing', () => {
  it.each<[metric: string, us: string, Partial<AnnotationBody>]>([
    [
      'the field capacity as a line at 31.5 % (vwc)',
      'the field capacity as a line at 31.5 % (vwc)',
      {},
    ],
    [
      'the field capacity as a line at 31.5 % (vwc) (which counts on the humidity curve only)',
      'the field capacity as a line at 31.5 % (vwc) (which counts on the humidity curve only)',
      { chart_type: 'humidity-detail' },
    ],
    [
      'a horizontal line at 31.5 mm',
      'a horizontal line at 1.24 in (31.5 mm)',
      { content: plain, unit: 'mm' },
    ],
    [
      'a horizontal line at 31.5 % of saturation',
      'a horizontal line at 31.5 % of saturation',
      { content: plain, unit: 'vwc_max' },
    ],
    [
      'a horizontal line at 31.5 °C',
      'a horizontal line at 88.7 °F (31.5 °C)',
      { content: plain, unit: null, chart_type: 'temperature' },
    ],
    [
      'a horizontal line at 31.5 kPa',
      'a horizontal line at 31.5 kPa',
      { content: plain, unit: null, chart_type: 'tensio' },
    ],
    [
      'a rectangle, today 11:00 to 12:00 (Europe/Paris)',
      'a rectangle, today 11:00 to 12:00 (Europe/Paris)',
      { type: 'rect', unit: null, p1: [FARM_NOW, 1], p2: [FARM_NOW - HOUR, 2], content: plain },
    ],
    [
      'a segment, today 12:00 to 13:00 (Europe/Paris)',
      'a segment, today 12:00 to 13:00 (Europe/Paris)',
      { type: 'segment', p2: [FARM_NOW + HOUR, 22], content: plain },
    ],
  ])('is %j', (metric, us, changes) => {
    const text = describeDrawing({ ...LINE, ...changes });
    expect(renderText(text)).toBe(metric);
    expect(renderText(text, 'us')).toBe(us);
  });

  it.each<[Lang, string]>([
    ['fr', 'la capacité au champ, en ligne à 31,5 % en volume'],
    ['es', 'la capacidad de campo, como línea a 31,5 % en volumen'],
  ])('is said to a person in %s', (lang, words) =>
    expect(renderTextIn(lang, describeDrawing(LINE, lang))).toBe(words),
  );
});
