import { type Sample, samplesAt, valueAt } from '../../../domain/ingest/payload-path.ts';
import { firstOf } from '../../../domain/items.ts';
import type { Condition, ReadingsRule, ValueRule } from '../../../schema/ingest/payload-map.ts';
import { fieldsAt } from './field-patterns.ts';
import { UnreadableMessageError } from './payload.ts';

/** A sample is ignored if it meets a condition of the map or lacks every value that it requires. */
export function isIgnored({ ignore, requires = [] }: ReadingsRule, sample: Sample): boolean {
  const lacks = (path: string): boolean => (valueAt(sample, path) ?? null) === null;
  return meetsAny(ignore, sample) || (requires.length > 0 && requires.every(lacks));
}

export const meetsAny = (conditions: readonly Condition[] = [], sample: Sample): boolean =>
  firstMet(conditions, sample) !== undefined;

export const firstMet = (
  conditions: readonly Condition[] = [],
  sample: Sample,
): Condition | undefined =>
  conditions.find((condition) => {
    const value = valueAt(sample, condition.path);
    if ('value' in condition) return value === condition.value;
    return 'exists' in condition
      ? condition.exists === ((value ?? null) !== null)
      : !condition.otherThan.some((other) => other === value);
  });

/** Null if the message has nothing at the path of the samples. */
export function extractSamples(
  { each }: ReadingsRule,
  root: unknown,
  mapPath: string,
): readonly Sample[] | null {
  if (each === undefined) return [[root]];
  const samples = samplesAt(root, each);
  if (samples !== null) return samples;

  const outermostList = firstOf(each.split('[]'));
  if (valueAt([root], outermostList) === undefined) return null;

  throw new UnreadableMessageError(
    'the path of the samples does not hold a list',
    `${mapPath}.each`,
  );
}

/** How many values of the rule a payload has. */
export function* countFields(rule: ReadingsRule, root: unknown): Generator<void, number> {
  const countOf = ({ path, ignore }: ValueRule, sample: Sample): number =>
    meetsAny(ignore, sample) ? 0 : fieldsAt(path, sample, {}).length;

  let count = 0;
  for (const sample of extractSamples(rule, root, '') ?? []) {
    yield;
    if (isIgnored(rule, sample)) continue;
    for (const value of rule.values) count += countOf(value, sample);
  }
  return count;
}
