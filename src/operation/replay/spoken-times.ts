import { MINUTE_MS } from '../../domain/periods.ts';
import { isHourAlone } from '../../language/words/instant.ts';
import { AcequiaError } from '../../schema/error.ts';
import { fieldMetadata, isInstantKind } from '../../schema/field.ts';
import { startsBeforeEnds } from '../arguments/tool-arguments.ts';
import { argumentsObject, readToolFields } from '../arguments/tool-fields.ts';
import { readToolDate, readToolInstant, readToolPoint } from '../arguments/tool-values.ts';
import type { AnyOperation } from '../operation.ts';
import { knownToolField } from '../operation-fields.ts';

interface ReadingContext {
  readonly zone: string;
  /** When the words are said, in ms. */
  readonly now: number;
}

/** In ms, by field: what the times of a call mean. A time that cannot be read is left out. */
export type SpokenTimes = (context: ReadingContext) => ReadonlyMap<string, number>;

/** An order and its retry, minutes later, mean the same by "20 minutes ago". */
const SAME_TIME_MS = 5 * MINUTE_MS;

/** True if words such as "20 minutes ago" mean another time now than they did earlier. */
export function meansAnotherTime(
  spokenTimes: SpokenTimes,
  zone: string,
  { earlier, now }: { readonly earlier: number; readonly now: number },
): boolean {
  const timesNow = spokenTimes({ zone, now });
  return [...spokenTimes({ zone, now: earlier })].some(
    ([field, at]) => Math.abs((timesNow.get(field) ?? at) - at) > SAME_TIME_MS,
  );
}

export const spokenTimesOf =
  (operation: AnyOperation, rawArguments: unknown): SpokenTimes =>
  (context) => {
    const { fields } = readToolFields(operation, argumentsObject(rawArguments));
    const times = new Map<string, number>();
    for (const [field, value] of startsBeforeEnds(operation, fields)) {
      const at = readTime(operation, field, value, { ...context, times });
      if (at !== null) times.set(field, at);
    }
    return times;
  };

interface FieldContext extends ReadingContext {
  /** Of the fields before this one: a start comes before its end. */
  readonly times: ReadonlyMap<string, number>;
}

function readTime(
  operation: AnyOperation,
  field: string,
  value: unknown,
  context: FieldContext,
): number | null {
  const { kind } = fieldMetadata(knownToolField(operation, field));
  if (kind === 'point') {
    const point = readToolPoint(value, context);
    return Array.isArray(point) && typeof point[0] === 'number' ? point[0] : null;
  }

  if (typeof value !== 'string') return null;
  try {
    if (kind === 'date') return Date.parse(readToolDate(operation, field, value, context).date);
    return isInstantKind(kind) ? readInstant(operation, field, value, context) : null;
  } catch (error) {
    if (error instanceof AcequiaError) return null;
    throw error;
  }
}

function readInstant(
  operation: AnyOperation,
  field: string,
  text: string,
  { times, ...context }: FieldContext,
): number | null {
  const { endOf } = fieldMetadata(knownToolField(operation, field));
  const startedAt = endOf === null ? null : (times.get(endOf) ?? null);
  // "6:30" alone is then on the day of the stored instant, whatever the day is now.
  if (startedAt === null && operation.tool?.storedResource && isHourAlone(text)) return null;

  const { instant } = readToolInstant(operation, field, text, {
    ...context,
    startedAt,
    dayOf: null,
  });
  return Date.parse(instant);
}
