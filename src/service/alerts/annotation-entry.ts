import {
  type AnnotationDrawing,
  lineHeightInUnit,
  omitAbsentContent,
  resolveAnnotationUnit,
} from '../../domain/alerts/annotation.ts';
import {
  type PlacedPoints,
  type PlacementFault,
  placePoints,
} from '../../domain/alerts/annotation-points.ts';
import {
  type DrawingFault,
  findDrawingFault,
  isUnclearThreshold,
} from '../../domain/alerts/drawing-faults.ts';
import { MAX_TENSION_KPA } from '../../domain/moisture/tension/tension-state.ts';
import type { Result } from '../../domain/result.ts';
import { exact } from '../../domain/text/figures.ts';
import { argument, code } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { annotationBody } from '../../schema/alerts/annotation.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';

export type AnnotationEntry = FieldsOf<typeof annotationBody>;

const VALUE = argument('value');

/** The field that gives the height of a drawing, for the error of a wrong one. */
export type HeightField = 'value' | 'p1';

export const heightField = ({ value }: { value?: number | undefined }): HeightField =>
  value === undefined ? 'p1' : 'value';

export function readDrawing(
  { chartType, type, unit: requestedUnit, style, text, ...placement }: AnnotationEntry,
  now: number,
): AnnotationDrawing {
  const unit = resolveAnnotationUnit(chartType, requestedUnit);
  if (!unit.ok)
    throw invalidInputError(
      'invalid_body',
      say`The ${code(chartType)} curve has no unit, but unit is ${code(String(requestedUnit))}.`,
      {
        hint: say`Leave ${argument('unit')} out: only drawings on humidity and humidity-detail have one.`,
        field: 'unit',
      },
    );

  const drawing = {
    chartType,
    shape: type,
    unit: unit.value,
    ...pointsOrThrow(type, placePoints(type, placement, now)),
    content: omitAbsentContent({ style, text }),
  };
  assertValidDrawing(drawing, heightField(placement));

  return drawing;
}

const MISSING_FIELD_HINTS: Record<Extract<PlacementFault, { missing: string }>['missing'], Text> = {
  at: say`Give ${argument('at')}, such as "yesterday 6:00".`,
  value: say`Give ${VALUE}, the height in the unit of the curve, such as 18.`,
  until: say`Give ${argument('until')}, the time of its end, such as "today 6:00".`,
  endValue: say`Give ${VALUE} and ${argument('endValue')}, the heights of its two corners.`,
};

export function pointsOrThrow(
  shape: AnnotationDrawing['shape'],
  placed: Result<PlacedPoints, PlacementFault>,
): PlacedPoints {
  if (placed.ok) return placed.value;

  const fault = placed.failure;
  if ('missing' in fault)
    throw invalidInputError(
      'invalid_body',
      say`${argument(fault.missing)} is missing, which the shape ${code(shape)} needs.`,
      {
        hint: MISSING_FIELD_HINTS[fault.missing],
        field: fault.missing,
      },
    );

  const point = argument(fault.twice);
  const [both, alternative] =
    fault.twice === 'p1'
      ? [say`at/value`, say`${argument('at')} and ${VALUE}`]
      : [say`until/endValue`, say`${argument('until')} and ${argument('endValue')}`];
  throw invalidInputError('invalid_body', say`${point} and ${both} are both set.`, {
    hint: say`Give ${point}, or ${alternative}.`,
    field: fault.twice,
  });
}

export function assertValidDrawing(drawing: AnnotationDrawing, field: HeightField): void {
  const fault = findDrawingFault(drawing);
  if (fault) throw DRAWING_ERRORS[fault](drawing, field);
  // A person gives value; p1 is what programs draw, exactly.
  if (field === 'value' && isUnclearThreshold(drawing)) throw unclearThresholdError(drawing);
}

function unclearThresholdError(drawing: AnnotationDrawing): Error {
  const height = lineHeightInUnit(drawing);
  const percent = Number((100 * height).toPrecision(12));
  const readings = say`${exact(height, '%')} or ${exact(percent, '%')}`;
  return invalidInputError(
    'invalid_body',
    say`${VALUE} ${height} could be ${readings}: ask which.`,
    {
      hint: say`Give ${VALUE} in percent by volume, such as 18; a height up to 1 % goes into ${argument('p1')}.`,
      field: 'value',
    },
  );
}

const DRAWING_ERRORS: Record<
  DrawingFault,
  (drawing: AnnotationDrawing, field: HeightField) => Error
> = {
  second_point_missing: ({ shape }) =>
    invalidInputError('invalid_body', say`The shape ${code(shape)} needs a second point.`, {
      hint: say`Give ${argument('until')}, the time of its end, and ${argument('endValue')}, the height there.`,
      field: 'until',
    }),
  threshold_unit: ({ unit, chartType }) =>
    invalidInputError(
      'THRESHOLD_REQUIRES_VWC',
      say`A threshold is a line in vwc, and this drawing ${unit === null ? say`on the ${code(chartType)} curve has no unit` : say`is in ${code(unit)}`}.`,
      {
        hint:
          chartType === 'tensio'
            ? say`A level of tension has the fill wet or dry; a threshold in vwc is drawn on the humidity curve.`
            : say`Draw a new h-line on the humidity curve with unit vwc: the unit cannot be changed.`,
        field: 'style',
      },
    ),
  threshold_shape: ({ shape }) =>
    invalidInputError(
      'invalid_body',
      say`A threshold is an h-line, and this drawing is a ${code(shape)}.`,
      {
        hint: say`Draw a new h-line with that style, or choose another fill: the shape cannot be changed.`,
        field: 'style',
      },
    ),
  tension_height: ({ p1 }, field) =>
    invalidInputError(
      'invalid_body',
      say`A level must be above 0 and at most ${exact(MAX_TENSION_KPA, 'kPa')}, not ${p1[1]}.`,
      {
        hint: say`Give ${VALUE} in kPa (1 cbar is 1 kPa), such as 40.`,
        field,
      },
    ),
  tension_chart: ({ chartType }) =>
    invalidInputError(
      'invalid_body',
      say`The fills wet and dry are levels of tension, not lines of the ${code(chartType)} curve.`,
      {
        hint: say`Draw it with ${argument('chartType')} tensio, in kPa; a threshold in vwc has the fill threshold1 or threshold2.`,
        field: 'style',
      },
    ),
  threshold_height: ({ p1 }, field) =>
    invalidInputError(
      'invalid_body',
      say`A threshold must be from 0 to 100 % volumetric water content, not ${p1[1]}.`,
      {
        hint: say`Give ${VALUE} in %, such as 14.`,
        field,
      },
    ),
};
