import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import { isObject } from '../../../domain/records.ts';

/** "soil.moisture_{depth}" */
interface FieldPattern {
  /** The path of what holds the fields: "soil". */
  readonly holder: string;
  readonly before: string;
  /** The meaning of the number in the name: "depth", "channel". */
  readonly numberName: string;
  readonly after: string;
}

const LAST_NAME = /^(.*[./])?([^./{}]*)\{(\w+)\}([^./{}]*)$/;
const NUMBER = /^\d+(\.\d+)?$/;

const patterns = new Map<string, FieldPattern | null>();

export const isFieldPattern = (path: string): boolean => LAST_NAME.test(path);

/** The names in levels of the topic, and by the number in the name of a field. */
type Names = Readonly<Record<string, string>>;

interface Field {
  readonly value: NonNullable<unknown>;
  readonly levels: Names;
}

/**
 * The fields at a path that have a value: "soil.moisture_{depth}" is "soil.moisture_10" with the
 * depth 10, and every other such field of the sample.
 */
export function fieldsAt(path: string, sample: Sample, levels: Names): readonly Field[] {
  const pattern = patternOf(path);
  if (pattern === null) {
    const value = valueAt(sample, path) ?? null;
    return value === null ? [] : [{ value, levels }];
  }

  const { holder, before, numberName, after } = pattern;
  const fields = valueAt(sample, holder);
  if (!isObject(fields)) return [];

  const found: Field[] = [];
  // Without Object.entries, which would copy a long list for each pattern.
  for (const name in fields) {
    if (!name.startsWith(before) || !name.endsWith(after)) continue;
    const number = name.slice(before.length, name.length - after.length);
    const value = fields[name] ?? null;
    if (value !== null && NUMBER.test(number) && name === `${before}${number}${after}`)
      found.push({ value, levels: { ...levels, [numberName]: number } });
  }
  return found;
}

function patternOf(path: string): FieldPattern | null {
  const known = patterns.get(path);
  if (known !== undefined) return known;

  const [, start = '', before, numberName, after] = LAST_NAME.exec(path) ?? [];
  const holder = start.replace(/\.$/, '');
  const pattern =
    before === undefined || numberName === undefined || after === undefined
      ? null
      : { holder, before, numberName, after };
  patterns.set(path, pattern);
  return pattern;
}
