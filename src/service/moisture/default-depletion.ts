import { CROP_DEPLETIONS, DEFAULT_ALLOWED_DEPLETION } from '../../domain/soil/allowed-depletion.ts';
import { cropIn } from '../../language/farming-terms.ts';
import { type Module, parcelType } from '../../store/company/places.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** Allowed depletion of a probe without a setting of its own. */
export async function defaultDepletion(db: CompanyDb, { parcelId }: Pick<Module, 'parcelId'>) {
  const crop = parcelId === null ? null : cropIn((await parcelType(db, parcelId))[0]?.type ?? null);
  return crop === null
    ? { crop, share: DEFAULT_ALLOWED_DEPLETION, basis: 'default' as const }
    : { crop, share: CROP_DEPLETIONS[crop], basis: 'crop' as const };
}
