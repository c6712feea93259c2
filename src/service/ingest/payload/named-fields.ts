import type { Sample } from '../../../domain/ingest/payload-path.ts';
import { isRecord } from '../../../domain/records.ts';
import { MAX_FIELD_NAME } from '../../../schema/ingest/ingest-items.ts';
import type { ReadingsRule, ValueRule } from '../../../schema/ingest/payload-map.ts';
import { canonicalSensor, columnMeaning, namesPotential, wordsIn } from '../csv/column-names.ts';
import { normalizeName } from '../csv/column-units.ts';
import { fieldsAt } from './field-patterns.ts';

const MAX_KNOWN_NAMES = 10_000;
const knownNames = new Map<string, ValueRule | null>();

/**
 * The values of fields that no value of the rule reads, and whose names say what they measure, as
 * the columns of files do: "watermark_30", "Bodenfeuchte 20 cm", "kPa".
 */
export function namedValues(
  { readsNamedFields, values }: ReadingsRule,
  sample: Sample,
): readonly ValueRule[] {
  const fields = sample.at(-1);
  if (!readsNamedFields || !isRecord(fields)) return [];

  return Object.keys(fields).flatMap((name) => {
    if (name.length > MAX_FIELD_NAME) return [];
    const value = valueOfName(name);
    const isRead = values.some(({ path }) => fieldsAt(path, [{ [name]: true }], {}).length > 0);
    return value === null || isRead ? [] : [value];
  });
}

function valueOfName(name: string): ValueRule | null {
  const known = knownNames.get(name);
  if (known !== undefined) return known;

  const value = toValueRule(name);
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, value);
  return value;
}

/** A humidity without a depth is that of the air. */
function toValueRule(name: string): ValueRule | null {
  const meaning = columnMeaning(name);
  const isPath = !/[.[\]{}]/.test(name) && !name.startsWith('../');
  if (!isPath || meaning?.kind !== 'sensor') return null;
  const { type, depth, unit } = meaning;
  if (type === 'humidity' && depth === null && canonicalSensor(name) !== null) return null;

  const value: ValueRule = { path: name, type };
  if (type === 'tensio' && namesPotential(wordsIn(normalizeName(name)))) value.isPotential = true;
  if (depth !== null) value.depth = depth;
  // A number has no such field, so that the unit is that of the name.
  if (unit !== null) value.unit = { path: `${name}.unit`, default: unit.symbol };
  return value;
}
