import { filterInSlices } from '../../domain/event-loop.ts';
import { foldText } from '../../domain/strings.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { similarNameTest } from '../../language/words/nearest-word.ts';
import { sliceOfNames } from '../../operation/arguments/name-candidates.ts';
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
export async function resolveNamedEntry<T extends NamedRow>(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly T[],
  { name, newName }: { readonly name: string; readonly newName?: string | undefined },
): Promise<NamedEntry<T>> {
  const { directory } = call;
  const matchedByName = await findByWholeName(name, all, kind, directory);
  if (newName === undefined) {
    if (matchedByName !== null) return { existing: matchedByName, nameToStore: undefined };
    // Comparing thousands of names takes long.
    if (directory.missingScopes?.[`${kind}s`] == null)
      call.afterCommit(async () => adviseOfSimilarName(call, kind, all, name));
    return { existing: null, nameToStore: name };
  }

  // A call repeated after its answer was lost finds the new name.
  const existing = matchedByName ?? (await findByWholeName(newName, all, kind, directory));
  if (existing === null)
    throw notFoundError(
      say`No ${word(kind)} is called ${quotedName(name)}.`,
      say`See ${operationName(`list_${kind}s`)} for its name; ${argument('newName')} only renames.`,
    );

  const foldedName = foldText(newName);
  const others = await filterInSlices(
    all,
    ({ id, name }) => id !== existing.id && name !== null && foldText(name) === foldedName,
    sliceOfNames(directory),
  );
  if (others.length > 0)
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

async function adviseOfSimilarName(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly NamedRow[],
  name: string,
): Promise<void> {
  const isSimilar = similarNameTest(name);
  const [similar] = await filterInSlices(
    all.flatMap((row) => row.name ?? []),
    isSimilar,
    sliceOfNames(call.directory),
  );
  if (similar !== undefined)
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
