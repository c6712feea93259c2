import { z } from 'zod';
import { CHART_TYPES, HEIGHT_UNITS, type Point, SHAPES } from '../domain/annotation.ts';
import { field, instantOut, sinceTension } from './field.ts';

const content = { style: z.record(z.unknown()).optional(), text: z.string().optional() };

/** Annotation of the spec. */
export const annotation = z.strictObject({
  id: z.string(),
  module_id: z.number().int(),
  probe_id: z.null(),
  chart_type: z.enum(CHART_TYPES),
  type: z.enum(SHAPES),
  p1: z.array(z.number()),
  p2: z.array(z.number()).nullable(),
  unit: z.enum(HEIGHT_UNITS).nullable(),
  content: z.strictObject(content),
  user_id: z.string(),
  created_at: instantOut(),
  updated_at: instantOut(),
  ...content,
});
export type AnnotationBody = z.output<typeof annotation>;

export const chartType = (text: string) =>
  field(sinceTension(z.enum(CHART_TYPES)).describe(text), { hint: `Give one of ${CHART_TYPES.join(', ')}.` });

/** Drawings lie in this century and the next: an instant in seconds would lie before. */
const BEGINS_AT = Date.UTC(2000, 0, 1);
const END_AT = Date.UTC(2201, 0, 1);
const GREATEST_VALUE = 1_000_000;

const isPoint = ([at, value, ...more]: readonly number[]): boolean =>
  at !== undefined &&
  value !== undefined &&
  more.length === 0 &&
  at >= BEGINS_AT &&
  at < END_AT &&
  Math.abs(value) <= GREATEST_VALUE;

const point = (text: string) =>
  field(
    z
      .array(z.number())
      .describe(text)
      .refine(isPoint, '[instant in ms, not seconds, from 2000 to 2200, value up to 1000000]')
      .transform((numbers) => numbers as unknown as Point),
    { kind: 'point', hint: 'Give two numbers, [instant in ms since 1970 UTC, value], such as [1782885600000, 24.5].' },
  );

/** What a client may keep in a style, as JSON text. */
const LONGEST_STYLE = 4000;

/** Open: what draws the curves keeps there what it likes. */
const style = (about: string) =>
  field(
    z
      .object({
        fill: z.string().describe('threshold1 (field capacity), threshold2 (wilting point), or a colour.').optional(),
      })
      .passthrough()
      .describe(about)
      .refine((given) => JSON.stringify(given).length <= LONGEST_STYLE, `at most ${LONGEST_STYLE} characters of JSON`),
    { hint: 'Give a plain object, such as {"fill": "threshold2"}.' },
  );

const text = (about: string) => z.string().max(2000).describe(about);

const POINT = '[ms since 1970 UTC, value].';

/** Body of POST annotation. */
export const annotationBody = {
  chartType: chartType('Curve. Default humidity, the summary curve.').default('humidity'),
  type: field(z.enum(SHAPES).describe('Shape; line is a former one.'), {
    hint: `Give one of ${SHAPES.join(', ')}.`,
  }),
  p1: point(POINT),
  p2: point('Second point, where the shape has two.').nullish(),
  unit: field(z.enum(HEIGHT_UNITS).describe('On humidity curves. Default vwc, %.'), {
    hint: `Give ${HEIGHT_UNITS.join(', ')}, or leave it out.`,
  }).nullish(),
  style: style('How it looks.').optional(),
  text: text('Words.').optional(),
};

/** Body of PATCH annotation: points move; content, style and text write brand-new content. */
export const annotationChange = {
  p1: point(POINT).optional(),
  p2: point('Second point.').nullish(),
  content: field(z.strictObject({ style: style('How it looks.').optional(), text: text('Words.').optional() }), {
    restOnly: true,
    hint: 'Give content as { style, text }.',
  }).optional(),
  style: style('Wipes the text unless that is sent too.').optional(),
  text: text('Wipes the style unless that is sent too.').optional(),
};

/** Id of an annotation. */
export const annotationId = () =>
  field(z.string().trim().toLowerCase().uuid().describe('From list_annotations.'), {
    hint: 'Pass an id from list_annotations.',
  });
