import type { z } from 'zod/v3';
import { DAY_MIN, MINUTE_MS } from '../domain/periods.ts';
import { area, exact, longDuration, share } from '../domain/text/figures.ts';
import { description } from '../domain/text/program-names.ts';
import { programText } from '../domain/text/program-text.ts';
import { say, verbatimText } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import type { UnitOfText } from '../domain/text/units-of-text.ts';
import type { EnteredUnit } from '../domain/units.ts';

/** What a check of a schema requires, as the end of "it must be …". zod knows strings alone. */
export const expected = (text: Text, others: { readonly isAboutValue?: true } = {}) => ({
  message: programText(text),
  params: { text, ...others },
});

/** A pattern of a schema has no parameters: its message is words of the program alone. */
export const expectedText = (issue: z.ZodIssue): Text =>
  issue.code === 'custom' && issue.params?.text !== undefined
    ? issue.params.text
    : verbatimText(issue.message);

export const EXPECTED_DATE = expected(say`a date that exists, as YYYY-MM-DD`);

export type LimitUnit = EnteredUnit | UnitOfText;

/** Over REST, where a field has one unit, the figure stands alone. */
export function limitText(limit: number, unit: LimitUnit | null): Text {
  const figure = say`${limit}`;
  if (unit === null || limit === 0) return figure;
  return say`${description(quantityText(limit, unit), programText(figure))}`;
}

function quantityText(value: number, unit: LimitUnit): Text {
  if (unit === 'share') return say`${share(value)}`;
  if (unit === 'm2') return say`${area(value)}`;
  if (unit !== 'min' || value < DAY_MIN) return say`${exact(value, unit)}`;
  return say`${exact(value, unit)} (${longDuration(value * MINUTE_MS)})`;
}
