import { z } from 'zod/v3';
import {
  ANNOTATION_SHAPES,
  ANNOTATION_UNITS,
  type AnnotationPoint,
  type ChartType,
} from '../../domain/alerts/annotation.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { MAX_FREE_TEXT } from '../../domain/text/greatest-lengths.ts';
import { argument, codes, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { expected } from '../expected.ts';
import { field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShapeByColumn, computed, internal, userReference } from '../resource.ts';
import { acceptTensionAlias, computedInstant, periodBoundField } from '../shared-fields.ts';

const [humidity, ...otherTypes] = MEASUREMENT_TYPES;
export const CHART_TYPES = [
  humidity,
  'humidity-detail',
  'humidity-heatmap',
  ...otherTypes,
] as const satisfies readonly ChartType[];

const content = { style: z.record(z.unknown()).optional(), text: z.string().optional() };

const CREATED_AT = '2026-07-01T10:00:00.221Z';

/** Instant in ms, value. */
const storedPoint = () =>
  z.array(z.number()).transform(([at = 0, value = 0]): AnnotationPoint => [at, value]);

export const annotationFields = {
  id: computed('id', z.string(), { example: '524ee7b6-1c35-4a41-9b59-126156f3cd0e' }),
  moduleId: computed('module_id', z.number().int(), { example: 1 }),
  chartType: computed('chart_type', z.enum(CHART_TYPES)),
  shape: computed('type', z.enum(ANNOTATION_SHAPES)),
  p1: computed('p1', storedPoint()),
  p2: computed('p2', storedPoint().nullable()),
  unit: computed('unit', z.enum(ANNOTATION_UNITS).nullable()),
  content: computed('content', z.strictObject(content)),
  /** In %: what past waterings suggested when a field capacity was drawn. */
  suggestedHeight: internal('suggested_height', z.number().nullable()),
  /** In %: the height of a doubtful line that a person confirmed. */
  confirmedHeight: internal('confirmed_height', z.number().nullable()),
  /**
   * In %: where the line was when a calibration moved it first, without rounding, so that others
   * move it from there. It holds only while the calibrated curve is at the line there.
   */
  uncalibratedHeight: internal('uncalibrated_height', z.number().nullable()),
  userId: userReference('user_id'),
  createdAt: computed('created_at', computedInstant(), { example: CREATED_AT }),
  updatedAt: computed('updated_at', computedInstant(), { example: CREATED_AT }),
};

const { id, module_id, ...drawing } = answerShapeByColumn(annotationFields);

export const annotation = namedSchema(
  'Annotation',
  z.strictObject({ id, module_id, probe_id: z.null(), ...drawing, ...content }),
);
export type AnnotationBody = z.output<typeof annotation>;

export const chartTypeField = (description: string) =>
  field(acceptTensionAlias(z.enum(CHART_TYPES)).describe(description), {
    words: 'kind of curve',
    hint: say`Give one of ${codes(CHART_TYPES)}.`,
  });

/** An earlier instant is one in seconds by mistake. */
const FIRST_POINT_AT = Date.UTC(2000, 0, 1);
const POINTS_END_AT = Date.UTC(2201, 0, 1);
const MAX_POINT_VALUE = 1_000_000;

const isPoint = ([at, value, ...more]: readonly number[]): boolean =>
  at !== undefined &&
  value !== undefined &&
  more.length === 0 &&
  at >= FIRST_POINT_AT &&
  at < POINTS_END_AT &&
  Math.abs(value) <= MAX_POINT_VALUE;

const pointField = (
  description: string,
  { words, plainFields }: { words: string; plainFields: Text },
) =>
  field(
    z
      .array(field(z.number(), { words: `${words}, number` }))
      .max(2)
      .describe(description)
      .refine(
        isPoint,
        expected(say`[instant in ms, not seconds, from 2000 to 2200, value up to 1000000]`),
      )
      // isPoint has made sure of both numbers.
      .transform(([at = 0, value = 0]): AnnotationPoint => [at, value]),
    {
      kind: 'point',
      words,
      isUnlisted: true,
      hint: say`Give ${plainFields}; or [instant in ms since 1970 UTC, value], such as [1782885600000, 24.5].`,
    },
  );

/** Accepts any object, because the client that draws the curves defines its content. */
const styleField = (description: string, fillDescription: string) =>
  field(
    z
      .object({
        fill: shortText().describe(fillDescription).optional(),
      })
      .passthrough()
      .describe(description)
      .refine(
        (value) => JSON.stringify(value).length <= MAX_FREE_TEXT,
        expected(say`at most ${MAX_FREE_TEXT} characters of JSON`),
      ),
    { hint: say`Give a plain object, such as {"fill": "threshold2"}.` },
  );

const FILLS = 'threshold1 (field capacity), threshold2 (wilting point), wet, dry or a colour.';

const textField = (description: string) => z.string().max(2000).describe(description);

const valueField = (description: string, words: string) =>
  field(z.number().min(-MAX_POINT_VALUE).max(MAX_POINT_VALUE).describe(description), { words });

/** The first four fields are the plain form of p1 and p2. */
const placement = {
  value: valueField('Height in unit: 18.5.', 'height').optional(),
  at: periodBoundField('Time: yesterday 06:00.', { words: 'time' }).optional(),
  until: periodBoundField('End: today 06:00.', { words: 'end' }).nullish(),
  endValue: valueField('Height at its end.', 'height at the end').optional(),
  p1: pointField('[ms since 1970 UTC, value], in place of at and value.', {
    words: 'first point',
    plainFields: say`${argument('at')}, such as "yesterday 6:00", in place of ${argument('p1')}, and ${argument('value')}, the height (none for a v-line or text)`,
  }).optional(),
  p2: pointField('Second point, in place of until and endValue.', {
    words: 'second point',
    plainFields: say`${argument('until')}, such as "today 6:00", in place of ${argument('p2')}, and ${argument('endValue')}, the height there (a rect needs it)`,
  }).nullish(),
};

export const annotationBody = {
  chartType: chartTypeField('Curve to draw on. Default humidity.').default('humidity'),
  type: field(
    z
      .enum(ANNOTATION_SHAPES)
      .describe('h-line, h-free: value. v-line, text: at. Others: at, value to until, endValue.'),
    {
      words: 'kind of drawing',
      hint: say`Give one of ${codes(ANNOTATION_SHAPES)}.`,
    },
  ),
  ...placement,
  unit: field(
    z.enum(ANNOTATION_UNITS).describe('Of humidity; vwc_max: % of saturation. Default vwc, %.'),
    {
      hint: say`Give ${codes(ANNOTATION_UNITS)}, or leave it out.`,
    },
  ).nullish(),
  style: styleField('How it is drawn.', FILLS).optional(),
  text: textField('Text beside it.').optional(),
};

export const annotationChange = {
  ...placement,
  content: field(
    z
      .strictObject({
        style: styleField('How it is drawn.', FILLS).optional(),
        text: textField('Text beside it.').optional(),
      })
      .describe('Style and text together; replaces both.'),
    { isRestOnly: true, hint: say`Give content as { style, text }.` },
  ).optional(),
  style: styleField('Replaces the whole style.', 'Level, as in create_annotation.').nullish(),
  text: textField('Text beside it.').nullish(),
  keepsUnsent: field(
    z.boolean().describe('true: a style or a text that is not sent stays. false: it is removed.'),
    { isRestOnly: true },
  ).optional(),
};

/** Only if one of both is sent, so that a service that does not know `keepsUnsent` can do the rest. */
export const keepsUnsentContent = ({ style, text }: Readonly<Record<string, unknown>>) =>
  (style === undefined) === (text === undefined) ? undefined : true;

export const annotationId = () =>
  field(shortText().trim().toLowerCase().uuid().describe('Id, from list_annotations.'), {
    words: 'annotation',
    hint: say`Pass an id from ${operationName('list_annotations')}.`,
  });

export const deletedAnnotation = z.strictObject({
  success: z.boolean(),
  disabledAlertId: withExample(z.string().nullable(), '0ad11569-5844-4f02-9dbd-035ba46f5a63'),
});
