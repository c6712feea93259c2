import { describe, expect, it } from 'vitest';
import {
  summarizeAnnotations,
  summarizeCreatedAnnotation,
  summarizeDeletedAnnotation,
  summarizeUpdatedAnnotation,
} from '../../../src/language/alerts/annotation-summary.ts';
import type { AnnotationBody } from '../../../src/schema/alerts/annotation.ts';
import { DAY, FARM_NOW, HOUR } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ modules: [MODULE] });

const LINE = {
  module_id: 1,
  chart_type: 'humidity',
  type: 'h-line',
  unit: 'vwc',
  p1: [FARM_NOW, 31],
  p2: null,
  content: { style: { fill: 'threshold1' } },
} as Partial<AnnotationBody> as AnnotationBody;

const RECTANGLE: AnnotationBody = {
  ...LINE,
  type: 'rect',
  unit: null,
  p1: [FARM_NOW + DAY, 1],
  p2: [FARM_NOW + DAY + HOUR, 2],
  content: { style: {}, text: 'Frost' },
};

describe('drawings', () => {
  it('are named with their curve', async () => {
    expect(renderText(await summarizeCreatedAnnotation(LINE, context))).toBe(
      'Drawn on the moisture curve of North 1: the field capacity as a line at 31 % (vwc).',
    );
    expect(renderText(await summarizeCreatedAnnotation(RECTANGLE, context))).toBe(
      'Drawn on the moisture curve of North 1: a rectangle, tomorrow 12:00 to 13:00 (Europe/Paris). Its time is still to come.',
    );
    expect(renderText(await summarizeUpdatedAnnotation(LINE, context))).toBe(
      'On the moisture curve of North 1 this drawing is now the field capacity as a line at 31 % (vwc).',
    );
    // A level has no time of its own.
    const later: AnnotationBody = { ...LINE, p1: [FARM_NOW + DAY, 31] };
    expect(await summarizeCreatedAnnotation(later, context)).toEqual(
      await summarizeCreatedAnnotation(LINE, context),
    );
    const dry: AnnotationBody = {
      ...LINE,
      chart_type: 'tensio',
      unit: null,
      p1: [FARM_NOW, 60],
      content: { style: { fill: 'dry' } },
    };
    expect(renderText(await summarizeCreatedAnnotation(dry, context))).toBe(
      'Drawn on the tension curve of North 1: the dry level as a line at 60 kPa.',
    );
    expect(renderText(summarizeDeletedAnnotation())).toBe('The drawing was deleted.');
  });

  it('are counted in a list, which names the lines in force', async () => {
    const list = async (...data: AnnotationBody[]) =>
      renderText(
        await summarizeAnnotations({ data }, context, { moduleId: 1, chartType: 'humidity' }),
      );
    expect(await list()).toBe('Nothing is drawn on the moisture curve of North 1.');
    expect(await list(RECTANGLE)).toBe('1 drawing on the moisture curve of North 1.');
    const wilting = { ...LINE, content: { style: { fill: 'threshold2' } } };
    expect(await list({ ...LINE, p1: [FARM_NOW, 20] }, wilting, LINE)).toBe(
      '3 drawings on the moisture curve of North 1, among them the field capacity as a line at 31 % (vwc) and the wilting point as a line at 31 % (vwc).',
    );
  });
});
