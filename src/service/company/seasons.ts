import { type CropSeason, NO_SEASON } from '../../domain/balance/crop-season.ts';
import type { CropSeasonFacts } from '../../domain/facts/probe-facts.ts';
import { foldText } from '../../domain/strings.ts';
import { cropIn } from '../../language/words/farming-terms.ts';
import { parcelTypes } from '../../store/company/parcels.ts';
import { currentSeasons } from '../../store/company/seasons.ts';
import type { CompanyDb } from '../../store/tables.ts';

export function isSameCrop(a: string, b: string): boolean {
  const crop = cropIn(a);
  return foldText(a) === foldText(b) || (crop !== null && crop === cropIn(b));
}

/** The stored season, unless a farm file has changed the crop of the parcel since. */
export function seasonOfCrop(type: string | null, stored: CropSeason | undefined): CropSeason {
  const isOfCrop =
    stored !== undefined &&
    (stored.crop === type ||
      (stored.crop !== null && type !== null && isSameCrop(stored.crop, type)));
  return isOfCrop ? stored : { ...NO_SEASON, crop: type };
}

/** The seasons of each of these parcels. */
export async function seasonsOfParcels(
  db: CompanyDb,
  parcelIds: readonly number[],
): Promise<Map<number, CropSeason>> {
  const stored = await currentSeasons(db, parcelIds);
  const types = await parcelTypes(db, parcelIds);
  return new Map(
    types.map(({ id, type }) => [id, seasonOfCrop(type, stored.get(id)?.season)] as const),
  );
}

export const toCropSeasonFacts = ({
  crop,
  rootDepthCm: _,
  ...season
}: CropSeason): CropSeasonFacts => ({ ...season, crop: cropIn(crop) });
