import type { z } from 'zod/v3';
import { DAY_MIN, MINUTE_MS } from '../domain/periods.ts';
import { area, asLimit, exact, longDuration, share } from '../domain/text/figures.ts';
import { description } from '../domain/text/program-names.ts';
import { programText } from '../domain/text/program-text.ts';
import { say, verbatimText, word } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import type { UnitOfText } from '../domain/text/units-of-text.ts';
import type { EnteredUnit } from '../domain/units.ts';

/**
 * What a check of a schema requires, as the end of "it must be …". zod takes only strings as
 * messages, so that the text itself is a parameter.
 */
export const expected = (text: Text, others: { readonly isAboutValue?: true } = {}) => ({
  message: programText(text),
  params: { text, ...others },
});

/** The text of an issue. A pattern of a schema has no parameters, so its message is the text. */
export const expectedText = (issue: z.ZodIssue): Text =>
  issue.code === 'custom' && issue.params?.text !== undefined
    ? issue.params.text
    : verbatimText(issue.message);

export const EXPECTED_DATE = expected(say`a date that exists, as YYYY-MM-DD`);

/** The unit of a number that is sent without it, and never in another unit. */
interface PlainUnit {
  readonly plain: UnitOfText;
}

export type LimitUnit = EnteredUnit | PlainUnit;

/** Over REST, where a field has one unit, the figure stands alone. */
export function limitText(value: number, unit: LimitUnit | null, limit: 'min' | 'max'): Text {
  const figure = say`${value}`;
  if (unit === null || value === 0) return figure;
  return say`${description(quantityText(value, unit, limit), programText(figure))}`;
}

function quantityText(value: number, unit: LimitUnit, limit: 'min' | 'max'): Text {
  if (typeof unit === 'object') return say`${value} ${word(unit.plain)}`;
  if (unit === 'share') return say`${share(value)}`;
  if (unit === 'm2') return say`${asLimit(area(value), limit)}`;
  const quantity = asLimit(exact(value, unit), limit);
  if (unit !== 'min' || value < DAY_MIN) return say`${quantity}`;
  return say`${quantity} (${longDuration(value * MINUTE_MS)})`;
}
