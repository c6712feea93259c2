import { type CropSeason, NO_SEASON } from '../../domain/balance/crop-season.ts';
import { foldText } from '../../domain/text.ts';
import { cropIn } from '../../language/words/farming-terms.ts';

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
