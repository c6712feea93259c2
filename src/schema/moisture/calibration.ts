import { z } from 'zod/v3';
import { isRecord } from '../../domain/records.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { description, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { ShortTextPattern } from '../short-text-pattern.ts';
import { failTransform, type Issues, textList } from '../text-list.ts';

/** A point as it was entered. */
export interface CalibrationEntry {
  readonly depthCm: number;
  readonly readPercent: number;
  readonly truePercent: number;
  /** ISO 8601, or words; null if none is given. */
  readonly from: string | null;
}

/** The density of mineral grains, of which a soil without pores would consist, in g/cm3. */
const GRAIN_DENSITY = 2.65;

const NUMBER = '(\\d+(?:\\.\\d+)?)';
const POINT_PATTERN = new ShortTextPattern(
  new RegExp(
    `^${NUMBER}\\s*(?:cm\\s*)?(?:[:,]\\s*)?reads?\\s*${NUMBER}\\s*(?:%\\s*)?(?:,\\s*)?(true|weighed)\\s*(?::\\s*)?(.+?)(?:,\\s*bulk density\\s*${NUMBER}[^,]*)?(?:,?\\s+from\\s+(.+))?$`,
    'i',
  ),
);
const PERCENT_PATTERN = new RegExp(`^${NUMBER}\\s*%?$`);
const EXPECTED_POINT = say`a depth, a read and a true percentage, such as "20 cm: reads 20, true 23"`;
const EXPECTED_PERCENTAGES = say`${description(
  say`a point whose percentages are above 0 and at most 100`,
  'with percentages above 0, at most 100',
)}`;
const EXPECTED_DENSITY = say`${description(
  say`a point whose bulk density is above 0 and at most ${GRAIN_DENSITY} g/cm3`,
  `with a bulk density in g/cm3, at most ${GRAIN_DENSITY}`,
)}`;

function parsePoints(texts: readonly string[], issues: Issues): CalibrationEntry[] {
  const points: CalibrationEntry[] = [];
  for (const [index, text] of texts.entries()) {
    const point = parseCalibrationPoint(text);
    if (!point.ok) return failTransform(issues, point.failure, index);
    points.push(point.value);
  }
  return points;
}

/** Fails with what was expected, if the text cannot be read. */
export function parseCalibrationPoint(text: string): Parsed<CalibrationEntry> {
  const [, depth, read, kind = '', value = '', density, from = null] =
    POINT_PATTERN.exec(text.trim()) ?? [];
  if (depth === undefined || read === undefined) return failure(EXPECTED_POINT);
  if (/\b(capacity|drained|saturat\w*|wilting)\b/i.test(value))
    return failure(
      say`a measured percentage: what drained soil holds is a line to draw (${operationName('create_annotation')}), no true value`,
    );

  const [, percent] = PERCENT_PATTERN.exec(value) ?? [];
  if (percent === undefined) return failure(EXPECTED_POINT);
  const isWeighed = kind.toLowerCase() === 'weighed';
  if (isWeighed !== (density !== undefined))
    return failure(
      say`by volume, or by weight with the bulk density in g/cm3: "20 cm: reads 20, weighed 15, bulk density 1.4"; ask for the density`,
    );
  if (density !== undefined && (Number(density) <= 0 || Number(density) > GRAIN_DENSITY))
    return failure(EXPECTED_DENSITY);

  // The volume of the water in a volume of soil, because water weighs 1 g/cm3.
  const truePercent = Number((Number(percent) * Number(density ?? 1)).toFixed(2));
  const readPercent = Number(read);
  if ([readPercent, truePercent].some((each) => each <= 0 || each > 100))
    return failure(EXPECTED_PERCENTAGES);
  return ok({ depthCm: Number(depth), readPercent, truePercent, from });
}

/** An object says the same as a text. */
function textOfPoint(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { depthCm, readPercent, truePercent, from } = item;
  return formatPoint({ depthCm, readPercent, truePercent, from: from ?? null });
}

const formatPoint = ({
  depthCm,
  readPercent,
  truePercent,
  from,
}: Readonly<Record<keyof CalibrationEntry, unknown>>): string =>
  `${depthCm} cm: reads ${readPercent}, true ${truePercent}${from === null ? '' : `, from ${from}`}`;

export const formatCalibration = (points: readonly CalibrationEntry[]): string[] =>
  points.map(formatPoint);

/** Reads a text of `formatCalibration`; a summary gets such texts in quotes. */
export function readCalibrationPoint(text: string): { point: string; from: string | null } {
  const [point = '', from = null] = text.replaceAll('"', '').split(', from ');
  return { point, from };
}

const texts = z.preprocess(
  (sent) => (Array.isArray(sent) ? sent.map(textOfPoint) : sent),
  textList('calibration point'),
);

/** The whole list; it replaces the earlier one. */
export const calibrationField = () =>
  field(
    texts
      .transform(parsePoints)
      .describe(
        'Replaces all; 1 or 2 a depth: "20 cm: reads 20, true 23"; later ones with ", from 1 July".',
      ),
    { namesDepths: true, example: ['20 cm: reads 20, true 23'] },
  ).nullable();

export const calibrationTexts = () =>
  withExample(z.array(z.string()), ['20 cm: reads 20, true 23, from 2026-03-01T00:00:00.000Z']);

const movedLevel = z.strictObject({
  kind: withExample(z.enum(['line', 'alert']), 'alert'),
  id: withExample(z.string(), '5f0c9f3e-6f0d-4a57-9df1-0c9f3e6f0d4a'),
  from: withExample(z.number(), 18),
  to: withExample(z.number(), 21),
});
export type MovedLevelBody = z.output<typeof movedLevel>;

export const calibrationChange = z.strictObject({
  points: calibrationTexts(),
  before: withExample(z.array(z.string()), []),
  moved: z.array(movedLevel).describe('In %, with the curve.'),
});
export type CalibrationChangeBody = z.output<typeof calibrationChange>;
