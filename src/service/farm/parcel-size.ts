import { MAX_MODULES_OF_PARCEL } from '../../domain/shares/bounded-things.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { visibleDirectory } from '../../language/summary-context.ts';
import { parcelText } from '../../language/text/names-of-farm.ts';
import type { Call } from '../../operation/call.ts';
import type { Reversal } from '../../store/changes/reversals.ts';
import { moduleCount } from '../../store/company/modules.ts';
import type { CompanyDb } from '../../store/tables.ts';

// What is written on a parcel is written on each of its modules in one transaction, which must not
// hold the write lock for long.

/** Null stands for no parcel, or for a module that does not exist. */
interface ParcelMove {
  readonly from: number | null;
  readonly to: number | null;
}

interface OverfullParcel {
  readonly parcelId: number;
  readonly modules: number;
}

/** A parcel that has more already may lose modules and exchange them. */
export async function findOverfullParcel(
  db: CompanyDb,
  moves: readonly ParcelMove[],
): Promise<OverfullParcel | null> {
  const added = new Map<number, number>();
  const add = (parcelId: number | null, count: number): void => {
    if (parcelId !== null) added.set(parcelId, (added.get(parcelId) ?? 0) + count);
  };
  for (const { from, to } of moves) {
    add(from, -1);
    add(to, 1);
  }

  const growing = [...added].filter(([, count]) => count > 0);
  if (growing.length === 0) return null;
  const arriving = growing.reduce((sum, [, count]) => sum + count, 0);
  // One count for most farms, whose files may have hundreds of parcels.
  if ((await moduleCount(db, {})) + arriving <= MAX_MODULES_OF_PARCEL) return null;

  for (const [parcelId, count] of growing) {
    const modules = (await moduleCount(db, { parcelId })) + count;
    if (modules > MAX_MODULES_OF_PARCEL) return { parcelId, modules };
  }
  return null;
}

/** "would have 2001 modules, and a parcel takes at most 2000" */
export const excessOfModules = ({ modules }: OverfullParcel): Text =>
  say`would have ${modules} modules, and a parcel takes at most ${MAX_MODULES_OF_PARCEL}`;

export const DIVIDE_PARCEL = say`Divide the parcel into smaller ones.`;

/** The sentence of a refusal, without its full stop; null if the modules may move. */
export async function overfullParcelText(
  { db, directory }: Pick<Call, 'db' | 'directory'>,
  moves: readonly ParcelMove[],
): Promise<Text | null> {
  const overfull = await findOverfullParcel(db, moves);
  if (overfull === null) return null;

  const name = await parcelText(visibleDirectory(directory), overfull.parcelId);
  return say`${name} ${excessOfModules(overfull)}`;
}

export const movesOfReversals = (reversals: readonly Reversal[]): ParcelMove[] =>
  reversals.flatMap(({ table, from, to }) =>
    table === 'modules' ? [{ from: parcelOf(from), to: parcelOf(to) }] : [],
  );

const parcelOf = (image: Reversal['to']): number | null =>
  image?.parcel_id == null ? null : Number(image.parcel_id);
