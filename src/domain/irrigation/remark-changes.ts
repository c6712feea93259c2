type RemarkChange = 'added' | 'changed' | 'removed';

/** The fields that a correction changed, by name. */
export const remarkChanges = (
  fields: readonly string[],
  before: object,
  after: object,
): { readonly field: string; readonly change: RemarkChange }[] =>
  fields.flatMap((field) => {
    const change = remarkChange(
      Reflect.get(before, field) ?? null,
      Reflect.get(after, field) ?? null,
    );
    return change === null ? [] : [{ field, change }];
  });

function remarkChange(before: unknown, after: unknown): RemarkChange | null {
  if (before === after) return null;
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}
