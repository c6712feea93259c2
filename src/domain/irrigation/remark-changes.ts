export type RemarkChange = 'added' | 'changed' | 'removed';

/** Which of these fields a correction changed, by name. */
export const remarkChanges = (
  fields: readonly string[],
  before: object,
  after: object,
): { readonly field: string; readonly change: RemarkChange }[] =>
  fields.flatMap((field) => {
    const from: unknown = Reflect.get(before, field) ?? null;
    const to: unknown = Reflect.get(after, field) ?? null;
    if (from === to) return [];

    const change: RemarkChange = from === null ? 'added' : to === null ? 'removed' : 'changed';
    return [{ field, change }];
  });
