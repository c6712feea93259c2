import { foldText } from '../../domain/strings.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { similarNameTest } from '../../language/words/nearest-word.ts';
import { findByWholeName } from '../../operation/arguments/name-resolution.ts';
import type { Call } from '../../operation/call.ts';
import { type AcequiaError, invalidInputError, notFoundError } from '../../schema/error.ts';
import { type FarmRow, type FarmTable, farmRowsById } from '../../store/farm/farm-rows.ts';

export const missingFieldError = (
  field: string,
  why: Text,
  hint: Text = say`Ask the person for it; never guess it.`,
): AcequiaError =>
  invalidInputError('invalid_body', say`${argument(field)} is missing: ${why}.`, { hint, field });

export interface NamedEntry<T> {
  readonly existing: T | null;
  /** Undefined keeps the existing one. */
  readonly nameToStore: string | undefined;
}

interface NamedRow {
  readonly id: number;
  readonly name: string | null;
}

/** Finds the entry by its name, which is unique in the company regardless of case and accents. */
export function resolveNamedEntry<T extends NamedRow>(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly T[],
  { name, newName }: { readonly name: string; readonly newName?: string | undefined },
): NamedEntry<T> {
  const missingScope = call.directory.missingScopes?.[`${kind}s`] ?? null;
  const matchedByName = findByWholeName(name, all, kind, missingScope);
  if (newName === undefined) {
    if (matchedByName !== null) return { existing: matchedByName, nameToStore: undefined };
    // Comparing thousands of names takes long.
    if (missingScope === null)
      call.afterCommit(async () => adviseOfSimilarName(call, kind, all, name));
    return { existing: null, nameToStore: name };
  }

  // A call repeated after its answer was lost finds the new name.
  const existing = matchedByName ?? findByWholeName(newName, all, kind, missingScope);
  if (existing === null)
    throw notFoundError(
      say`No ${word(kind)} is called ${quotedName(name)}.`,
      say`See ${operationName(`list_${kind}s`)} for its name; ${argument('newName')} only renames.`,
    );

  const isTaken = all.some(
    (row) =>
      row.id !== existing.id && row.name !== null && foldText(row.name) === foldText(newName),
  );
  if (isTaken)
    throw invalidInputError(
      'invalid_body',
      say`Another ${word(kind)} is called ${quotedName(newName)}.`,
      {
        hint: say`Give another name.`,
        field: 'newName',
      },
    );

  return { existing, nameToStore: newName };
}

function adviseOfSimilarName(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly NamedRow[],
  name: string,
): void {
  const isSimilar = similarNameTest(name);
  const similar = all.find((row) => row.name !== null && isSimilar(row.name))?.name;
  if (similar != null)
    call.advise({ kind: 'similar_name', tool: `set_${kind}`, existing: similar });
}

export async function storedRow<K extends FarmTable>(
  { db }: Call,
  table: K,
  id: number,
): Promise<FarmRow<K>> {
  const [row] = await farmRowsById(db, table, [id]);
  if (row) return row;
  throw new Error(`Row ${id} of ${table} was just written and is missing`);
}
