import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError } from '../../schema/error.ts';
import { isInstantKind } from '../../schema/field.ts';
import { argumentsObject, readSentFields } from '../arguments/sent-arguments.ts';
import { inReadingOrder } from '../arguments/tool-arguments.ts';
import { toolFields } from '../arguments/tool-fields.ts';
import { newReading, type ToolField, type ToolReading } from '../arguments/tool-reading.ts';
import { needsStoredDay } from '../arguments/tool-times.ts';
import type { AnyOperation } from '../operation.ts';

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
  ({ zone, now }) => {
    const fields = toolFields(operation);
    const { values: sent } = readSentFields(fields, argumentsObject(rawArguments));
    const reading = newReading(fields.byName, sent, {
      zone,
      now,
      countryCode: null,
      units: 'metric',
    });
    const hasStored = operation.tool?.storedResource !== undefined;

    const times = new Map<string, number>();
    for (const field of inReadingOrder(reading)) {
      const value = sent[field.name];
      // "6:30" alone is then on the day of the stored instant, whatever the day is now.
      if (hasStored && needsStoredDay(value, field, reading.values)) continue;
      const at = readTime(value, field, reading);
      if (at !== null) times.set(field.name, at);
    }
    return times;
  };

/** In ms; null for what is no time or cannot be read. */
function readTime(value: unknown, field: ToolField, reading: ToolReading): number | null {
  const { kind } = field.metadata;
  if (kind !== 'point' && kind !== 'date' && !isInstantKind(kind)) return null;

  try {
    const read = field.read(value, reading);
    reading.values[field.name] = read;
    if (kind !== 'point') return typeof read === 'string' ? Date.parse(read) : null;
    return Array.isArray(read) && typeof read[0] === 'number' ? read[0] : null;
  } catch (error) {
    if (error instanceof AcequiaError) return null;
    throw error;
  }
}
