import { mayBeFraction } from '../../../../domain/ingest/doubtful-readings.ts';
import type { FieldChoice } from '../../../../domain/ingest/field-choices.ts';
import { failure, ok, type Result } from '../../../../domain/result.ts';
import { unreadReasons } from '../../../../language/ingest/unread-reasons.ts';
import type { RejectionReason } from '../../../../schema/ingest/rejection.ts';
import { unitOfSymbol } from '../../csv/column-units.ts';
import { roundDigits } from '../../payload/message-values.ts';
import { measurementRange, rejectionOfValue } from '../../reading-values.ts';

type MeasuredField = Pick<FieldChoice, 'type'> & { readonly value: number } & (
    | { readonly position: number }
    | { readonly depth: null }
  );

/** The value of a number in a chosen field, or why it cannot be that. */
export function measureField(
  { type, position, unit, factor }: FieldChoice,
  number: number,
): Result<MeasuredField, RejectionReason> {
  const convert = unit === null ? undefined : unitOfSymbol(unit)?.convert;
  const scaled = roundDigits(number * factor);
  const value = convert === undefined ? scaled : roundDigits(convert(scaled));

  const code = rejectionOfValue(value, measurementRange(type));
  if (code !== null) return failure(code);

  const isPercent = type === 'humidity' && convert === undefined && factor === 1;
  if (isPercent && position !== null && mayBeFraction(value))
    return failure(unreadReasons.fractionInField);

  return ok(position === null ? { type, value, depth: null } : { type, value, position });
}

/** The number that `measureField` turned into the value: the shortest, because some round. */
export function numberOfField(choice: FieldChoice, value: number): number {
  const { unit, factor } = choice;
  const convert = (unit === null ? undefined : unitOfSymbol(unit)?.convert) ?? ((each) => each);
  const slope = (convert(FAR_NUMBER) - convert(0)) / FAR_NUMBER;
  const number = roundDigits((value - convert(0)) / slope / factor);

  for (let digits = 1; digits < MAX_DIGITS; digits++) {
    const shorter = Number(number.toPrecision(digits));
    const measured = measureField(choice, shorter);
    if (measured.ok && measured.value.value === value) return shorter;
  }
  return number;
}

/** All conversions are linear. */
const FAR_NUMBER = 10_000;
const MAX_DIGITS = 12;
